// An open question is brought to mind once, after a day, and lapses at its time: on a real Redis and a real BullMQ.
import { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { CallId, ConversationId } from '../../src/domain/ids.ts';
import { jobs, queuePrefix } from '../../src/queue/jobs.ts';
import { bullPauseTimers, nudgeAfterMs, startPauseWorker } from '../../src/queue/pause-timers.ts';
import { startTestRedis, type TestRedis } from '../support/redis/redis.ts';

const talk = ConversationId('discord:7');
const call = CallId('call:1');
const day = 24 * 3_600_000;
const start = Date.UTC(2026, 10, 30, 18);

let server: TestRedis;
let queue: Queue;
let timers: ReturnType<typeof bullPauseTimers>;
let heard: string[];
let nudgeFails: boolean;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());
beforeEach(async () => {
  await server.clear();
  heard = [];
  nudgeFails = false;
  queue = new Queue(jobs.pause.queue, { connection: server.connect(), prefix: queuePrefix });
  timers = bullPauseTimers(server.redis, () => start);
  closing.push(
    () => queue.close(),
    () => timers.close(),
  );
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function work(): void {
  const worker = startPauseWorker(server.connect(), timers, {
    async nudge() {
      if (nudgeFails) throw new Error('surface away');
      heard.push('nudged');
    },
    expire: async () => void heard.push('expired'),
  });
  closing.push(() => worker.close());
}

const delays = async () => (await queue.getDelayed()).map(({ delay }) => delay);
/** The time of the only one that waits has come. */
async function comes(): Promise<void> {
  await (await queue.getDelayed())[0]?.promote();
}

test('after a day it is brought to mind, once, and it lapses two weeks after it was asked', async () => {
  await timers.set(talk, call, start + 14 * day);
  await timers.set(talk, call, start + 14 * day);
  expect(await delays()).toEqual([nudgeAfterMs]);
  work();
  await comes();
  await expect.poll(() => heard).toEqual(['nudged']);
  await expect.poll(delays).toEqual([14 * day]);
  await comes();
  await expect.poll(() => heard).toEqual(['nudged', 'expired']);
  expect(await delays()).toEqual([]);
});

test('what lapses within a day is not brought to mind', async () => {
  await timers.set(talk, call, start + day / 2);
  expect(await delays()).toEqual([day / 2]);
  work();
  await comes();
  await expect.poll(() => heard).toEqual(['expired']);
});

test('a question for forty days waits longer than a timer could', async () => {
  await timers.set(talk, call, start + 40 * day);
  work();
  await comes();
  await expect.poll(delays).toEqual([40 * day]);
});

test('what is answered is neither brought to mind nor lapses', async () => {
  await timers.set(talk, call, start + 14 * day);
  await timers.clear(talk, call);
  expect(await delays()).toEqual([]);
  expect(await timers.open()).toBe(0);
});

test('where nothing can be said it lapses all the same', async () => {
  nudgeFails = true;
  await timers.set(talk, call, start + 14 * day);
  work();
  await comes();
  await expect.poll(async () => (await delays()).includes(14 * day)).toBe(true);
});

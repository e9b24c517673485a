// Wakes that are lost or doubled, on a real Redis and a real BullMQ.
import { Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ConversationId, EventId } from '../../src/domain/ids.ts';
import type { Conversations } from '../../src/ports/conversations.ts';
import { jobs, queuePrefix } from '../../src/queue/jobs.ts';
import { bullTurnQueue, type ClosableTurnQueue } from '../../src/queue/turn-queue.ts';
import { startTurnWorker, type TurnWorker } from '../../src/queue/turn-worker.ts';
import { memoryConversations } from '../../src/store/memory.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { startTestRedis, type TestRedis } from '../support/redis/redis.ts';

const [one, two] = [ConversationId('test:one'), ConversationId('test:two')];
const sweepMs = 5_000;

let server: TestRedis;
let clock: ManualClock;
let conversations: Conversations;
let queue: ClosableTurnQueue;
let workers: TurnWorker[] = [];
/** Every turn that began, and how to end it. */
let turns: { conversation: ConversationId; end: () => void }[];
/** What turns have committed. */
let answered: EventId[];

beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());
beforeEach(async () => {
  await server.clear();
  // BullMQ dates its jobs by the real time.
  clock = manualClock(Date.now());
  conversations = memoryConversations(clock);
  queue = bullTurnQueue(server.redis, () => clock.now());
  turns = [];
  answered = [];
});
afterEach(async () => {
  for (const { end } of turns) end();
  await Promise.all(workers.map((worker) => worker.close()));
  workers = [];
  await queue.close();
});

async function start(concurrency = 10, lockMs = 15_000): Promise<void> {
  const worker = await startTurnWorker({
    connection: server.connect(),
    subscriber: server.connect(),
    queue,
    concurrency,
    lockMs,
    clock,
    log: quietLog,
    run: async (conversation) => {
      const claim = await conversations.claim(conversation);
      await new Promise<void>((resolve) => turns.push({ conversation, end: resolve }));
      claim.accept(claim.opening);
      const rest = await claim.commit();
      answered.push(...claim.opening.map(({ id }) => id));
      return rest;
    },
    giveUp: async () => 'idle',
    overdue: (before) => conversations.overdue(before),
    stopRequested: async () => false,
  });
  workers.push(worker);
}

/** Stores a message; nobody is told of it yet. */
async function say(conversation: ConversationId): Promise<void> {
  const item = {
    kind: 'message',
    id: EventId('m1'),
    address: { surface: 'test', place: 'room' },
    content: 'hi',
  } as const;
  expect(await conversations.append({ conversation, item, wanted: 'always' })).toBe('wake');
}

async function sweeps(times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    await clock.untilWaiting();
    await clock.advance(sweepMs);
  }
  await clock.untilWaiting();
}

const begun = () => turns.map(({ conversation }) => conversation);
const untilBegun = (...expected: ConversationId[]) =>
  expect.poll(begun, { timeout: 10_000, interval: 10 }).toEqual(expected);
const atRest = async () => {
  const running = () => workers.reduce((sum, worker) => sum + worker.running(), 0);
  await expect.poll(running, { timeout: 10_000, interval: 10 }).toBe(0);
  expect((await queue.depth()).waiting).toBe(0);
};

test('a wake that was lost is sent by the next sweep', async () => {
  await say(one);
  await start();
  await sweeps(1);
  await untilBegun(one);
  turns[0]?.end();
  await atRest();
  expect(begun()).toEqual([one]);
});

test('a wake that came twice waits for the turn of the first, and then finds nothing to do', async () => {
  await start();
  await say(one);
  await Promise.all([queue.wake(one), queue.wake(one)]);
  await untilBegun(one);
  turns[0]?.end();
  await untilBegun(one, one);
  turns[1]?.end();
  await atRest();
  expect(answered).toEqual([EventId('m1')]);
  expect(await conversations.isBusy(one)).toBe(false);
});

test('taken by two workers, the later turn has the conversation, the other can commit nothing', async () => {
  await start(1);
  await start(1);
  await say(one);
  await Promise.all([queue.wake(one), queue.wake(one)]);
  await untilBegun(one, one);
  for (const { end } of turns) end();
  await atRest();
  expect(answered).toEqual([EventId('m1')]);
  expect(await conversations.isBusy(one)).toBe(false);
});

test('a job that is handed on late does not take the turn of a newer one away', async () => {
  const dying = new Worker(jobs.turn.queue, () => new Promise(() => {}), {
    connection: server.connect(),
    prefix: queuePrefix,
    lockDuration: 500,
    skipLockRenewal: true,
    skipStalledCheck: true,
  });
  dying.on('error', () => {});
  await queue.wake(one);
  const active = () => server.redis.lrange(`${queuePrefix}:${jobs.turn.queue}:active`, 0, -1);
  await expect.poll(active, { timeout: 10_000 }).toHaveLength(1);
  const [old] = await active();
  await dying.close(true);

  await say(one);
  await queue.wake(one);
  await start(1, 1_500);
  await start(1, 1_500);
  await untilBegun(one);
  const jobsLeft = async () => [...(await active()), (await queue.depth()).waiting];
  await expect.poll(jobsLeft, { timeout: 10_000 }).toEqual([expect.not.stringMatching(`^${old}$`), 0]);
  turns[0]?.end();
  await atRest();
  expect(begun()).toEqual([one]);
  expect(answered).toEqual([EventId('m1')]);
});

test('a turn that shows no sign of life for minutes is not begun a second time', async () => {
  await start();
  await say(one);
  await queue.wake(one);
  await untilBegun(one);
  await sweeps(40);
  turns[0]?.end();
  await atRest();
  expect(begun()).toEqual([one]);
});

test('a wake that waits for a free worker is not sent again', async () => {
  await start(1);
  await say(one);
  await queue.wake(one);
  await untilBegun(one);
  await say(two);
  await queue.wake(two);
  await sweeps(5);
  turns[0]?.end();
  await untilBegun(one, two);
  turns[1]?.end();
  await atRest();
  expect(begun()).toEqual([one, two]);
});

test('however many sweeps find it lost while no worker is free, it is sent once', async () => {
  await start(1);
  await say(one);
  await queue.wake(one);
  await untilBegun(one);
  await say(two);
  await sweeps(5);
  await queue.wakeLost([two]);
  turns[0]?.end();
  await untilBegun(one, two);
  turns[1]?.end();
  await atRest();
  expect(begun()).toEqual([one, two]);
});

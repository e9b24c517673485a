// Files on a real Redis and a real BullMQ.
import { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MessageFiles } from '../../src/domain/file.ts';
import { ConversationId, EventId, UserId } from '../../src/domain/ids.ts';
import { bullFileFetches, type FileWorkerOptions, startFileWorker } from '../../src/queue/file-fetches.ts';
import { quietLog } from '../support/quiet-log.ts';
import { startTestRedis, type TestRedis } from '../support/redis/redis.ts';

let server: TestRedis;
let closing: (() => Promise<unknown>)[];
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());
beforeEach(async () => {
  await server.clear();
  closing = [];
});
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
});

function fetches() {
  const opened = bullFileFetches(server.redis);
  closing.push(() => opened.close());
  return opened;
}

async function startWorker(receive: FileWorkerOptions['receive'], log = quietLog) {
  const worker = await startFileWorker({ connection: server.connect(), log, receive });
  closing.push(() => worker.close());
  return worker;
}

const message = (...names: string[]): MessageFiles => ({
  conversation: ConversationId('slack:T1:C1:12.5'),
  message: EventId('m:1'),
  surface: 'slack',
  owner: UserId('slack:T1:U1'),
  files: names.map((name) => ({ id: `F:${name}`, name, source: `https://files/${name}` })),
});

const until = (check: () => boolean) => expect.poll(check, { timeout: 20_000 }).toBe(true);

test('each file of a message is received by one worker, once however often it is sent for', async () => {
  const { send } = fetches();
  for (let n = 0; n < 10; n += 1) await send(message('a', 'b'));
  const received: unknown[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const receive: FileWorkerOptions['receive'] = async (file) => {
    received.push(file);
    await released;
  };
  await Promise.all([startWorker(receive), startWorker(receive)]);
  await until(() => received.length === 2);
  await send(message('a', 'b'));
  release();
  const { files, ...rest } = message('a', 'b');
  expect(received).toHaveLength(2);
  expect(received).toEqual(expect.arrayContaining(files.map((file) => ({ ...rest, file }))));
});

test('a file is tried three times; the last try is told so, and nothing is left of it', async () => {
  const tries: boolean[] = [];
  await startWorker(async (_file, isLast) => {
    tries.push(isLast);
    if (!isLast) throw new Error('away');
  });
  await fetches().send(message('a'));
  await until(() => tries.length === 3);
  expect(tries).toEqual([false, false, true]);
  await expect.poll(() => server.redis.keys('*:files:*F*')).toEqual([]);
});

test('a worker that closes breaks off; another one goes on', async () => {
  let hasBegun = false;
  const closingWorker = await startWorker(
    (_file, _isLast, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        hasBegun = true;
      }),
  );
  await fetches().send(message('a'));
  await until(() => hasBegun);
  await closingWorker.close();
  let received = 0;
  await startWorker(async () => void (received += 1));
  await expect.poll(() => received, { timeout: 20_000 }).toBe(1);
});

test('a job of another version is dropped and told', async () => {
  const told: string[] = [];
  let received = 0;
  await startWorker(async () => void (received += 1), {
    ...quietLog,
    error: (_fields, text) => void told.push(text),
  });
  const queue = new Queue('files', { connection: server.redis, prefix: '{docent}' });
  closing.push(() => queue.close());
  await queue.add('file', { url: 'http://old' });
  await until(() => told.length === 1);
  expect(received).toBe(0);
});

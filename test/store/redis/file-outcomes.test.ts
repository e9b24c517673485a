import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileOutcome } from '../../../src/domain/file.ts';
import { BlobHash, ConversationId, EventId } from '../../../src/domain/ids.ts';
import { redisFileOutcomes } from '../../../src/store/redis/file-outcomes.ts';
import { conversationKeys } from '../../../src/store/redis/keys.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());

const talk = ConversationId('test:talk');
const message = EventId('m1');
const stored: FileOutcome = {
  kind: 'stored',
  hash: BlobHash('a'.repeat(64)),
  bytes: 3,
  content: { is: 'picture', type: 'image/png' },
};

test('what became of each file of a message is known for a week', async () => {
  const outcomes = redisFileOutcomes(server.redis);
  expect(await outcomes.of(talk, message)).toEqual(new Map());
  await outcomes.record(talk, message, 'f1', stored);
  await outcomes.record(talk, message, 'f2', { kind: 'failed', why: 'gone' });
  expect(await outcomes.of(talk, message)).toEqual(
    new Map<string, FileOutcome>([
      ['f1', stored],
      ['f2', { kind: 'failed', why: 'gone' }],
    ]),
  );
  expect(await outcomes.of(talk, EventId('m2'))).toEqual(new Map());
  const days = (await server.redis.ttl(conversationKeys(talk).files(message))) / 86_400;
  expect(Math.round(days)).toBe(7);
});

test('one of another version counts as none', async () => {
  const outcomes = redisFileOutcomes(server.redis);
  await server.redis.hset(conversationKeys(talk).files(message), 'f3', '{"kind":"scanned"}');
  expect([...(await outcomes.of(talk, message)).keys()].toSorted()).toEqual(['f1', 'f2']);
});

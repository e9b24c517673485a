import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConversationId, UserId } from '../../../src/domain/ids.ts';
import type { Vote } from '../../../src/ports/votes.ts';
import { redisVotes } from '../../../src/store/redis/votes.ts';
import { manualClock } from '../../support/clock.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());

const conversation = ConversationId('web:talk');
const [ann, anna] = [UserId('web:ann'), UserId('web:anna')];

test('one vote a person on each answer: the last one counts, and can be taken back', async () => {
  const votes = redisVotes(server.redis, manualClock(1_000), 600);
  const cast = (person: UserId, answer: string, vote: Vote | undefined) =>
    votes.cast({ conversation, answer, person, vote, ...(vote === 'down' ? { reason: 'too long' } : {}) });
  expect(await cast(ann, 'a1', 'up')).toBe(true);
  expect(await cast(ann, 'a1', 'up')).toBe(false);
  expect(await cast(ann, 'a1', 'down')).toBe(true);
  expect(await cast(ann, 'a2', 'up')).toBe(true);
  expect(await cast(anna, 'a1', 'up')).toBe(true);
  expect([...(await votes.of(conversation, ann))]).toEqual([
    ['a1', 'down'],
    ['a2', 'up'],
  ]);
  expect([...(await votes.of(conversation, anna))]).toEqual([['a1', 'up']]);
  expect(await cast(ann, 'a1', undefined)).toBe(true);
  expect([...(await votes.of(conversation, ann))]).toEqual([['a2', 'up']]);
  expect([...(await votes.of(ConversationId('web:other'), ann))]).toEqual([]);
  const keys = await server.redis.keys('*votes*');
  expect(keys).toHaveLength(1);
  expect(await server.redis.ttl(keys[0] ?? '')).toBeGreaterThan(500);
});

// Where people write to the bot directly.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redisDirects } from '../../../src/store/redis/directs.ts';
import { globalKeys } from '../../../src/store/redis/keys.ts';
import { manualClock } from '../../support/clock.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis.close());

test('the newest places come first, and old ones are forgotten', async () => {
  const clock = manualClock(1_000_000);
  const directs = redisDirects(redis.redis, clock, 'discord', 60);
  for (const place of ['a', 'b', 'c', 'a']) {
    await directs.note(place);
    await clock.advance(10_000);
  }
  expect(await directs.newest(2)).toEqual(['a', 'c']);
  await clock.advance(30_000);
  await directs.note('d');
  expect(await directs.newest(9)).toEqual(['d', 'a', 'c']);
  expect(await redis.redis.ttl(globalKeys.directs('discord'))).toBeGreaterThan(50);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { redisPresence } from '../../../src/store/redis/presence.ts';
import { manualClock } from '../../support/clock.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());

test('a full Redis still answers, but nothing can be written', async () => {
  const presence = redisPresence(server.redis, manualClock());
  await presence.writable();
  await server.redis.config('SET', 'maxmemory', '1kb');
  await expect(server.redis.ping()).resolves.toBe('PONG');
  await expect(presence.writable()).rejects.toThrow(/OOM/);
  await server.redis.config('SET', 'maxmemory', '0');
  await presence.writable();
});

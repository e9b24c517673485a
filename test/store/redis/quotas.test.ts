import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { UserId } from '../../../src/domain/ids.ts';
import { quotaPrefixes } from '../../../src/store/redis/keys.ts';
import { redisQuotas } from '../../../src/store/redis/quotas.ts';
import { manualClock } from '../../support/clock.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const ann = UserId('discord:1');
const bob = UserId('discord:2');
/** The clock of this process is decades behind the one of Redis. */
const now = 1_000_000;
const minute = 60_000;

let server: TestRedis;
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());
beforeEach(() => server.clear());

const open = (messagesPerMinute: number, tokensPerDay?: number, redis = server.redis) =>
  redisQuotas({ redis, clock: manualClock(now), messagesPerMinute, tokensPerDay });

/** The window of a counter ends now. */
const windowEnds = (prefix: string) => server.redis.del(`${prefix}:${ann}`);

test('the messages of one minute are counted together in all processes, and the refusal says when it frees', async () => {
  const here = open(2);
  const there = open(2, undefined, server.connect());
  expect(await here.message(ann)).toEqual({ ok: true });
  expect(await there.message(ann)).toEqual({ ok: true });
  const refused = await here.message(ann);
  expect(refused).toEqual({ ok: false, freeAt: expect.any(Number) });
  expect(refused.ok ? 0 : refused.freeAt - now).toBeGreaterThan(minute / 2);
  expect(refused.ok ? 0 : refused.freeAt - now).toBeLessThanOrEqual(minute);
  expect(await here.message(bob)).toEqual({ ok: true });
});

test('refused messages do not push the window on', async () => {
  const quotas = open(1);
  await quotas.message(ann);
  await server.redis.pexpire(`${quotaPrefixes.messages}:${ann}`, 5_000);
  for (let n = 0; n < 5; n += 1) await quotas.message(ann);
  const refused = await quotas.message(ann);
  expect(refused.ok ? 0 : refused.freeAt - now).toBeLessThanOrEqual(5_000);
  await windowEnds(quotaPrefixes.messages);
  expect(await quotas.message(ann)).toEqual({ ok: true });
});

test('the turn that uses up the tokens of a day is the last of it', async () => {
  const quotas = open(20, 1_000);
  await quotas.spend(ann, 999.4);
  expect(await quotas.message(ann)).toEqual({ ok: true });
  await quotas.spend(ann, 50_000);
  const refused = await quotas.message(ann);
  expect(refused.ok ? 0 : refused.freeAt - now).toBeGreaterThan(23 * 60 * minute);
  expect(await quotas.message(bob)).toEqual({ ok: true });
  await windowEnds(quotaPrefixes.tokens);
  expect(await quotas.message(ann)).toEqual({ ok: true });
});

test('a message refused for its tokens is not counted as a message', async () => {
  const quotas = open(1, 10);
  await quotas.spend(ann, 10);
  await quotas.message(ann);
  await windowEnds(quotaPrefixes.tokens);
  expect(await quotas.message(ann)).toEqual({ ok: true });
});

test('without limits nothing is counted and nothing refused', async () => {
  const quotas = open(0);
  for (let n = 0; n < 50; n += 1) expect(await quotas.message(ann)).toEqual({ ok: true });
  await quotas.spend(ann, 1e9);
  expect(await server.redis.keys('*')).toEqual([]);
});

test('every counter ends by itself', async () => {
  const quotas = open(5, 100);
  await quotas.message(ann);
  await quotas.spend(ann, 1);
  const keys = await server.redis.keys('*');
  expect(keys.toSorted()).toEqual([`docent:quota:messages:${ann}`, `docent:quota:tokens:${ann}`]);
  for (const key of keys) expect(await server.redis.ttl(key)).toBeGreaterThan(0);
});

test('scripts that were flushed are loaded again', async () => {
  const quotas = open(2);
  await quotas.message(ann);
  await server.redis.script('FLUSH');
  expect(await quotas.message(ann)).toEqual({ ok: true });
  expect(await quotas.message(ann)).toMatchObject({ ok: false });
});

test('a Redis that is away is an error, not a refusal', async () => {
  const away = server.connect();
  away.disconnect();
  await expect(open(2, undefined, away).message(ann)).rejects.toThrow(/closed/);
});

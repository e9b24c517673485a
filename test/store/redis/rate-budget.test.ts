import { isDeepStrictEqual } from 'node:util';
import { Cluster } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localRateBudgets } from '../../../src/delivery/local-rate-budgets.ts';
import { type CallReply, importances, type RateHeaders } from '../../../src/ports/rate-budget.ts';
import { rateBudgetKey } from '../../../src/store/redis/keys.ts';
import { redisRateBudgets } from '../../../src/store/redis/rate-budget.ts';
import { rateBudgetContract } from '../../contracts/rate-budget.contract.ts';
import { chance } from '../../support/chance.ts';
import { together } from '../../support/pace/goals.ts';
import { bucket, fixedWindow } from '../../support/pace/platforms.ts';
import { rateBudgetsAtTestTime } from '../../support/pace/redis-time.ts';
import { freePort, startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());

const name = { surface: 'discord', route: 'edit', scope: 'room' };
const rule = { calls: 5, perMs: 5_000 };

rateBudgetContract('rate budgets in Redis', async (now) => {
  await server.clear();
  return rateBudgetsAtTestTime(server.redis, now);
});

test('the script decides as the policy in TypeScript does, whatever happens', async () => {
  const { upTo, percent, of } = chance(2026);
  const told = (): RateHeaders => ({
    limit: of([5, 5, 5, 3]),
    remaining: upTo(4),
    resetAfterMs: upTo(5_500),
  });
  const different: unknown[] = [];
  let grants = 0;
  for (let run = 0; run < 40; run++) {
    await server.clear();
    let now = 1_000 + upTo(5_000);
    const hasHeaders = percent(75);
    const ours = localRateBudgets({ now: () => now }).budget({ name, rule });
    const theirs = rateBudgetsAtTestTime(server.redis, () => now).budget({ name, rule });
    for (let step = 0; step < 60; step++) {
      now += of([0, 1, 40, 150, 333, 1_200, 9_000, 30_000]);
      const message = of(['a', 'b', 'c', 'd', 'e', 'f']);
      if (percent(70)) {
        const want = { message, importance: of(importances), unseenMs: of([0, 12.5, 700, 3_000, 20_000]) };
        const turns = await Promise.all([ours.ask(want), theirs.ask(want)]);
        if (!isDeepStrictEqual(...turns)) different.push({ run, step, want, turns });
        grants += turns[0].granted ? 1 : 0;
      } else if (percent(90)) {
        const reply: CallReply = {
          callMs: of([80, 120, 120, 120.5, 400]),
          outcome: of(['written', 'written', 'written', 'refused', 'failed'] as const),
          ...(hasHeaders && percent(90) && { headers: told() }),
          ...(percent(50) && { retryAfterMs: upTo(8_000) }),
          ...(percent(20) && { isLast: true }),
        };
        await Promise.all([ours.learn(message, reply), theirs.learn(message, reply)]);
      } else {
        await Promise.all([ours.leave(message), theirs.leave(message)]);
      }
    }
  }
  expect(different).toEqual([]);
  expect(grants).toBeGreaterThan(300);
});

test('eight answers are shown as they would be by one process', async () => {
  const shape = { tokensPerS: 50, flowsS: 15, hasPauses: true, orElseS: 2.5 };
  for (const place of [() => fixedWindow(5, 5_000), () => bucket(5, 5_000)]) {
    const trial = { rule, place, hasHeaders: true, seeds: [1], slowestWayMs: 120 };
    await server.clear();
    const inRedis = (now: () => number) => rateBudgetsAtTestTime(server.redis, now).budget({ name, rule });
    const seen = await together({ ...trial, budget: inRedis }, 8, shape, 500);
    // Redis counts whole milliseconds only: turns may differ by one, and with them what falls into a write.
    const alone = await together(trial, 8, shape, 500);
    expect({ refused: seen.refused, lost: seen.lost, finals: seen.finalLags.length }).toEqual({
      refused: 0,
      lost: 0,
      finals: 8,
    });
    expect(Math.abs(seen.meanStaleness / alone.meanStaleness - 1)).toBeLessThan(0.1);
  }
});

test('two processes share a budget by the time of Redis', async () => {
  await server.clear();
  const here = redisRateBudgets(server.redis).budget({ name, rule });
  const there = redisRateBudgets(server.connect()).budget({ name, rule });
  expect(await here.ask({ message: 'a', importance: 'first', unseenMs: 0 })).toEqual({ granted: true });
  const headers = { limit: 5, remaining: 0, resetAfterMs: 3_600_000 };
  await here.learn('a', { callMs: 100, outcome: 'written', headers });
  const turn = await there.ask({ message: 'b', importance: 'final', unseenMs: 0 });
  expect(turn.granted ? 0 : turn.waitMs).toBeGreaterThan(3_500_000);
});

test('what is known of a budget is kept for an hour, and longer while the platform refuses', async () => {
  await server.clear();
  const budget = redisRateBudgets(server.redis).budget({ name, rule });
  await budget.ask({ message: 'a', importance: 'final', unseenMs: 0 });
  const keptMs = await server.redis.pttl(rateBudgetKey(name));
  await budget.learn('a', { callMs: 100, outcome: 'refused', retryAfterMs: 3_600_000 });
  const refusedMs = await server.redis.pttl(rateBudgetKey(name));
  expect([Math.round(keptMs / 60_000), Math.round(refusedMs / 60_000)]).toEqual([60, 120]);
});

test('on a cluster each budget has a slot of its own', async () => {
  const bus = String(await freePort());
  const node = await startTestRedis([
    '--cluster-enabled',
    'yes',
    '--cluster-port',
    bus,
    '--cluster-announce-ip',
    '127.0.0.1',
  ]);
  const cluster = new Cluster([{ host: '127.0.0.1', port: node.port }]);
  try {
    await node.redis.cluster('ADDSLOTSRANGE', 0, 16_383);
    const slots = await Promise.all(
      ['room', 'hall'].map((scope) => node.redis.cluster('KEYSLOT', rateBudgetKey({ ...name, scope }))),
    );
    expect(new Set(slots).size).toBe(2);
    const budget = redisRateBudgets(cluster).budget({ name, rule });
    expect(await budget.ask({ message: 'a', importance: 'first', unseenMs: 0 })).toEqual({ granted: true });
  } finally {
    cluster.disconnect();
    await node.close();
  }
});

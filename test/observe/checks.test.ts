import { describe, expect, test } from 'vitest';
import { Watched } from '../../src/observe/checks.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';

function watched(clock: ManualClock = manualClock(1_000)) {
  const lines: string[] = [];
  const write = (fields: object, message: string) => lines.push(message, JSON.stringify(fields));
  const log = { debug: write, info: write, warn: write, error: write };
  const redis = new Watched({ name: 'redis', kind: 'required', title: 'Redis' }, clock, log);
  return { redis, lines, clock };
}

test('a loss and its end are one line each, however often they are told', async () => {
  const { redis, lines, clock } = watched();
  redis.ok();
  await clock.advance(5_000);
  for (let i = 0; i < 3; i += 1) redis.away(new Error('connect ECONNREFUSED 127.0.0.1:6379'));
  expect(redis.check).toEqual({
    name: 'redis',
    kind: 'required',
    state: 'away',
    since: 6_000,
    detail: 'connect ECONNREFUSED 127.0.0.1:6379',
  });
  await clock.advance(12_000);
  for (let i = 0; i < 3; i += 1) redis.ok();
  expect(redis.check).toEqual({ name: 'redis', kind: 'required', state: 'ok', since: 18_000 });
  expect(lines).toEqual([
    'Redis is away, waiting.',
    '{"check":"redis","detail":"connect ECONNREFUSED 127.0.0.1:6379"}',
    'Redis is back after 12 s.',
    '{"check":"redis","awayMs":12000}',
  ]);
});

test('what was not reached yet is away, and its arrival is no return', () => {
  const { redis, lines } = watched();
  expect(redis.check).toMatchObject({ state: 'away', since: 1_000, detail: 'not reached yet' });
  redis.ok();
  expect(lines).toEqual([]);
});

test('what cannot be reached at the start is told once', async () => {
  const { redis, lines, clock } = watched();
  redis.away('connection refused');
  await clock.advance(200);
  redis.away('connection refused');
  redis.ok();
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([
    'Redis is away, waiting.',
    'Redis is back after less than a second.',
  ]);
});

test('while it is away the newest reason is kept, and since when does not change', async () => {
  const { redis, clock } = watched();
  redis.away('connection refused');
  await clock.advance(3_000);
  redis.away('loading');
  expect(redis.check).toMatchObject({ since: 1_000, detail: 'loading' });
});

describe('a reason', () => {
  test.each([
    [Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [new TypeError(''), 'TypeError'],
    ['redis://mia:hunter2@redis.example is away', 'redis://[secret]@redis.example is away'],
    [undefined, 'undefined'],
  ])('%# is readable and free of secrets', (why, detail) => {
    const { redis } = watched();
    redis.away(why);
    expect(redis.check.detail).toBe(detail);
  });

  test('is short', () => {
    const { redis } = watched();
    redis.away('x'.repeat(10_000));
    expect(redis.check.detail?.length).toBeLessThanOrEqual(300);
  });
});

test.each([
  [59_400, '59 s'],
  [60_000, '1 min 0 s'],
  [200_000, '3 min 20 s'],
  [3_600_000, '1 h 0 min'],
  [100_000_000, '27 h 46 min'],
])('%i ms are %s', async (ms, words) => {
  const { redis, lines, clock } = watched();
  redis.away('gone');
  await clock.advance(ms);
  redis.ok();
  expect(lines[2]).toBe(`Redis is back after ${words}.`);
});

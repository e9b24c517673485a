import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cronProblem, firesWithin, lastCronTime, nextCronTime } from '../../src/time/cron.ts';
import { lastMissed, nextTime } from '../../src/time/schedule.ts';
import { isoTime } from '../../src/time/zone.ts';

/** The next firings after an instant, as the clocks of the zone show them. */
function firings(expr: string, tz: string, from: string, count: number): string[] {
  const times: string[] = [];
  let at = Date.parse(from);
  for (let n = 0; n < count; n += 1) {
    at = nextCronTime(expr, tz, at);
    times.push(isoTime(at, tz));
  }
  return times;
}

test('09:00 stays 09:00 over a change of the clocks', () => {
  expect(firings('0 9 * * *', 'Europe/Berlin', '2026-03-28T00:00Z', 3)).toEqual([
    '2026-03-28T09:00:00+01:00',
    '2026-03-29T09:00:00+02:00',
    '2026-03-30T09:00:00+02:00',
  ]);
});

test.each([
  [
    'Berlin',
    '30 2 * * *',
    'Europe/Berlin',
    '2026-03-28T12:00Z',
    '2026-03-29T03:30:00+02:00',
    '2026-03-30T02:30:00+02:00',
  ],
  [
    'Chatham, at 02:45',
    '50 2 * * *',
    'Pacific/Chatham',
    '2026-09-26T00:00Z',
    '2026-09-27T03:50:00+13:45',
    '2026-09-28T02:50:00+13:45',
  ],
  [
    'Lord Howe, by half an hour',
    '10 2 * * *',
    'Australia/Lord_Howe',
    '2026-10-03T00:00Z',
    '2026-10-04T02:40:00+11:00',
    '2026-10-05T02:10:00+11:00',
  ],
  [
    'Santiago, at midnight',
    '0 0 * * *',
    'America/Santiago',
    '2026-09-05T12:00Z',
    '2026-09-06T01:00:00-03:00',
    '2026-09-07T00:00:00-03:00',
  ],
  [
    'São Paulo, at midnight',
    '15 0 * * *',
    'America/Sao_Paulo',
    '2018-11-03T12:00Z',
    '2018-11-04T01:15:00-02:00',
    '2018-11-05T00:15:00-02:00',
  ],
])(
  'a time that is left out comes as much later as the clocks jump: %s',
  (_, expr, tz, from, first, second) => {
    expect(firings(expr, tz, from, 2)).toEqual([first, second]);
  },
);

test.each([
  [
    'Berlin',
    '30 2 * * *',
    'Europe/Berlin',
    '2026-10-24T12:00Z',
    '2026-10-25T02:30:00+02:00',
    '2026-10-26T02:30:00+01:00',
  ],
  [
    'Lord Howe',
    '45 1 * * *',
    'Australia/Lord_Howe',
    '2026-04-04T00:00Z',
    '2026-04-05T01:45:00+11:00',
    '2026-04-06T01:45:00+10:30',
  ],
  [
    'Chatham',
    '0 3 * * *',
    'Pacific/Chatham',
    '2026-04-03T23:00Z',
    '2026-04-05T03:00:00+13:45',
    '2026-04-06T03:00:00+12:45',
  ],
])('a time that comes twice fires once: %s', (_, expr, tz, from, first, second) => {
  expect(firings(expr, tz, from, 2)).toEqual([first, second]);
});

test('times that the jump brings together or out of order fire in order and once', () => {
  expect(firings('15,45 2,3 * * *', 'Europe/Berlin', '2026-03-29T00:00Z', 4)).toEqual([
    '2026-03-29T03:15:00+02:00',
    '2026-03-29T03:45:00+02:00',
    '2026-03-30T02:15:00+02:00',
    '2026-03-30T02:45:00+02:00',
  ]);
  expect(firings('0,20,40 2 * * *', 'Europe/Berlin', '2026-03-29T00:00Z', 4)).toEqual([
    '2026-03-29T03:00:00+02:00',
    '2026-03-29T03:20:00+02:00',
    '2026-03-29T03:40:00+02:00',
    '2026-03-30T02:00:00+02:00',
  ]);
});

test.each([
  ['0 9 * * *', 'Asia/Kolkata', '2026-06-01T00:00Z', '2026-06-01T09:00:00+05:30'],
  ['0 9 * * *', 'Pacific/Chatham', '2026-06-01T00:00Z', '2026-06-02T09:00:00+12:45'],
  ['0 9 * * *', 'Pacific/Auckland', '2026-06-01T00:00Z', '2026-06-02T09:00:00+12:00'],
  ['0 9 29 2 *', 'Europe/Berlin', '2026-03-01T00:00Z', '2028-02-29T09:00:00+01:00'],
  ['0 9 * * 7', 'Europe/London', '2026-10-20T00:00Z', '2026-10-25T09:00:00+00:00'],
  ['0 9 * * MON-FRI', 'UTC', '2026-10-24T00:00Z', '2026-10-26T09:00:00Z'],
  ['0 9 31 * *', 'UTC', '2026-02-01T00:00Z', '2026-03-31T09:00:00Z'],
  ['0 9 1 * 1', 'UTC', '2026-10-27T00:00Z', '2026-11-01T09:00:00Z'],
])('%s in %s', (expr, tz, from, first) => {
  expect(firings(expr, tz, from, 1)).toEqual([first]);
});

test('the last time before an instant is the one whose next is after it, near jumps of the clocks too', () => {
  const zones = ['Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Chatham', 'America/Santiago', 'UTC'];
  const expressions = [
    '30 2 * * *',
    '15,45 2,3 * * *',
    '0 0 * * *',
    '*/20 * * * *',
    '45 1 * * 0',
    '10 2 1 * *',
  ];
  const year = [Date.parse('2026-01-01'), Date.parse('2026-12-31')] as const;
  const jumps = [
    '2026-03-29T01:00Z',
    '2026-10-25T01:00Z',
    '2026-10-03T15:30Z',
    '2026-09-26T14:00Z',
    '2026-09-06T04:00Z',
  ];
  const nearJump = fc
    .tuple(fc.constantFrom(...jumps), fc.integer({ min: -300, max: 300 }))
    .map(([jump, minutes]) => Date.parse(jump) + minutes * 60_000);
  const instant = fc.oneof(nearJump, fc.integer({ min: year[0], max: year[1] }));
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.constantFrom(...expressions), instant, (tz, expr, at) => {
      const last = lastCronTime(expr, tz, at);
      expect(last).toBeLessThanOrEqual(at);
      expect(nextCronTime(expr, tz, last)).toBeGreaterThan(at);
      expect(nextCronTime(expr, tz, last - 1)).toBe(last);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['0 9 * *', 'it has 4 of the five fields minute hour day month weekday'],
  ['0 0 9 * * *', 'it has 6 of the five fields minute hour day month weekday'],
  ['@daily', 'it has 1 of the five fields minute hour day month weekday'],
  ['H 9 * * *', '"H" is no name of a month or weekday'],
  ['0 9 * * someday', '"someday" is no name of a month or weekday'],
  ['0 25 * * *', 'Constraint error, got value 25 expected range 0-23'],
  ['0 9 30 2 *', 'Invalid explicit day of month definition'],
  ['0 9 31 4,6 *', 'no such day ever comes'],
])('%s cannot be used: %s', (expr, problem) => {
  expect(cronProblem(expr)).toBe(problem);
});

test.each(['0 9 * * *', ' 0  9 * * mon-fri ', '0 9 L * *', '0 9 ? * 1#2', '*/7 * * * *'])(
  '%s can be used',
  (expr) => {
    expect(cronProblem(expr)).toBeUndefined();
  },
);

test.each([
  ['* * * * *', true],
  ['*/5 * * * *', false],
  ['0,4 9 * * *', true],
  ['58 23 * * 1,3', false],
  ['2,58 0,23 * * 5,6', true],
  ['0 9 29 2 *', false],
])('%s fires within five minutes of itself: %s', (expr, expected) => {
  expect(firesWithin(expr, 5 * 60_000)).toBe(expected);
});

describe('what was missed', () => {
  const due = Date.parse('2026-11-27T09:00Z');
  const after = (hours: number) => due + hours * 3_600_000;
  const daily = { kind: 'cron', expr: '0 9 * * *', tz: 'UTC' } as const;
  const hourly = { kind: 'every', everyMs: 3_600_000 } as const;

  test('a one-off is due when it was due, and never again', () => {
    const once = { kind: 'at', at: due } as const;
    expect(lastMissed(once, due, after(70))).toBe(due);
    expect(nextTime(once, due)).toBeUndefined();
  });

  test.each([
    [daily, 0, 0, 24],
    [daily, 23.9, 0, 24],
    [daily, 51, 48, 72],
    [hourly, 0.5, 0, 1],
    [hourly, 5.2, 5, 6],
    [hourly, -0.1, 0, 1],
  ])('of %j, %d h later, the one at %d h fires and the next is at %d h', (schedule, now, last, next) => {
    expect(lastMissed(schedule, due, after(now))).toBe(after(last));
    expect(nextTime(schedule, after(last))).toBe(after(next));
  });
});

import { describe, expect, test } from 'vitest';
import { readTime } from '../../src/time/when.ts';
import { isoTime } from '../../src/time/zone.ts';

/** Mon 30 Nov 2026, 19:00 in Berlin. */
const now = Date.UTC(2026, 10, 30, 18);

function read(text: string, tz = 'Europe/Berlin', locale?: string): string | undefined {
  const at = readTime(text, { tz, now, locale });
  return at === undefined ? undefined : isoTime(at, tz);
}

test.each([
  ['tomorrow at 9', '2026-12-01T09:00:00+01:00'],
  ['tomorrow 9am please', undefined],
  ['Tomorrow 9am', '2026-12-01T09:00:00+01:00'],
  ['in 20 minutes', '2026-11-30T19:20:00+01:00'],
  ['in 2 weeks at 9am', '2026-12-14T09:00:00+01:00'],
  ['tomorrow noon', '2026-12-01T12:00:00+01:00'],
  ['17:30', '2026-12-01T17:30:00+01:00'],
  ['tomorrow 9am EST', '2026-12-01T15:00:00+01:00'],
  ['tomorrow 9am UTC', '2026-12-01T10:00:00+01:00'],
  ['2026-12-24 18:00', '2026-12-24T18:00:00+01:00'],
  ['2026-12-24T18:00Z', '2026-12-24T19:00:00+01:00'],
  ['morgen um 9 Uhr', '2026-12-01T09:00:00+01:00'],
  ['übermorgen 18:30', '2026-12-02T18:30:00+01:00'],
  ['in einer Stunde', '2026-11-30T20:00:00+01:00'],
  ['明天上午9点', '2026-12-01T09:00:00+01:00'],
  ['明天下午3点半', '2026-12-01T15:30:00+01:00'],
  ['20分钟后', '2026-11-30T19:20:00+01:00'],
  ['20分鐘後', '2026-11-30T19:20:00+01:00'],
])('%s', (text, expected) => {
  expect(read(text)).toBe(expected);
});

test.each([
  'tomorrow',
  'every day at 9',
  'jeden Tag um 9',
  '每天9点',
  'day after tomorrow noon',
  'from 9 to 11 tomorrow',
  'at 9 and at 10',
  'soon',
  '',
])('%j says more than one can be sure of, or less', (text) => {
  expect(read(text)).toBeUndefined();
});

describe('the clock on the wall', () => {
  test('is that of the zone, whatever zone this process is in', () => {
    expect(read('tomorrow at 9', 'Asia/Tokyo')).toBe('2026-12-02T09:00:00+09:00');
    expect(read('明天9点', 'America/Los_Angeles')).toBe('2026-12-01T09:00:00-08:00');
  });

  test('a wait is counted on no clock', () => {
    const beforeJump = Date.UTC(2027, 2, 28, 0, 30);
    expect(readTime('in 2 hours', { tz: 'Europe/Berlin', now: beforeJump })).toBe(beforeJump + 7_200_000);
  });
});

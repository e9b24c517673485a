import { describe, expect, test } from 'vitest';
import { readTime } from '../../src/time/when.ts';
import { isoTime } from '../../src/time/zone.ts';

/** Mon 30 Nov 2026, 19:00 in Berlin. */
const now = Date.UTC(2026, 10, 30, 18);

function read(text: string, tz = 'Europe/Berlin', locale?: string): string | undefined {
  const time = readTime(text, { tz, now, locale });
  return time === undefined ? undefined : isoTime(time.at, tz);
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
  ['半小时后', '2026-11-30T19:30:00+01:00'],
  ['morgen früh um 8', '2026-12-01T08:00:00+01:00'],
  ['um halb acht', '2026-12-01T07:30:00+01:00'],
  ['day after tomorrow at noon', '2026-12-02T12:00:00+01:00'],
  ['mañana a las 9', '2026-12-01T09:00:00+01:00'],
  ['pasado mañana a las 9', '2026-12-02T09:00:00+01:00'],
  ['el viernes a las 5 de la tarde', '2026-12-04T17:00:00+01:00'],
  ['dentro de 20 minutos', '2026-11-30T19:20:00+01:00'],
  ['demain à 9h', '2026-12-01T09:00:00+01:00'],
  ['demain à 9 h 30', '2026-12-01T09:30:00+01:00'],
  ['après-demain à 9h', '2026-12-02T09:00:00+01:00'],
  ['demain à midi', '2026-12-01T12:00:00+01:00'],
  ['dans deux heures', '2026-11-30T21:00:00+01:00'],
  ['明日の9時', '2026-12-01T09:00:00+01:00'],
  ['明日 ９：３０', '2026-12-01T09:30:00+01:00'],
  ['明後日の9時', '2026-12-02T09:00:00+01:00'],
  ['来週の金曜日 9時', '2026-12-11T09:00:00+01:00'],
  ['3日後の9時', '2026-12-03T09:00:00+01:00'],
  ['20分後', '2026-11-30T19:20:00+01:00'],
  ['tomorrow at 23:59:59', '2026-12-01T23:59:59+01:00'],
  ['28 March 2027 02:30', '2027-03-28T03:30:00+02:00'], // left out in Berlin
  ['31 October 2027 02:30', '2027-10-31T02:30:00+02:00'], // comes twice
  ['29 February 2028 at 9am', '2028-02-29T09:00:00+01:00'],
])('%s', (text, expected) => {
  expect(read(text)).toBe(expected);
});

test.each([
  'tomorrow',
  'every day at 9',
  'jeden Tag um 9',
  '每天9点',
  '30 February at 9',
  '2027-02-30 09:00',
  '2027-02-29 09:00',
  '30. Februar um 9 Uhr',
  '30 de febrero a las 9',
  '30 février à 9h',
  '2月30日9点',
  '2月30日9時',
  'every 5 seconds',
  'from 9 to 11 tomorrow',
  'at 9 and at 10',
  'soon',
  '',
])('%j says more than one can be sure of, or less', (text) => {
  expect(read(text)).toBeUndefined();
});

describe('far from here', () => {
  test.each([
    ['Pacific/Auckland', '2026-12-02T09:00:00+13:00'],
    ['Asia/Kolkata', '2026-12-01T09:00:00+05:30'],
    ['Pacific/Chatham', '2026-12-02T09:00:00+13:45'],
    ['America/Sao_Paulo', '2026-12-01T09:00:00-03:00'],
  ])('tomorrow at nine in %s', (tz, expected) => {
    expect(read('tomorrow at 9', tz)).toBe(expected);
  });
});

describe('the clock on the wall', () => {
  test('is that of the zone, whatever zone this process is in', () => {
    expect(read('tomorrow at 9', 'Asia/Tokyo')).toBe('2026-12-02T09:00:00+09:00');
    expect(read('明天9点', 'America/Los_Angeles')).toBe('2026-12-01T09:00:00-08:00');
  });

  test('a wait is counted on no clock', () => {
    const beforeJump = Date.UTC(2027, 2, 28, 0, 30);
    for (const wait of ['in 2 hours', 'in 2 Stunden', '2小时后', '2時間後', 'en 2 horas', 'dans 2 heures'])
      expect(readTime(wait, { tz: 'Europe/Berlin', now: beforeJump })).toEqual({
        at: beforeJump + 7_200_000,
        isInstant: true,
      });
  });
});

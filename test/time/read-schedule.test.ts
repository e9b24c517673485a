// "Every weekday at 7" and its like, in six languages, and what no calendar rule can say.
import { describe, expect, test } from 'vitest';
import { readSchedule } from '../../src/time/read-schedule.ts';
import { isoTime } from '../../src/time/zone.ts';

const tz = 'Europe/Berlin';
/** Mon 30 Nov 2026, 19:00 in Berlin. */
const now = Date.UTC(2026, 10, 30, 18);

const read = (text: string, kind: 'reminder' | 'task' = 'reminder') => readSchedule(text, kind, { tz, now });

/** The rule, and when it comes first. */
function rule(text: string): string {
  const found = read(text);
  if (found.kind !== 'read') return found.kind;
  const { schedule, nextAt } = found;
  const what =
    schedule.kind === 'cron'
      ? schedule.expr
      : schedule.kind === 'every'
        ? `${schedule.everyMs / 60_000} min`
        : 'once';
  return `${what}, ${isoTime(nextAt, tz).slice(0, 16)}`;
}

test.each([
  ['every weekday at 7', '0 7 * * 1-5, 2026-12-01T07:00'],
  ['every Monday and Thursday at 18:00', '0 18 * * 1,4, 2026-12-03T18:00'],
  ['daily at 8pm', '0 20 * * *, 2026-11-30T20:00'],
  ['last Friday of the month at 17:00', '0 17 * * 5L, 2026-12-25T17:00'],
  ['first Monday of each month at 9', '0 9 * * 1#1, 2026-12-07T09:00'],
  ['on the 15th of every month at 9', '0 9 15 * *, 2026-12-15T09:00'],
  ['every weekend at 10', '0 10 * * 0,6, 2026-12-05T10:00'],
  ['every 20 minutes', '20 min, 2026-11-30T19:20'],
  ['every hour', '60 min, 2026-11-30T20:00'],
  ['werktags um 7 Uhr', '0 7 * * 1-5, 2026-12-01T07:00'],
  ['jeden Montag und Donnerstag um halb acht', '30 7 * * 1,4, 2026-12-03T07:30'],
  ['am letzten Freitag des Monats um 17 Uhr', '0 17 * * 5L, 2026-12-25T17:00'],
  ['alle 20 Minuten', '20 min, 2026-11-30T19:20'],
  ['täglich um 8', '0 8 * * *, 2026-12-01T08:00'],
  ['每天早上8点', '0 8 * * *, 2026-12-01T08:00'],
  ['每周一和周四18点', '0 18 * * 1,4, 2026-12-03T18:00'],
  ['工作日早上7点', '0 7 * * 1-5, 2026-12-01T07:00'],
  ['每个月最后一个星期五下午5点', '0 17 * * 5L, 2026-12-25T17:00'],
  ['每20分钟', '20 min, 2026-11-30T19:20'],
  ['cada lunes a las 9', '0 9 * * 1, 2026-12-07T09:00'],
  ['de lunes a viernes a las 7', '0 7 * * 1-5, 2026-12-01T07:00'],
  ['último viernes de cada mes a las 17:00', '0 17 * * 5L, 2026-12-25T17:00'],
  ['cada 20 minutos', '20 min, 2026-11-30T19:20'],
  ['tous les lundis à 9h', '0 9 * * 1, 2026-12-07T09:00'],
  ['du lundi au vendredi à 7h', '0 7 * * 1-5, 2026-12-01T07:00'],
  ['le dernier vendredi du mois à 17h', '0 17 * * 5L, 2026-12-25T17:00'],
  ['toutes les 20 minutes', '20 min, 2026-11-30T19:20'],
  ['毎日8時', '0 8 * * *, 2026-12-01T08:00'],
  ['平日7時', '0 7 * * 1-5, 2026-12-01T07:00'],
  ['毎週月曜日と木曜日の18時', '0 18 * * 1,4, 2026-12-03T18:00'],
  ['毎月最後の金曜日17時', '0 17 * * 5L, 2026-12-25T17:00'],
  ['20分ごと', '20 min, 2026-11-30T19:20'],
  ['0 9 * * mon-fri', '0 9 * * mon-fri, 2026-12-01T09:00'],
  ['0 17 * * 5L', '0 17 * * 5L, 2026-12-25T17:00'],
  ['0 9 * * 1#2', '0 9 * * 1#2, 2026-12-14T09:00'],
  ['tomorrow at 9', 'once, 2026-12-01T09:00'],
])('%s', (text, expected) => {
  expect(rule(text)).toBe(expected);
});

test.each([
  'every other Monday at 9',
  'every second Monday at 9',
  'jeden zweiten Montag um 9',
  '每隔一周的周一9点',
  'cada dos lunes a las 9',
  'un lundi sur deux à 9h',
  '隔週の月曜日9時',
])('%s is nothing a rule can say: every Monday is, or the first of the month', (text) => {
  expect(read(text)).toEqual({
    kind: 'cannot',
    instead: [
      { kind: 'cron', expr: '0 9 * * 1', tz },
      { kind: 'cron', expr: '0 9 * * 1#1', tz },
    ],
  });
});

describe('what is refused', () => {
  test.each([
    ['every 5 seconds', 'too_often'],
    ['alle 5 Sekunden', 'too_often'],
    ['每5秒', 'too_often'],
    ['every day', 'none'],
    ['every Monday', 'none'],
    ['sometimes', 'none'],
    ['', 'none'],
    ['30 February at 9', 'none'],
    [`at ${'9'.repeat(10_000)}`, 'none'],
    ['2020-01-01 09:00', 'passed'],
    ['0 0 9 * * *', 'bad_cron'],
    ['0 9 30 2 *', 'bad_cron'],
    ['0 9 * * H', 'bad_cron'],
  ])('%s: %s', (text, kind) => {
    expect(read(text).kind).toBe(kind);
  });

  test('a task costs a turn, so it comes less often', () => {
    expect(read('every 2 minutes').kind).toBe('read');
    expect(read('every 2 minutes', 'task').kind).toBe('too_often');
    expect(read('*/2 * * * *', 'task').kind).toBe('too_often');
  });
});

import { expect, test } from 'vitest';
import { isoTime, isZone, parseTime, spokenTime, zoneNamed } from '../../src/time/zone.ts';

test('a time without an offset is on the clock of the zone', () => {
  const at = parseTime('2026-12-01T09:00', 'Asia/Kolkata') ?? 0;
  expect(new Date(at).toISOString()).toBe('2026-12-01T03:30:00.000Z');
  expect(isoTime(at, 'Asia/Kolkata')).toBe('2026-12-01T09:00:00+05:30');
  expect(spokenTime(at, 'Asia/Kolkata')).toBe('Tue 1 Dec 2026, 09:00');
});

test.each([
  ['2026-12-01T09:00Z', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T09:00+12:45', '2026-11-30T20:15:00.000Z'],
  ['2026-12-01T09:00:30.5-0330', '2026-12-01T12:30:30.500Z'],
  ['2026-12-01T09:00[Asia/Kolkata]', '2026-12-01T03:30:00.000Z'],
  [' 2026-12-01 09:00 ', '2026-12-01T08:00:00.000Z'],
  ['20261201T0900', '2026-12-01T08:00:00.000Z'],
  ['2026-W49-2T09:00', '2026-12-01T08:00:00.000Z'],
  ['2028-02-29T09:00', '2028-02-29T08:00:00.000Z'],
  ['2026-03-29T02:30', '2026-03-29T01:30:00.000Z'], // left out: 03:30
  ['2026-10-25T02:30', '2026-10-25T00:30:00.000Z'], // twice: the first
  ['2026-10-25T02:30+01:00', '2026-10-25T01:30:00.000Z'], // the second, if somebody says so
])('in Berlin %s is %s', (text, expected) => {
  expect(new Date(parseTime(text, 'Europe/Berlin') ?? 0).toISOString()).toBe(expected);
});

test.each([
  '2026-12-01',
  '09:00',
  'tomorrow 9am',
  '2026-02-30T09:00',
  '2027-02-29T09:00',
  '2026-12-01T9',
  '',
  '1764579600',
])('%j is no time', (text) => {
  expect(parseTime(text, 'Europe/Berlin')).toBeUndefined();
});

test.each([
  ['Europe/Berlin', true],
  ['Pacific/Chatham', true],
  ['UTC', true],
  ['Europe/Berlim', false],
  ['+02:00', false],
  ['CEST', false],
  ['', false],
  ['constructor', false],
])('%j is a zone: %s', (tz, expected) => {
  expect(isZone(tz)).toBe(expected);
});

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['EUROPE/BERLIN', 'Europe/Berlin'],
  ['america/port-au-prince', 'America/Port-au-Prince'],
  ['utc', 'UTC'],
  ['us/eastern', 'America/New_York'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Europe/Berlim', undefined],
])('%j is spelled %j', (typed, expected) => {
  expect(zoneNamed(typed)).toBe(expected);
});

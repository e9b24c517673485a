/**
 * Wall clocks. A wall time is what a clock on the wall shows, written as the milliseconds since 1970 that UTC would show
 * at that moment: it can be compared and counted on, whatever the zone does.
 */
import { DateTime, IANAZone } from 'luxon';

const dayMs = 24 * 3_600_000;

/** An IANA name such as `Europe/Berlin` or `UTC`; plain offsets such as `+02:00` are none, they know no summer time. */
export function isZone(tz: string): boolean {
  return /^[A-Za-z]/.test(tz) && IANAZone.isValidZone(tz);
}

/**
 * The name as the database spells it: `Europe/Berlin` for `europe/berlin`. A second name of a zone stays when it is spelled
 * (`Asia/Kolkata`), else the first one stands for it. Undefined when it is no zone.
 */
export function zoneNamed(tz: string): string | undefined {
  if (!isZone(tz)) return undefined;
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: tz }).resolvedOptions();
  const isSpelled = !/(?:^|\/)[a-z]/.test(tz);
  return isSpelled && timeZone.toLowerCase() !== tz.toLowerCase() ? tz : timeZone;
}

/** How far the zone is ahead of UTC at an instant. Unit: milliseconds. */
export function offsetMs(at: number, tz: string): number {
  return IANAZone.create(tz).offset(at) * 60_000;
}

/** What the clocks of the zone show at an instant. */
export function wallTime(at: number, tz: string): number {
  return at + offsetMs(at, tz);
}

/**
 * The instant at which the clocks show `wall`. Where they show it twice, the first; where they jump over it, as much
 * later as they jump: 02:30 in an hour left out is 03:30.
 */
export function instantOf(wall: number, tz: string): number {
  // No zone is more than 14 h from UTC, so these lie before and after the moment in question.
  const before = offsetMs(wall - dayMs, tz);
  const after = offsetMs(wall + dayMs, tz);
  const shown = [wall - before, wall - after].find((at) => wallTime(at, tz) === wall);
  return shown ?? wall - before;
}

/** `2026-12-01T09:00:00+01:00` */
export function isoTime(at: number, tz: string): string {
  return DateTime.fromMillis(at, { zone: tz }).toISO({ suppressMilliseconds: true }) ?? String(at);
}

/** `Tue 1 Dec 2026, 09:00`, with seconds only where there are some; in other languages (BCP 47) as people write it there. */
export function spokenTime(at: number, tz: string, locale = 'en'): string {
  const time = DateTime.fromMillis(at, { zone: tz, locale });
  if (!/^en\b/i.test(locale))
    return time.toLocaleString({
      ...DateTime.DATETIME_MED_WITH_WEEKDAY,
      ...(time.second !== 0 && { second: '2-digit' }),
    });
  return time.toFormat(time.second === 0 ? 'ccc d LLL yyyy, HH:mm' : 'ccc d LLL yyyy, HH:mm:ss');
}

/** `09:00` */
export function clockTime(at: number, tz: string): string {
  return DateTime.fromMillis(at, { zone: tz }).toFormat('HH:mm');
}

/** `2026-12-01 09:00`, as `parseTime` reads it. */
export function writtenTime(at: number, tz: string): string {
  return DateTime.fromMillis(at, { zone: tz }).toFormat('yyyy-LL-dd HH:mm');
}

/**
 * An ISO 8601 date with a time of day. With an offset, `Z` or a bracketed zone it is that instant, else the wall clock of `tz` is meant.
 * Undefined when it is neither, or a date alone: nobody wants to be woken at midnight by accident.
 */
export function parseTime(text: string, tz: string): number | undefined {
  const iso = isoIn(text);
  if (!/^\d[\d\-W]+T\d/i.test(iso)) return undefined;
  const time = DateTime.fromISO(iso, { zone: 'utc' });
  if (!time.isValid) return undefined;
  return namesZone(text) ? time.toMillis() : instantOf(time.toMillis(), tz);
}

/** Whether an ISO 8601 time says by itself which instant it is. */
export function namesZone(text: string): boolean {
  return /^\d.*T.*(?:Z|[+-]\d\d(?::?\d\d)?|\])$/i.test(isoIn(text));
}

function isoIn(text: string): string {
  return text.trim().replace(/^([\d-]{8,10}) +/, '$1T');
}

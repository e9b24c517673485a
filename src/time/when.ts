/** A time as people write it: "tomorrow at 9", "in 20 minutes", "morgen um 9 Uhr", "明天上午9点", or ISO 8601. */

import { casual as german } from 'chrono-node/de';
import { casual as english } from 'chrono-node/en';
import { casual as spanish } from 'chrono-node/es';
import { casual as french } from 'chrono-node/fr';
import { casual as japanese } from 'chrono-node/ja';
import { casual as chinese } from 'chrono-node/zh';
import { plainly, type TimeLanguage, timeLanguages, waitOf } from './phrases.ts';
import { instantOf, namesZone, parseTime, wallTime } from './zone.ts';

type Parser = typeof english;

export interface Reading {
  /** Whose clock is meant (IANA). */
  readonly tz: string;
  /** Unit: milliseconds since 1970. */
  readonly now: number;
  /** Which language is tried first (BCP 47). */
  readonly locale?: string | undefined;
}

export interface ReadTime {
  /** It may lie in the past. Unit: milliseconds since 1970. */
  readonly at: number;
  /** A wait, or a time of a zone that was named: it is the same on every clock. */
  readonly isInstant: boolean;
}

/**
 * Undefined when it is no time, has no time of day, or says more than one can be sure of ("every day at 9", "30
 * February").
 */
export function readTime(text: string, { tz, now, locale }: Reading): ReadTime | undefined {
  const iso = parseTime(text, tz);
  if (iso !== undefined) return { at: iso, isInstant: namesZone(text) };
  const waitMs = waitOf(text);
  if (waitMs !== undefined) return { at: now + waitMs, isInstant: true };
  for (const language of languagesFrom(locale)) {
    const found = readIn(language, text, tz, now);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The time of day alone, in minutes since midnight: "at 7", "um halb acht". Undefined: anything more, or less. */
export function readTimeOfDay(text: string, language: TimeLanguage): number | undefined {
  const words = plainly(language, text, midnight);
  const [found, ...more] = parse(language, words, midnight);
  if (found === undefined || more.length > 0 || found.end != null || hasRest(words, found)) return undefined;
  const { start } = found;
  const isDay = start.isCertain('day') || start.isCertain('weekday') || start.isCertain('timezoneOffset');
  if (!start.isCertain('hour') || isDay) return undefined;
  return (start.get('hour') ?? 0) * 60 + (start.get('minute') ?? 0);
}

/** Any will do: only the time of day is read. */
const midnight = Date.UTC(2026, 0, 5);

/** That of the person first. */
export function languagesFrom(locale: string | undefined): readonly TimeLanguage[] {
  const own = (locale ?? '').toLowerCase().split(/[-_]/)[0];
  return timeLanguages.toSorted((a, b) => Number(b === own) - Number(a === own));
}

function readIn(language: TimeLanguage, text: string, tz: string, now: number): ReadTime | undefined {
  const wall = wallTime(now, tz);
  const words = plainly(language, text, wall);
  const [found, ...more] = parse(language, words, wall);
  if (found === undefined || more.length > 0 || found.end != null) return undefined;
  const { start } = found;
  if (!start.isCertain('hour') || hasRest(words, found)) return undefined;
  if (start.isCertain('timezoneOffset')) {
    const isNamed = start.get('timezoneOffset') !== 0 || /(?:utc|gmt|z)\b/iu.test(found.text);
    // A wait is counted on no clock.
    const at = isNamed ? start.date().getTime() : now + (start.date().getTime() - wall);
    return { at, isInstant: true };
  }
  const part = (name: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second') => start.get(name) ?? 0;
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return { at: instantOf(shown, tz), isInstant: false };
}

/**
 * The parsers know no IANA zones: they count on the clock on the wall, which is told to them as UTC; Chinese and Japanese
 * only know the zone of this process.
 */
function parse(language: TimeLanguage, words: string, wall: number) {
  const isLocal = language === 'zh' || language === 'ja';
  const reference = isLocal ? { instant: localDate(wall) } : { instant: new Date(wall), timezone: 0 };
  return parsers[language].parse(words, reference, { forwardDate: true });
}

/** Anything that was not understood, besides small words. */
function hasRest(words: string, found: { readonly index: number; readonly text: string }): boolean {
  const rest = words.slice(0, found.index) + words.slice(found.index + found.text.length);
  return /\p{L}{3}|\p{N}|\p{Script=Han}/u.test(rest);
}

const parsers: Readonly<Record<TimeLanguage, Parser>> = {
  en: english,
  de: german,
  zh: chinese,
  es: spanish,
  fr: french,
  ja: japanese,
};

/** Shows in the zone of this process what `wall` shows in UTC. */
function localDate(wall: number): Date {
  const utc = new Date(wall);
  return new Date(
    utc.getUTCFullYear(),
    utc.getUTCMonth(),
    utc.getUTCDate(),
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
  );
}

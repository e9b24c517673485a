/** A time as people write it: "tomorrow at 9", "in 20 minutes", "morgen um 9 Uhr", "明天上午9点", or ISO 8601. */

import { casual as german } from 'chrono-node/de';
import { casual as english } from 'chrono-node/en';
import { casual as chinese } from 'chrono-node/zh';
import { instantOf, parseTime, wallTime } from './zone.ts';

type Parser = typeof english;

/**
 * The instant, in milliseconds since 1970; undefined when it is no time, has no time of day, or says more than one can be
 * sure of ("every day at 9"). It may lie in the past. `tz`: whose clock is meant (IANA). `locale`: which language is
 * tried first (BCP 47).
 */
export function readTime(
  text: string,
  {
    tz,
    now,
    locale = 'en',
  }: { readonly tz: string; readonly now: number; readonly locale?: string | undefined },
): number | undefined {
  const iso = parseTime(text, tz);
  if (iso !== undefined) return iso;
  const own = locale.toLowerCase().split(/[-_]/)[0] ?? '';
  const languages = [own, 'en', 'de', 'zh'];
  return languages.map((each) => readIn(each, text, tz, now)).find((at) => at !== undefined);
}

function readIn(language: string, text: string, tz: string, now: number): number | undefined {
  const parser = parsers[language];
  if (parser === undefined) return undefined;
  const wall = wallTime(now, tz);
  // It knows no IANA zones: it counts on the clock on the wall, which is told to it as UTC; Chinese only knows the zone
  // of this process.
  const reference =
    language === 'zh' ? { instant: localDate(wall) } : { instant: new Date(wall), timezone: 0 };
  const [found, ...more] = parser.parse(text, reference, { forwardDate: true });
  if (found === undefined || more.length > 0 || found.end != null) return undefined;
  const { start } = found;
  const rest = text.slice(0, found.index) + text.slice(found.index + found.text.length);
  if (!start.isCertain('hour') || /\p{L}{3}|\p{N}|\p{Script=Han}/u.test(rest)) return undefined;
  if (start.isCertain('timezoneOffset')) {
    const isNamed = start.get('timezoneOffset') !== 0 || /(?:utc|gmt|z)\b/iu.test(found.text);
    // A wait is counted on no clock.
    return isNamed ? start.date().getTime() : now + (start.date().getTime() - wall);
  }
  const part = (name: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second') => start.get(name) ?? 0;
  return instantOf(
    Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')),
    tz,
  );
}

const parsers: Readonly<Record<string, Parser>> = { en: english, de: german, zh: chinese };

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

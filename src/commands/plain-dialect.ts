/** How commands are answered where nothing but text is shown. */
import type { Dialect } from '../domain/command.ts';
import { spokenTime } from '../time/zone.ts';

/** Times in this zone (IANA), and in a language (BCP 47). */
export function plainDialect(zone: string, locale?: string): Dialect {
  return {
    maxChars: Number.MAX_SAFE_INTEGER,
    command: (name) => `/${name}`,
    time: (at, itsZone = zone) => spokenTime(at, itsZone, locale),
    text: (words) => words,
  };
}

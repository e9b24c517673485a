/** How commands are answered where nothing but text is shown. */
import type { Dialect } from '../domain/command.ts';
import { spokenTime } from '../time/zone.ts';

/** Times in this zone (IANA). */
export function plainDialect(zone: string): Dialect {
  return {
    maxChars: Number.MAX_SAFE_INTEGER,
    command: (name) => `/${name}`,
    time: (at) => spokenTime(at, zone),
    text: (words) => words,
  };
}

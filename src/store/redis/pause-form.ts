/** An open question as a Redis hash: `call` for the append script, the rest as JSON. */
import type { OpenPause } from '../../domain/pause.ts';

/** Field and value, one after the other, for HSET. */
export function writePause(pause: Partial<OpenPause>): string[] {
  return Object.entries(pause).flatMap(([field, value]) => [`p:${field}`, JSON.stringify(value)]);
}

/** Undefined when no question is open. */
export function readPause(fields: Readonly<Record<string, string>>): OpenPause | undefined {
  if (fields['call'] === undefined) return undefined;
  const known = Object.entries(fields).filter(([field]) => field.startsWith('p:'));
  return Object.fromEntries(
    known.map(([field, value]) => [field.slice(2), JSON.parse(value)]),
  ) as unknown as OpenPause;
}

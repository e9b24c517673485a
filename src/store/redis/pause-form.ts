/** An open question as a Redis hash: a field each, as JSON. */
import type { OpenPause } from '../../domain/pause.ts';

/** Field and value, one after the other, for HSET. */
export function writePause(pause: Partial<OpenPause>): string[] {
  return Object.entries(pause).flatMap(([field, value]) => [field, JSON.stringify(value)]);
}

/** Undefined when no question is open. */
export function readPause(fields: Readonly<Record<string, string>>): OpenPause | undefined {
  if (fields['callId'] === undefined) return undefined;
  const entries = Object.entries(fields).map(([field, value]): [string, unknown] => [
    field,
    JSON.parse(value),
  ]);
  return Object.fromEntries(entries) as unknown as OpenPause;
}

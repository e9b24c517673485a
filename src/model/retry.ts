/** When a request that failed before anything was shown is asked again. */

/** Waits before the second and the third try. Unit: milliseconds. */
const waits = [500, 1_500];
/** A longer wait than this is not worth sitting through: another model is asked, or the person is told. */
const longestWaitMs = 20_000;

/**
 * The wait before try `attempt` (2 is the first repetition), or `undefined` when there is none: the tries are used up
 * or the service asked for more patience than a person has.
 */
export function waitBefore(attempt: number, askedForMs: number | undefined): number | undefined {
  const wait = waits[attempt - 2];
  if (wait === undefined || askedForMs === undefined) return wait;
  return askedForMs <= longestWaitMs ? askedForMs : undefined;
}

/** The wait a response asks for in `retry-after-ms` or `retry-after` (seconds or a date). Unit: milliseconds. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const ms = numberIn(headers.get('retry-after-ms'));
  if (ms !== undefined) return ms;
  const after = headers.get('retry-after');
  const seconds = numberIn(after);
  if (seconds !== undefined) return seconds * 1_000;
  const date = Date.parse(after ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function numberIn(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

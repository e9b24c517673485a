/** Places that take a limited number of writes, in each of the ways platforms count. Strict: one call too many is refused. */
import type { RateHeaders } from '../../../src/ports/rate-budget.ts';

export interface LimitedPlace {
  /** One call that arrives at `now`. Times never go back. */
  call(now: number): { readonly isTaken: boolean; readonly headers: RateHeaders };
}

/** `calls` in each window; a window begins with the first call after the last one ended. */
export function fixedWindow(calls: number, perMs: number): LimitedPlace {
  let endsAt = Number.NEGATIVE_INFINITY;
  let left = 0;
  return {
    call(now) {
      if (now >= endsAt) {
        endsAt = now + perMs;
        left = calls;
      }
      const isTaken = left > 0;
      if (isTaken) left -= 1;
      return { isTaken, headers: { limit: calls, remaining: left, resetAfterMs: endsAt - now } };
    },
  };
}

/** Windows that follow one another by the platform's own clock, whoever calls. */
export function clockWindow(calls: number, perMs: number, phaseMs: number): LimitedPlace {
  let window = Number.NaN;
  let left = 0;
  return {
    call(now) {
      const current = Math.floor((now - phaseMs) / perMs);
      if (current !== window) {
        window = current;
        left = calls;
      }
      const isTaken = left > 0;
      if (isTaken) left -= 1;
      const resetAfterMs = (current + 1) * perMs + phaseMs - now;
      return { isTaken, headers: { limit: calls, remaining: left, resetAfterMs } };
    },
  };
}

/** Holds `calls` and regains one every `perMs / calls`. The headers tell when it is full, or when the next call is free. */
export function bucket(calls: number, perMs: number, tells: 'full' | 'next' = 'full'): LimitedPlace {
  const refillMs = perMs / calls;
  let fullAt = Number.NEGATIVE_INFINITY;
  return {
    call(now) {
      const level = (at: number) => calls - Math.max(0, fullAt - at) / refillMs;
      // Sums of fractions of a millisecond must not refuse a call that is free.
      const isTaken = level(now) >= 1 - 1e-6;
      if (isTaken) fullAt = Math.max(fullAt, now) + refillMs;
      const remaining = Math.max(0, Math.floor(level(now) + 1e-6));
      const resetAfterMs = tells === 'full' ? fullAt - now : (remaining + 1 - level(now)) * refillMs;
      return { isTaken, headers: { limit: calls, remaining, resetAfterMs } };
    },
  };
}

/** At most `calls` in any `perMs`; the headers tell when the oldest one is forgotten. */
export function slidingWindow(calls: number, perMs: number): LimitedPlace {
  let taken: readonly number[] = [];
  return {
    call(now) {
      taken = taken.filter((at) => at + perMs > now);
      const isTaken = taken.length < calls;
      if (isTaken) taken = [...taken, now];
      const resetAfterMs = (taken[0] ?? now) + perMs - now;
      return { isTaken, headers: { limit: calls, remaining: calls - taken.length, resetAfterMs } };
    },
  };
}

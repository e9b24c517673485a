/** Virtual time for a worker's side of a platform on its fake: the clock, what waits for it, and the date that libraries read. */
import { setImmediate as turnOfEvents } from 'node:timers/promises';
import { vi } from 'vitest';
import type { Clock } from '../../src/ports/runtime.ts';
import { manualClock } from './clock.ts';

/** Libraries look at the real clock. */
export const beginMs = Date.UTC(2030, 0, 1);

/** Time goes on when nothing can happen without it; the library's clock goes with it. */
export function clockForAll() {
  const base = manualClock(beginMs);
  const clock: Clock = {
    now: base.now,
    after: (ms, run) =>
      base.after(ms, () => {
        vi.setSystemTime(base.now());
        run();
      }),
    async sleep(ms, signal) {
      await base.sleep(ms, signal);
      vi.setSystemTime(base.now());
    },
  };
  /** Calls on their way, and those of them that are waiting for time to pass. */
  let calls = 0;
  let asleep = 0;
  const network = {
    clock: {
      ...clock,
      async sleep(ms: number) {
        asleep += 1;
        await clock.sleep(ms);
        asleep -= 1;
      },
    } satisfies Clock,
    watched:
      <Given extends readonly unknown[], Answer>(make: (...given: Given) => Promise<Answer>) =>
      async (...given: Given): Promise<Answer> => {
        calls += 1;
        try {
          return await make(...given);
        } finally {
          calls -= 1;
        }
      },
  };
  /** Reading a body takes turns of the event loop, also when no time passes. */
  const untilStill = async () => {
    for (let still = 0; still < 3; still = calls === asleep ? still + 1 : 0) await turnOfEvents();
  };
  const untilDone = async <Result>(work: Promise<Result>): Promise<Result> => {
    const over = new AbortController();
    const watched = work.finally(() => over.abort());
    watched.catch(() => {}); // awaited below
    while (!over.signal.aborted) {
      await untilStill();
      await base.advance(base.pending()[0] ?? 0);
    }
    return watched;
  };
  return { clock, network, untilDone };
}

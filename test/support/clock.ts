/** A clock that stands still until a test moves it, so that no test waits for real time. */
import type { Clock } from '../../src/ports/runtime.ts';

export interface ManualClock extends Clock {
  /** Moves time forward, running what falls due in order; work started by one timer may set the next. Unit: ms. */
  advance(ms: number): Promise<void>;
  /** How long the pending timers and sleeps still have, soonest first. Unit: ms. */
  pending(): readonly number[];
  /** Resolves as soon as at least one timer or sleep is pending. */
  untilWaiting(): Promise<void>;
}

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/** `start` is what `now()` says first. Unit: milliseconds. */
export function manualClock(start = 0): ManualClock {
  let time = start;
  let timers: readonly Timer[] = [];
  let watchers: (() => void)[] = [];

  const add = (ms: number, run: () => void): (() => void) => {
    const timer: Timer = { due: time + Math.max(0, ms), run };
    timers = [...timers, timer].toSorted((a, b) => a.due - b.due);
    for (const wake of watchers.splice(0)) wake();
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };

  return {
    now: () => time,
    after: add,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
          cancel();
          reject(signal?.reason);
        };
        const cancel = add(ms, () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        });
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
    async advance(ms) {
      const target = time + ms;
      await settle();
      for (let next = timers[0]; next && next.due <= target; next = timers[0]) {
        timers = timers.slice(1);
        time = next.due;
        next.run();
        await settle();
      }
      time = target;
    },
    pending: () => timers.map((timer) => timer.due - time),
    untilWaiting: () =>
      timers.length > 0 ? Promise.resolve() : new Promise((resolve) => watchers.push(resolve)),
  };
}

/** Lets everything that is ready to run, run. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

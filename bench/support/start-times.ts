/** How long work waits for its start on a queue that has nothing else to do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../harness.ts';

/** 50 a second. Unit: milliseconds. */
const gapMs = 20;

export class StartTimes {
  /** To be called by the worker. */
  started = () => {};

  /** From before `add` until the start, the median of `count`. Unit: milliseconds. */
  async median(count: number, add: (n: number) => Promise<unknown>): Promise<number> {
    const times: number[] = [];
    for (let n = 0; n < count; n++) {
      const from = performance.now();
      const start = new Promise<number>((resolve) => {
        this.started = () => resolve(performance.now() - from);
      });
      await add(n);
      const took = await start;
      times.push(took);
      await sleep(Math.max(0, gapMs - took));
    }
    return median(times);
  }
}

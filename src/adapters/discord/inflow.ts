/** What a gateway hears, on its way to the store: in order within a conversation, tried until it is stored. */
import type { Clock, Logger } from '../../ports/runtime.ts';

/** The store is asked again this often. Unit: milliseconds. */
const askAgainMs = 1_000;

export interface InflowMeans {
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends all waiting: what is not stored then is found by the next process. */
  readonly signal: AbortSignal;
}

export class Inflow {
  private readonly last = new Map<string, Promise<void>>();
  private isAway = false;

  constructor(private readonly means: InflowMeans) {}

  /** What is on the same line is stored in order. `store` may be called any number of times. */
  take(line: string, store: () => Promise<void>): void {
    const before = this.last.get(line) ?? Promise.resolve();
    const stored = before.then(() => this.storeOnce(store));
    this.last.set(line, stored);
    void stored.finally(() => {
      if (this.last.get(line) === stored) this.last.delete(line);
    });
  }

  /** Resolves when nothing is on its way any more. */
  async settled(): Promise<void> {
    while (this.last.size > 0) await Promise.all(this.last.values());
  }

  private async storeOnce(store: () => Promise<void>): Promise<void> {
    const { clock, log, signal } = this.means;
    while (!signal.aborted) {
      try {
        await store();
        if (this.isAway) log.info({}, 'what Discord sent meanwhile is being stored');
        this.isAway = false;
        return;
      } catch (error) {
        if (!this.isAway)
          log.warn({ error }, 'what Discord sent cannot be stored now; it is kept and tried again');
        this.isAway = true;
        await clock.sleep(askAgainMs, signal).catch(() => {}); // the process ends
      }
    }
  }
}

/** What a gateway hears, on its way to the store: in order within a conversation, tried until it is stored. */
import type { Clock, Logger } from '../ports/runtime.ts';
import { Slots } from './slots.ts';

/** The store is asked again this often. Unit: milliseconds. */
const askAgainMs = 1_000;
/** Stored at the same time. The rest waits its turn, so that a store that is back takes the oldest first. */
const atOnce = 50;

export interface InflowMeans {
  /** So many things are kept in memory while the store is away. */
  readonly maxKept: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends all waiting: what is not stored then is found by the next process. */
  readonly signal: AbortSignal;
}

export class Inflow {
  private readonly last = new Map<string, Promise<void>>();
  private readonly slots = new Slots(atOnce);
  private kept = 0;
  private forRoom: (() => void)[] = [];
  private isAway = false;
  private pausing: Promise<void> | undefined;

  constructor(private readonly means: InflowMeans) {}

  /** What is on the same line is stored in order. `store` may be called any number of times. Resolves when it is stored. */
  take(line: string, store: () => Promise<void>): Promise<void> {
    this.keep();
    const before = this.last.get(line) ?? Promise.resolve();
    const stored = before.then(() => this.slots.run(() => this.storeOnce(store))).finally(() => this.leave());
    this.last.set(line, stored);
    void stored.finally(() => {
      if (this.last.get(line) === stored) this.last.delete(line);
    });
    return stored;
  }

  /** Something waits elsewhere and takes room all the same, until `leave`. */
  keep(): void {
    this.kept += 1;
  }

  leave(): void {
    this.kept -= 1;
    if (this.hasRoom) for (const go of this.forRoom.splice(0)) go();
  }

  get hasRoom(): boolean {
    return this.kept < this.means.maxKept;
  }

  /** Resolves when there is room, or all waiting ends. */
  async room(): Promise<void> {
    while (!this.hasRoom && !this.means.signal.aborted)
      await new Promise<void>((go) => this.forRoom.push(go));
  }

  /** Resolves when nothing is on its way any more. */
  async settled(): Promise<void> {
    while (this.last.size > 0) await Promise.all(this.last.values());
  }

  private async storeOnce(store: () => Promise<void>): Promise<void> {
    const { log, signal } = this.means;
    while (!signal.aborted) {
      try {
        await store();
        if (this.isAway) log.info({}, 'what was heard meanwhile is being stored');
        this.isAway = false;
        return;
      } catch (error) {
        if (!this.isAway)
          log.warn({ error }, 'what was heard cannot be stored now; it is kept and tried again');
        this.isAway = true;
        await this.pause();
      }
    }
  }

  /** One for all that wait. */
  private pause(): Promise<void> {
    const { clock, signal } = this.means;
    this.pausing ??= clock
      .sleep(askAgainMs, signal)
      .catch(() => {}) // the process ends
      .finally(() => {
        this.pausing = undefined;
      });
    return this.pausing;
  }
}

/**
 * The turns of one message on budgets that it shares with others. Before a write `turn` waits until it may be made; the
 * write itself goes through `call`, which tells the budget what the platform answered.
 */
import { RateLimitedError } from '../domain/errors.ts';
import {
  type CallReply,
  type Importance,
  importances,
  type RateBudget,
  type RateHeaders,
  type Turn,
  type Want,
} from '../ports/rate-budget.ts';
import type { Clock, Logger } from '../ports/runtime.ts';

export interface PacedMessageMeans {
  /** Names it among all messages that share the budgets, in every process alike. */
  readonly message: string;
  /** Without a budget for its route a write needs no turn. */
  readonly budgets: Readonly<Partial<Record<Route, RateBudget>>>;
  readonly clock: Clock;
  readonly log: Logger;
}

export type Route = 'post' | 'edit';

/** What is to be written now; asked again whenever the turn is looked for. */
export interface Wanted {
  readonly importance: Importance;
  /** When the oldest content came that nobody can see yet, by this process's clock. */
  readonly unseenSince: number;
}

/** How long to do without a budget that cannot be reached. Unit: milliseconds. */
const askAgainMs = 1_000;

export class PacedMessage {
  private wake: () => void = () => {};
  private askedRank: number = importances.length;
  private granted: RateBudget | undefined;

  constructor(private readonly means: PacedMessageMeans) {}

  /**
   * Resolves when the write may be made: take the content then, not before. Rejects with the signal's reason. A budget
   * that cannot be reached is asked until it answers: who cannot reach it cannot reach the ledger either.
   */
  async turn(route: Route, want: () => Wanted, signal: AbortSignal): Promise<void> {
    const { message, budgets, clock } = this.means;
    const budget = budgets[route];
    this.granted = undefined;
    if (budget === undefined) return signal.throwIfAborted();
    try {
      for (;;) {
        signal.throwIfAborted();
        const { importance, unseenSince } = want();
        this.askedRank = importances.indexOf(importance);
        const unseenMs = Math.max(0, clock.now() - unseenSince);
        const asked = await this.ask(budget, { message, importance, unseenMs });
        if (asked.granted) break;
        // More may have become of it while the question was on its way.
        if (importances.indexOf(want().importance) < this.askedRank) continue;
        await this.sleep(asked.waitMs, signal);
      }
      this.granted = budget;
    } catch (error) {
      await this.tell(() => budget.leave(message));
      throw error;
    } finally {
      this.askedRank = importances.length;
    }
  }

  /** Content came that is as important as this: a turn that is waited for as something less is looked for anew. */
  hurry(importance: Importance): void {
    if (importances.indexOf(importance) < this.askedRank) this.wake();
  }

  /** Makes the write that `turn` was waited for. `headersOf` finds what the platform told about its limit. */
  async call<Result>(
    write: () => Promise<Result>,
    headersOf: (result: Result) => RateHeaders | undefined = () => undefined,
  ): Promise<Result> {
    const sentAt = this.means.clock.now();
    try {
      const result = await write();
      const headers = headersOf(result);
      await this.learn(sentAt, { outcome: 'written', ...(headers !== undefined && { headers }) });
      return result;
    } catch (error) {
      const isRefused = error instanceof RateLimitedError;
      await this.learn(
        sentAt,
        isRefused ? { outcome: 'refused', retryAfterMs: error.retryAfterMs } : { outcome: 'failed' },
      );
      throw error;
    }
  }

  private async ask(budget: RateBudget, want: Want): Promise<Turn> {
    try {
      return await budget.ask(want);
    } catch (error) {
      this.means.log.warn({ error, message: want.message }, 'a rate budget cannot be reached; asking again');
      return { granted: false, waitMs: askAgainMs };
    }
  }

  private async learn(sentAt: number, reply: Omit<CallReply, 'callMs'>): Promise<void> {
    const { granted, means } = this;
    this.granted = undefined;
    const callMs = means.clock.now() - sentAt;
    if (granted !== undefined) await this.tell(() => granted.learn(means.message, { callMs, ...reply }));
  }

  /** What a budget does not hear it forgets by itself after a while. */
  private async tell(it: () => Promise<void>): Promise<void> {
    try {
      await it();
    } catch (error) {
      this.means.log.warn({ error, message: this.means.message }, 'a rate budget could not be told');
    }
  }

  /** Ends early by `hurry`. */
  private sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        cancel();
        signal.removeEventListener('abort', abort);
        this.wake = () => {};
      };
      const end = () => {
        stop();
        resolve();
      };
      const abort = () => {
        stop();
        reject(signal.reason);
      };
      const cancel = this.means.clock.after(ms, end);
      this.wake = end;
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
    });
  }
}

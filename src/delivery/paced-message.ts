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
  type Turn,
  type Want,
} from '../ports/rate-budget.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import type { Route, Written } from '../ports/surface.ts';

export interface PacedMessageMeans {
  /** Names it among all messages that share the budgets, in every process alike. */
  readonly message: string;
  /** The same object as long as it is the same budget; asked again before each turn. */
  readonly budgetOf: (route: Route) => RateBudget;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What is to be written now; asked again whenever the turn is looked for. */
export interface Wanted {
  readonly route: Route;
  readonly importance: Importance;
  /** When the oldest content came that nobody can see yet, by this process's clock. */
  readonly unseenSince: number;
}

/** What was heard of a turn that was not granted. */
export interface Waiting {
  readonly route: Route;
  /** Until it is looked for again. Unit: milliseconds. */
  readonly waitMs: number;
}

/** How long to do without a budget that cannot be reached. Unit: milliseconds. */
const askAgainMs = 1_000;

export class PacedMessage {
  private wake: () => void = () => {};
  private askedRank: number = importances.length;
  private granted: RateBudget | undefined;
  /** Those that count it among the messages that share them. */
  private readonly shared = new Set<RateBudget>();

  constructor(private readonly means: PacedMessageMeans) {}

  /**
   * Resolves with the route on which the write may be made now: take the content then, not before. Undefined when nothing
   * is wanted any more. `want` hears for what it has to wait, and may choose another route. Rejects with the signal's
   * reason. A budget that cannot be reached is asked until it answers: who cannot reach it cannot reach the ledger either.
   */
  async turn(
    want: (waiting?: Waiting) => Wanted | undefined,
    signal: AbortSignal,
  ): Promise<Route | undefined> {
    let asked: RateBudget | undefined;
    let waiting: Waiting | undefined;
    try {
      for (;;) {
        signal.throwIfAborted();
        const wanted = want(waiting);
        const budget = wanted && this.means.budgetOf(wanted.route);
        if (budget !== asked) await this.leave(asked);
        if (wanted === undefined || budget === undefined) return undefined;
        asked = budget;
        const turn = await this.ask(budget, wanted);
        if (turn.granted) {
          this.granted = budget;
          return wanted.route;
        }
        waiting = { route: wanted.route, waitMs: turn.waitMs };
        // More may have become of it while the question was on its way.
        const now = want(waiting);
        const isSame = now?.route === wanted.route && importances.indexOf(now.importance) >= this.askedRank;
        if (isSame) await this.sleep(turn.waitMs, signal);
      }
    } catch (error) {
      await this.leave(asked);
      throw error;
    } finally {
      this.askedRank = importances.length;
    }
  }

  /** Content came that is as important as this: a turn that is waited for as something less is looked for anew. */
  hurry(importance: Importance): void {
    if (importances.indexOf(importance) < this.askedRank) this.wake();
  }

  /** Makes the write that `turn` was waited for. `isLast`: then the message shares no budget until it wants a turn again. */
  async call<Result extends Written>(write: () => Promise<Result>, isLast = false): Promise<Result> {
    const sentAt = this.means.clock.now();
    try {
      const result = await write();
      const { rate } = result;
      await this.learn(sentAt, {
        outcome: 'written',
        ...(rate !== undefined && { headers: rate }),
        ...(isLast && { isLast }),
      });
      if (isLast) for (const budget of this.shared) await this.leave(budget);
      return result;
    } catch (error) {
      if (!(error instanceof RateLimitedError)) await this.learn(sentAt, { outcome: 'failed' });
      else {
        const { retryAfterMs } = error;
        await this.learn(sentAt, {
          outcome: 'refused',
          ...(retryAfterMs !== undefined && { retryAfterMs }),
        });
      }
      throw error;
    }
  }

  /** The write that `turn` was waited for is not made. */
  async pass(): Promise<void> {
    await this.learn(this.means.clock.now(), { outcome: 'failed' });
  }

  private async ask(budget: RateBudget, { importance, unseenSince }: Wanted): Promise<Turn> {
    const { message, clock, log } = this.means;
    this.askedRank = importances.indexOf(importance);
    this.shared.add(budget);
    const want: Want = { message, importance, unseenMs: Math.max(0, clock.now() - unseenSince) };
    try {
      return await budget.ask(want);
    } catch (error) {
      log.warn({ error, message }, 'a rate budget cannot be reached; asking again');
      return { granted: false, waitMs: askAgainMs };
    }
  }

  private async leave(budget: RateBudget | undefined): Promise<void> {
    if (budget === undefined) return;
    this.shared.delete(budget);
    await this.tell(() => budget.leave(this.means.message));
  }

  private async learn(sentAt: number, reply: Omit<CallReply, 'callMs'>): Promise<void> {
    const { granted, means } = this;
    this.granted = undefined;
    const callMs = means.clock.now() - sentAt;
    if (granted === undefined) return;
    if (reply.isLast) this.shared.delete(granted);
    await this.tell(() => granted.learn(means.message, { callMs, ...reply }));
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

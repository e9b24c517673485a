/**
 * Messages that a gateway posts or takes away by itself, since somebody wrote or pressed something: on the budgets that
 * those of all turns in the channel share.
 */
import { RateLimitError } from 'discord.js';
import { PacedMessage } from '../../delivery/paced-message.ts';
import { RateLimitedError } from '../../domain/errors.ts';
import type { RateBudgets } from '../../ports/rate-budget.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import type { Written } from '../../ports/surface.ts';
import { channelBudgets } from './budgets.ts';
import { meaningOf } from './failures.ts';
import type { Call, Rest } from './rest.ts';

export interface PacedCallsMeans {
  readonly rest: Rest;
  readonly budgets: RateBudgets;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends the waiting for a turn. */
  readonly signal: AbortSignal;
}

interface Result extends Written {
  readonly body: unknown;
}

export class PacedCalls {
  constructor(private readonly means: PacedCallsMeans) {}

  /**
   * Makes the call when it is its turn, and again when Discord takes no more just now. `about` names the message among all
   * of the channel. Rejects as `Rest` does for anything else, and with the reason of `signal`.
   */
  async make(
    route: 'post' | 'remove',
    { channel, about }: { readonly channel: string; readonly about: string },
    call: Call,
    signal: AbortSignal = this.means.signal,
  ): Promise<unknown> {
    const { budgets, clock, log } = this.means;
    const budget = budgets.budget(channelBudgets(channel)[route]);
    const paced = new PacedMessage({ message: `${route}:${about}`, budgetOf: () => budget, clock, log });
    const unseenSince = clock.now();
    for (;;) {
      await paced.turn(() => ({ route, importance: 'click', unseenSince }), signal);
      try {
        return (await paced.call(() => this.once(call), true)).body;
      } catch (error) {
        if (!(error instanceof RateLimitedError)) throw error;
      }
    }
  }

  private async once(call: Call): Promise<Result> {
    try {
      const { body, rate } = await this.means.rest(call);
      return { body, ...(rate !== undefined && { rate }) };
    } catch (error) {
      throw error instanceof RateLimitError ? meaningOf(error) : error;
    }
  }
}

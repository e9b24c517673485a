/**
 * What a worker knows of Discord: it has no connection, so each call tells whether Discord is there and knows the token. A
 * refused token is no fault of a message: what was to be written waits, and is written by this process or the next one
 * when the token is right.
 */
import { DiscordAPIError, HTTPError, RateLimitError, Routes } from 'discord.js';
import type { Contact } from '../../ports/contact.ts';
import type { Clock } from '../../ports/runtime.ts';
import { isTokenRefused, TokenRefusedError } from './failures.ts';
import { DiscordAwayError, type DiscordRefusedError, refusedToken } from './fatal.ts';
import type { Call, Reply, Rest } from './rest.ts';

export interface WatchMeans {
  readonly rest: Rest;
  readonly contact: Contact;
  readonly clock: Clock;
}

/** While Discord is away it is asked this often. Unit: milliseconds. */
const lookEveryMs = 10_000;
/** A Discord that refuses the token counts how often it does. Unit: milliseconds. */
const refusedForMs = 60_000;

export class WatchedRest {
  private isThere = false;
  private refusedUntil = 0;

  constructor(private readonly means: WatchMeans) {}

  /** As `Rest`; rejects with `TokenRefusedError`, without a call, while the token is known to be refused. */
  async call(call: Call): Promise<Reply> {
    const { rest, contact, clock } = this.means;
    if (clock.now() < this.refusedUntil) throw new TokenRefusedError();
    try {
      const reply = await rest(call);
      this.isThere = true;
      contact.ok();
      return reply;
    } catch (error) {
      if (isTokenRefused(error)) {
        this.refusedUntil = clock.now() + refusedForMs;
        this.lose(refusedToken({ cause: error }));
        throw new TokenRefusedError({ cause: error });
      }
      const isAnswer =
        error instanceof DiscordAPIError || error instanceof RateLimitError || error instanceof HTTPError;
      if (!isAnswer && call.signal?.aborted !== true) this.lose(error);
      throw error;
    }
  }

  /** Asks who we are: why Discord cannot be used now, or undefined. */
  async problem(): Promise<DiscordRefusedError | DiscordAwayError | undefined> {
    try {
      await this.call({ method: 'GET', route: Routes.user() });
      return undefined;
    } catch (error) {
      const options = { cause: error };
      if (error instanceof TokenRefusedError) return refusedToken(options);
      const why = error instanceof Error ? error.message : String(error);
      return new DiscordAwayError(`Discord cannot be reached: ${why.replace(/\.$/, '')}.`, options);
    }
  }

  /** While Discord is away somebody has to ask, also when nothing is to be said. Resolves when the signal is aborted. */
  async keepLooking(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.means.clock.sleep(lookEveryMs, signal).catch(() => {}); // it is over
      if (!this.isThere && !signal.aborted) await this.problem();
    }
  }

  private lose(why: unknown): void {
    this.isThere = false;
    this.means.contact.away(why);
  }
}

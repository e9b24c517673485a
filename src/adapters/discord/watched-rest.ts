/** What a worker knows of Discord from its calls. */
import { DiscordAPIError, HTTPError, RateLimitError, Routes } from 'discord.js';
import { TokenRefusedError, WatchedCalls, type Watching } from '../../gateway/watched-calls.ts';
import { isTokenRefused } from './failures.ts';
import { DiscordAwayError, type DiscordRefusedError, refusedToken } from './fatal.ts';
import type { Call, Reply, Rest } from './rest.ts';

export interface WatchMeans extends Pick<Watching, 'contact' | 'clock'> {
  readonly rest: Rest;
}

export class WatchedRest {
  private readonly calls: WatchedCalls;

  constructor(private readonly means: WatchMeans) {
    const refusalOf = (cause: unknown) => refusedToken({ cause });
    this.calls = new WatchedCalls({ ...means, isTokenRefused, isAnswer, refusalOf });
  }

  /** As `Rest`; rejects with `TokenRefusedError`, without a call, while the token is known to be refused. */
  call(call: Call): Promise<Reply> {
    return this.calls.make(() => this.means.rest(call), call.signal);
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

  /** Resolves when the signal is aborted. */
  keepLooking(signal: AbortSignal): Promise<void> {
    return this.calls.keepLooking(() => this.problem(), signal);
  }
}

function isAnswer(error: unknown): boolean {
  return error instanceof DiscordAPIError || error instanceof RateLimitError || error instanceof HTTPError;
}

/**
 * What a worker knows of Slack: it has no connection, so each call tells whether Slack is there and knows the token. A
 * refused token is no fault of a message: what was to be written waits, and is written by this process or the next one when
 * the token is right.
 */
import { WebAPIHTTPError, WebAPIPlatformError } from '@slack/web-api';
import { RateLimitedError } from '../../domain/errors.ts';
import type { Contact } from '../../ports/contact.ts';
import type { Clock } from '../../ports/runtime.ts';
import { codeOf, isTokenRefused, meaningOf, TokenRefusedError } from './failures.ts';
import { refusalOf, SlackAwayError, type SlackRefusedError } from './fatal.ts';
import type { Arguments, Reply, Web } from './web.ts';

export interface WatchMeans {
  readonly web: Web;
  readonly contact: Contact;
  readonly clock: Clock;
}

/** While Slack is away it is asked this often. Unit: milliseconds. */
const lookEveryMs = 10_000;
/** Unit: milliseconds. */
const refusedForMs = 60_000;

export class WatchedWeb {
  private isThere = false;
  private refusedUntil = 0;

  constructor(private readonly means: WatchMeans) {}

  /** As `Web`; rejects with `TokenRefusedError`, without a call, while the token is known to be refused. */
  async call(method: string, args: Arguments, signal?: AbortSignal): Promise<Reply> {
    const { web, contact, clock } = this.means;
    if (clock.now() < this.refusedUntil) throw new TokenRefusedError();
    try {
      const reply = await web(method, args, signal);
      this.isThere = true;
      contact.ok();
      return reply;
    } catch (error) {
      if (isTokenRefused(error)) {
        this.refusedUntil = clock.now() + refusedForMs;
        this.lose(refusalOf('SLACK_BOT_TOKEN', error));
        throw new TokenRefusedError({ cause: error });
      }
      if (!isAnswer(error) && signal?.aborted !== true) this.lose(error);
      throw error;
    }
  }

  /** Asks who we are: why Slack cannot be used now, or undefined. */
  async problem(): Promise<SlackRefusedError | SlackAwayError | undefined> {
    try {
      await this.call('auth.test', {});
      return undefined;
    } catch (error) {
      return refusalOf('SLACK_BOT_TOKEN', error instanceof TokenRefusedError ? error.cause : error);
    }
  }

  /** While Slack is away somebody has to ask, also when nothing is to be said. Resolves when the signal is aborted. */
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

/** Slack was reached, whatever it said. */
function isAnswer(error: unknown): boolean {
  return (
    meaningOf(error) instanceof RateLimitedError ||
    error instanceof WebAPIHTTPError ||
    (error instanceof WebAPIPlatformError && codeOf(error) !== undefined)
  );
}

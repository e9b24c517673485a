/** What a worker knows of Slack from its calls. */
import { WebAPIHTTPError, WebAPIPlatformError } from '@slack/web-api';
import { RateLimitedError } from '../../domain/errors.ts';
import { TokenRefusedError, WatchedCalls, type Watching } from '../../gateway/watched-calls.ts';
import { codeOf, isTokenRefused, meaningOf } from './failures.ts';
import { refusalOf, type SlackAwayError, type SlackRefusedError } from './fatal.ts';
import type { Arguments, Reply, Web } from './web.ts';

export interface WatchMeans extends Pick<Watching, 'contact' | 'clock'> {
  readonly web: Web;
}

export class WatchedWeb {
  private readonly calls: WatchedCalls;

  constructor(private readonly means: WatchMeans) {
    this.calls = new WatchedCalls({ ...means, isTokenRefused, isAnswer, refusalOf: refusalOfToken });
  }

  /** As `Web`; rejects with `TokenRefusedError`, without a call, while the token is known to be refused. */
  call(method: string, args: Arguments, signal?: AbortSignal): Promise<Reply> {
    return this.calls.make(() => this.means.web(method, args, signal), signal);
  }

  /** Asks who we are: why Slack cannot be used now, or undefined. */
  async problem(): Promise<SlackRefusedError | SlackAwayError | undefined> {
    try {
      await this.call('auth.test', {});
      return undefined;
    } catch (error) {
      return refusalOfToken(error instanceof TokenRefusedError ? error.cause : error);
    }
  }

  /** Resolves when the signal is aborted. */
  keepLooking(signal: AbortSignal): Promise<void> {
    return this.calls.keepLooking(() => this.problem(), signal);
  }
}

function refusalOfToken(error: unknown): SlackRefusedError | SlackAwayError {
  return refusalOf('SLACK_BOT_TOKEN', error);
}

function isAnswer(error: unknown): boolean {
  return (
    meaningOf(error) instanceof RateLimitedError ||
    error instanceof WebAPIHTTPError ||
    (error instanceof WebAPIPlatformError && codeOf(error) !== undefined)
  );
}

/** Calls to Slack's Web API: each is made once, and never waits. What comes of a failure is delivery's to decide. */
import { type FetchFunction, type Logger, LogLevel, WebClient } from '@slack/web-api';
import { TooManyCallsError } from './failures.ts';

export interface WebOptions {
  readonly token: string;
  /** Such as `https://slack.com/api/`. */
  readonly apiUrl: string;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** What Slack answered, `ok` being true; `response_metadata.scopes` are those of the token. */
export type Reply = Readonly<Record<string, unknown>>;

/** Rejects as the library does, or with `TooManyCallsError`: `meaningOf` says what it means for a message. */
export type Web = (method: string, args: Arguments, signal?: AbortSignal) => Promise<Reply>;

/** The API as the bot of one workspace. Rejects with `SurfaceGoneError` when it is not installed there. */
export type WebFor = (team: string) => Promise<Web>;

/** An answer that takes longer counts as none. Unit: milliseconds. */
const timeoutMs = 15_000;

/** The caller is told of everything; the library need not tell the console, too. */
const silent: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

/** `send` goes to the network if it is not given. */
export function slackWeb({ token, apiUrl }: WebOptions, send: FetchFunction = fetch): Web {
  return async (method, args, signal) => {
    signal?.throwIfAborted();
    // A client of its own for each call: one that was told to wait would let all others wait.
    const client = new WebClient(token, {
      slackApiUrl: apiUrl,
      timeout: timeoutMs,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      logger: silent,
      async fetch(url, init = {}) {
        const signals = [init.signal, signal].filter((each) => each !== undefined);
        const response = await send(url, { ...init, signal: AbortSignal.any(signals) });
        // The library tells a refusal without a wait as an error like any other.
        if (response.status === 429 && !isWait(response.headers.get('retry-after')))
          throw new TooManyCallsError();
        return response;
      },
    });
    try {
      return { ...(await client.apiCall(method, { ...args })) };
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  };
}

/** One workspace, one token. */
export function oneWorkspace(web: Web): WebFor {
  return async () => web;
}

function isWait(retryAfter: string | null): boolean {
  return retryAfter !== null && Number.parseInt(retryAfter, 10) > 0;
}

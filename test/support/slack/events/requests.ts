/** Events and interactions over HTTP: signed, within three seconds, as a load balancer brings them to one of the gateways. */
import { createHmac } from 'node:crypto';
import type { Slack } from '../slack.ts';
import { ackWithinMs, type Delivery, type FailReason, type Outcome } from './courier.ts';

/** What is wrong with a request that a forger sends. */
export type Forgery = 'none' | 'signature' | 'secret' | 'old' | 'future' | 'unsigned' | 'body';

const fiveMinutes = 5 * 60;

export class Requests {
  private urls: readonly string[] = [];
  private turns = 0;

  constructor(private readonly slack: Slack) {}

  /** Whether the app takes its events here; otherwise they come over sockets. */
  get isOn(): boolean {
    return this.urls.length > 0;
  }

  /** The request URLs of the gateways behind the balancer; none: Socket Mode. */
  receiveAt(urls: readonly string[]): void {
    this.urls = urls;
  }

  async send(delivery: Delivery, attempt: number, why?: FailReason): Promise<Outcome> {
    const { slack } = this;
    const isEvent = delivery.kind === 'events_api';
    const body =
      delivery.kind === 'events_api'
        ? JSON.stringify(delivery.payload)
        : new URLSearchParams(
            delivery.kind === 'interactive'
              ? { payload: JSON.stringify(delivery.payload) }
              : Object.entries(delivery.payload).map(([name, value]): [string, string] => [
                  name,
                  String(value),
                ]),
          ).toString();
    const headers = {
      ...this.signed(body, 'none'),
      'content-type': isEvent ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(attempt > 0 && {
        'x-slack-retry-num': String(attempt),
        'x-slack-retry-reason': why === 'timeout' ? 'http_timeout' : (why ?? 'unknown_error'),
      }),
    };
    const sentAt = slack.world.now();
    const result = await this.post(body, headers);
    if (result === 'timeout' || result === 'connection_failed')
      return { isTaken: false, why: result, mayRepeat: true };
    const { status, noRetry, answer } = result;
    if (status < 200 || status > 299) return { isTaken: false, why: 'http_error', mayRepeat: !noRetry };
    return { isTaken: true, afterMs: slack.world.now() - sentAt, answer };
  }

  /** Sends something that did not come from Slack, and returns the status. */
  async forge(body: string, forgery: Forgery): Promise<number> {
    const headers = { ...this.signed(body, forgery), 'content-type': 'application/json' };
    const sent = forgery === 'body' ? `${body} ` : body;
    const result = await this.post(sent, headers);
    return typeof result === 'string' ? 0 : result.status;
  }

  /** The handshake when a request URL is entered. */
  async verify(): Promise<boolean> {
    const challenge = `c${this.slack.world.newId('X')}`;
    const body = JSON.stringify({ type: 'url_verification', challenge, token: 'deprecated' });
    const result = await this.post(body, {
      ...this.signed(body, 'none'),
      'content-type': 'application/json',
    });
    if (typeof result === 'string') return false;
    const said = result.answer as { challenge?: string } | string | undefined;
    return result.status === 200 && (typeof said === 'string' ? said : said?.challenge) === challenge;
  }

  /** No event, and nothing that comes again. */
  async tellRateLimited(teamId: string): Promise<number> {
    const { world } = this.slack;
    const body = JSON.stringify({
      type: 'app_rate_limited',
      token: 'deprecated',
      team_id: teamId,
      minute_rate_limited: Math.floor(world.now() / 60_000) * 60,
      api_app_id: world.appId,
    });
    const result = await this.post(body, {
      ...this.signed(body, 'none'),
      'content-type': 'application/json',
    });
    return typeof result === 'string' ? 0 : result.status;
  }

  private signed(body: string, forgery: Forgery): Readonly<Record<string, string>> {
    if (forgery === 'unsigned') return {};
    const skew = forgery === 'old' ? -fiveMinutes - 10 : forgery === 'future' ? fiveMinutes + 10 : 0;
    // By the machine's clock, which is the app's.
    const at = Math.floor(Date.now() / 1_000) + skew;
    const secret = forgery === 'secret' ? 'another secret' : this.slack.world.signingSecret;
    const hmac = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
    return {
      'x-slack-request-timestamp': String(at),
      'x-slack-signature': `v0=${forgery === 'signature' ? hmac.replace(/./g, 'a') : hmac}`,
    };
  }

  /** To the next gateway that can be reached. */
  private async post(
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<
    | { readonly status: number; readonly noRetry: boolean; readonly answer: unknown }
    | 'timeout'
    | 'connection_failed'
  > {
    this.turns += 1;
    const start = this.turns % this.urls.length;
    for (const url of [...this.urls.slice(start), ...this.urls.slice(0, start)]) {
      const aborted = new AbortController();
      const cancel = this.slack.runtime.later(ackWithinMs, () => aborted.abort());
      try {
        const answer = await fetch(url, { method: 'POST', headers, body, signal: aborted.signal });
        const text = await answer.text();
        return {
          status: answer.status,
          noRetry: answer.headers.get('x-slack-no-retry') === '1',
          answer: parsed(text),
        };
      } catch (error) {
        if (aborted.signal.aborted) return 'timeout';
        // Nobody listens there: the next one. A connection that broke had its chance.
        const code = (error as { cause?: { code?: string } }).cause?.code;
        if (code !== 'ECONNREFUSED') return 'connection_failed';
      } finally {
        cancel();
      }
    }
    return 'connection_failed';
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? undefined : text;
  }
}

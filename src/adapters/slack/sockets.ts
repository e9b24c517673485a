/**
 * Socket Mode that never ends by itself: each of some sockets is made anew when it ends, whatever it ended with. Slack sends
 * a thing over one of them, and has each replaced every few hours.
 */
import { SocketModeReceiver } from '@slack/bolt';
import { WebAPIRateLimitedError } from '@slack/web-api';
import type { Contact } from '../../ports/contact.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { boltLog } from './bolt-log.ts';
import { refusalOf, SlackAwayError, SlackRefusedError } from './fatal.ts';
import { passOn, type Receive } from './ingress.ts';

export interface SocketsOptions {
  readonly appToken: string;
  /** Such as `https://slack.com/api/`. */
  readonly apiUrl: string;
  readonly receive: Receive;
  /** There was no socket for a while: what was sent then may never come. Called when there is one again. */
  readonly onGap: () => void;
  readonly contact: Contact;
  readonly clock: Clock;
  readonly log: Logger;
  /** One sentence for the operator, who can do something about it. */
  readonly tell: (sentence: string) => void;
  /** For tests: how long Slack may owe the answer to a ping. Unit: milliseconds. */
  readonly pingLimitMs?: number;
}

/** One is there while the other is replaced. */
const socketCount = 2;
/** From the first call to Slack's hello. Unit: milliseconds. */
const helloLimitMs = 15_000;
const callLimitMs = 10_000;
const firstWaitMs = 1_000;
const longestWaitMs = 15_000;
/** A socket that lived so long was a good one: the next is made at once. Unit: milliseconds. */
const goodLifeMs = 10_000;

export class Sockets {
  private readonly leaving = new AbortController();
  private readonly keepers: Promise<void>[] = [];
  private open = 0;
  private wasOpen = false;
  private hasGap = false;
  private hasTold = false;

  constructor(private readonly options: SocketsOptions) {}

  /** Resolves when the first socket is there, or when Slack is away and trying goes on. Rejects with `SlackRefusedError`. */
  async start(): Promise<void> {
    const outcomes = Array.from({ length: socketCount }, () => {
      let first: (problem: SlackRefusedError | undefined) => void = () => {};
      const told = new Promise<SlackRefusedError | undefined>((resolve) => (first = resolve));
      this.keepers.push(this.keep(first));
      return told;
    });
    const problem = await Promise.race(outcomes);
    if (problem === undefined) return;
    await this.close();
    throw problem;
  }

  /** Nothing is received any more. */
  async close(): Promise<void> {
    this.leaving.abort();
    await Promise.all(this.keepers);
  }

  private async keep(first: (problem: SlackRefusedError | undefined) => void): Promise<void> {
    const { clock, contact, log } = this.options;
    const { signal } = this.leaving;
    for (let waitMs = firstWaitMs; !signal.aborted; ) {
      const from = clock.now();
      const end = await this.live(() => first(undefined));
      if (signal.aborted) return;
      const hasLived = end.hadHello && (end.isAsked || clock.now() - from >= goodLifeMs);
      if (hasLived) waitMs = firstWaitMs;
      log.info(
        { error: end.why, lastedMs: clock.now() - from },
        'a socket to Slack ended; another one is made',
      );
      if (this.open === 0) contact.away(end.why);
      if (!end.hadHello) {
        const why = refusalOf('SLACK_APP_TOKEN', end.why);
        this.tellOnce(why);
        first(why instanceof SlackRefusedError ? why : undefined);
      }
      if (end.hadHello && end.isAsked) continue;
      const askedMs = end.why instanceof WebAPIRateLimitedError ? end.why.retryAfter * 1_000 : 0;
      await clock.sleep(hasLived ? 0 : Math.max(waitMs, askedMs), signal).catch(() => {}); // the process ends
      if (!hasLived) waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
  }

  /** One socket, until it has ended. `isAsked`: Slack wants another one. */
  private async live(
    onHello: () => void,
  ): Promise<{ readonly hadHello: boolean; readonly isAsked: boolean; readonly why: unknown }> {
    const { receive, clock, log } = this.options;
    const { signal } = this.leaving;
    const receiver = this.receiver();
    passOn(receiver, receive, log);
    let hadHello = false;
    let isAsked = false;
    let isOver = false;
    let end: (why: unknown) => void = () => {};
    const ended = new Promise<unknown>((resolve) => (end = resolve));
    const onAbort = () => end(signal.reason);
    signal.addEventListener('abort', onAbort);
    const [understand] = receiver.client.listeners('ws_message');
    receiver.client.removeAllListeners('ws_message');
    receiver.client.on('ws_message', (data: unknown, isBinary: unknown) => {
      const said = fieldsIn(data);
      // The library would fail where nobody catches it.
      if (said['type'] === 'events_api' && !isEvent(said['payload']))
        return log.warn({ payload: said['payload'] }, 'Slack sent something that is no event');
      understand?.(data, isBinary);
      if (said['type'] !== 'disconnect') return;
      const reason = String(said['reason']);
      isAsked = reason !== 'link_disabled';
      end(new Error(`Slack asked for another socket (${reason})`));
      if (!isAsked)
        this.options.tell(
          'Slack: Socket Mode was turned off for the app. Turn it on again on the page "Socket Mode" of the app (https://api.slack.com/apps).',
        );
    });
    receiver.client.on('disconnected', () => end(new Error('the socket was closed')));
    const cancel = clock.after(helloLimitMs, () => end(new Error('Slack did not say hello')));
    receiver
      .start()
      .then(() => {
        if (isOver) return receiver.stop();
        cancel();
        hadHello = true;
        this.opened();
        onHello();
      })
      .catch(end);
    const why = await ended;
    isOver = true;
    cancel();
    signal.removeEventListener('abort', onAbort);
    if (hadHello) this.closed();
    // What is on its way over it may still be acknowledged until the other end has closed it.
    await receiver.stop().catch((error: unknown) => log.debug({ error }, 'a socket could not be closed'));
    return { hadHello, isAsked, why };
  }

  /** It connects once. Its options are its own: those that the library changes are not shared with anybody. */
  private receiver(): SocketModeReceiver {
    const { appToken, apiUrl, log, pingLimitMs } = this.options;
    return new SocketModeReceiver({
      appToken,
      autoReconnectEnabled: false,
      logger: boltLog(log),
      ...(pingLimitMs !== undefined && { clientPingTimeout: pingLimitMs }),
      installerOptions: {
        clientOptions: {
          slackApiUrl: apiUrl,
          timeout: callLimitMs,
          retryConfig: { retries: 0 },
          rejectRateLimitedCalls: true,
        },
      },
    });
  }

  private opened(): void {
    this.open += 1;
    this.hasTold = false;
    if (!this.wasOpen) this.options.tell('Slack: connected');
    this.options.contact.ok();
    if (this.hasGap) this.options.onGap();
    this.hasGap = false;
    this.wasOpen = true;
  }

  private closed(): void {
    this.open -= 1;
    if (this.open === 0 && this.wasOpen) this.hasGap = true;
  }

  private tellOnce({ message, hint }: SlackRefusedError | SlackAwayError): void {
    if (this.hasTold || this.open > 0) return;
    this.hasTold = true;
    this.options.tell(`${message} ${hint}`);
  }
}

function fieldsIn(data: unknown): Readonly<Record<string, unknown>> {
  try {
    const said: unknown = typeof data === 'string' ? JSON.parse(data) : undefined;
    return typeof said === 'object' && said !== null ? { ...said } : {};
  } catch {
    return {}; // nothing that Slack would say
  }
}

function isEvent(payload: unknown): boolean {
  if (typeof payload !== 'object' || payload === null || !('event' in payload)) return false;
  const { event } = payload;
  return typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string';
}

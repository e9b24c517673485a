/** What the tests of the fake work with: the real clients of Slack, bare requests, and bare sockets. */
import { App, type AppOptions, HTTPReceiver, SocketModeReceiver } from '@slack/bolt';
import { WebAPIPlatformError, WebClient } from '@slack/web-api';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { type BlockRule, type ErrorRule, rules } from './rules.ts';
import type { FakeSlack } from './server.ts';

export const silent = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => 'error' as never,
  setName() {},
};

/** A client that neither retries nor waits. */
export const webOf = (slack: FakeSlack, token = slack.token): WebClient =>
  new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 5_000,
    logger: silent,
  });

/** The call is refused by exactly this row, as the real client reads it and as the fake remembers it. */
export async function expectRefused(
  slack: FakeSlack,
  call: Promise<unknown>,
  rule: ErrorRule | BlockRule,
): Promise<void> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof WebAPIPlatformError)) throw new Error(`not refused by ${rule}: ${String(error)}`);
  expect((await slack.refused()).at(-1)?.rule).toBe(rule);
  const row = rules[rule];
  if (row.kind === 'error') expect(error.data.error).toBe(row.says);
  else {
    expect(['invalid_blocks', 'invalid_arguments']).toContain(error.data.error);
    expect(JSON.stringify(error.data)).toContain(row.says);
  }
}

export interface Online {
  readonly app: App;
  /** `type text` of all events that arrived, in order. */
  readonly heard: string[];
  leave(): Promise<void>;
}

const kept = (app: App, heard: string[]) => {
  app.use(async ({ payload, next }) => {
    const { type = '', text = '' } = payload as { type?: string; text?: string };
    heard.push(`${type} ${text}`);
    await next();
  });
  app.error(async () => {}); // told by what is missing
};

/** An app in Socket Mode that reconnects fast. */
export async function online(slack: FakeSlack, options: Partial<AppOptions> = {}): Promise<Online> {
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    clientPingTimeout: 300,
    logger: silent,
    installerOptions: { clientOptions: { slackApiUrl: slack.apiUrl } },
  });
  const app = new App({
    token: slack.token,
    receiver,
    logger: silent,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
    deferInitialization: true,
    ...options,
  });
  await app.init();
  const heard: string[] = [];
  kept(app, heard);
  await app.start();
  return { app, heard, leave: () => app.stop() as Promise<void> };
}

/** An app that takes its events over HTTP; the fake is told where. */
export async function listening(slack: FakeSlack): Promise<Online & { readonly url: string }> {
  const receiver = new HTTPReceiver({ signingSecret: slack.signingSecret, logger: silent });
  const app = new App({
    token: slack.token,
    receiver,
    logger: silent,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
    deferInitialization: true,
  });
  await app.init();
  const heard: string[] = [];
  kept(app, heard);
  const server = (await app.start(0)) as import('node:http').Server;
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}/slack/events`;
  await slack.receiveAt([url]);
  return {
    app,
    heard,
    url,
    async leave() {
      await slack.receiveAt([]);
      await app.stop();
    },
  };
}

/** A bare socket: sends frames, keeps what came. */
export interface Line {
  send(frame: unknown): void;
  /** The next frame of this type. */
  next(type: string): Promise<Readonly<Record<string, unknown>>>;
  /** Acknowledges an envelope. */
  ack(envelope: Readonly<Record<string, unknown>>, payload?: unknown): void;
  readonly frames: readonly Readonly<Record<string, unknown>>[];
  readonly closed: Promise<number>;
  close(): Promise<number>;
}

export async function dial(slack: FakeSlack): Promise<Line> {
  const { url } = await webOf(slack, slack.appToken).apps.connections.open();
  return dialUrl(url ?? '');
}

/** Rejects when the socket does not open. */
export async function dialUrl(url: string): Promise<Line> {
  const socket = new WebSocket(url);
  const frames: Readonly<Record<string, unknown>>[] = [];
  let read = 0;
  let look = () => {};
  socket.on('message', (text: Buffer) => {
    frames.push(JSON.parse(text.toString()) as Readonly<Record<string, unknown>>);
    look();
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const send = (frame: unknown) => socket.send(JSON.stringify(frame));
  return {
    send,
    frames,
    closed,
    next: (type) =>
      new Promise((resolve) => {
        look = () => {
          for (; read < frames.length; read += 1) {
            const frame = frames[read];
            if (frame?.['type'] !== type) continue;
            read += 1;
            look = () => {};
            resolve(frame);
            return;
          }
        };
        look();
      }),
    ack: (envelope, payload) =>
      send({ envelope_id: envelope['envelope_id'], ...(payload !== undefined && { payload }) }),
    close: () => {
      socket.close();
      return closed;
    },
  };
}

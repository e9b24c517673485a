/** What the tests of the fake work with: the real REST client of discord.js, bare requests, and bare sockets. */
import { once } from 'node:events';
import {
  Client,
  type ClientOptions,
  DiscordAPIError,
  Events,
  GatewayIntentBits,
  Partials,
  REST,
} from 'discord.js';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { type ErrorRule, type FormRule, rules } from './rules.ts';
import type { FakeDiscord } from './server.ts';

/** A client that neither retries nor waits. */
export function restOf(discord: FakeDiscord, token = discord.token): REST {
  return new REST({
    api: discord.apiUrl,
    retries: 0,
    timeout: 5_000,
    rejectOnRateLimit: () => true,
    globalRequestsPerSecond: 1_000_000,
  }).setToken(token);
}

/** The call is refused by exactly this row, as the real client reads it and as the fake remembers it. */
export async function expectRefused(
  discord: FakeDiscord,
  call: Promise<unknown>,
  rule: ErrorRule | FormRule,
): Promise<void> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const row = rules[rule];
  if (!(error instanceof DiscordAPIError)) throw new Error(`not refused by ${rule}: ${String(error)}`);
  expect((await discord.refused()).at(-1)?.rule).toBe(rule);
  expect({ status: error.status, code: error.code }).toEqual(
    row.kind === 'error' ? { status: row.status, code: row.code } : { status: 400, code: 50_035 },
  );
  if (row.kind === 'form') expect(JSON.stringify(error.rawError)).toContain(`"code":"${row.inner}"`);
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A request without any client; headers may be left out or replaced. */
export async function raw(
  discord: FakeDiscord,
  line: string,
  {
    body,
    headers = {},
  }: { readonly body?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<RawAnswer> {
  const [method = '', route = ''] = line.split(' ');
  const answer = await fetch(`${discord.apiUrl}/v10${route}`, {
    method,
    headers: {
      authorization: `Bot ${discord.token}`,
      'user-agent': 'DiscordBot (https://example.org, 1.0)',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
}

/** A bare gateway connection: sends frames, keeps what came. */
export interface Line {
  send(frame: unknown): void;
  /** The next frame with this opcode, or event of this name. */
  next(
    what: number | string,
  ): Promise<{ readonly op: number; readonly t?: string; readonly s?: number; readonly d: unknown }>;
  readonly closed: Promise<number>;
  close(code?: number): void;
}

export async function dial(discord: FakeDiscord, query = 'v=10&encoding=json'): Promise<Line> {
  const { url } = (await raw(discord, 'GET /gateway/bot')).body as { url: string };
  const socket = new WebSocket(`${url}?${query}`);
  type Frame = { op: number; t?: string; s?: number; d: unknown };
  const frames: Frame[] = [];
  let look = () => {};
  socket.on('message', (text: Buffer) => {
    frames.push(JSON.parse(text.toString()) as Frame);
    look();
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    send: (frame) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    next: (what) =>
      new Promise((resolve) => {
        look = () => {
          const position = frames.findIndex(({ op, t }) => op === what || t === what);
          if (position >= 0) resolve(frames.splice(0, position + 1).at(-1) as Frame);
        };
        look();
      }),
    closed,
    close: (code) => socket.close(code),
  };
}

export const identify = (discord: FakeDiscord, more: Readonly<Record<string, unknown>> = {}) => ({
  op: 2,
  d: { token: discord.token, intents: 37_377, properties: {}, shard: [0, 1], ...more },
});

export const intents = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.MessageContent,
];

/** A client of discord.js that knows the fake, is impatient, and may identify as often as it likes. */
export const clientOf = (discord: FakeDiscord, options: Partial<ClientOptions> = {}): Client =>
  new Client({
    intents,
    partials: [Partials.Channel, Partials.Message, Partials.Reaction],
    waitGuildTimeout: 200,
    ...options,
    rest: { api: discord.apiUrl, globalRequestsPerSecond: 1_000_000, ...options.rest },
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }) },
  });

export interface Online {
  readonly client: Client;
  /** Contents of all messages that arrived, in order. */
  readonly heard: string[];
  leave(): Promise<void>;
}

/** Logs in and waits until the servers have arrived. */
export async function online(discord: FakeDiscord, options: Partial<ClientOptions> = {}): Promise<Online> {
  const client = clientOf(discord, options);
  const heard: string[] = [];
  client.on(Events.MessageCreate, ({ content }) => heard.push(content));
  client.on(Events.Error, () => {}); // told by what is missing
  const ready = once(client, Events.ClientReady);
  await client.login(discord.token);
  await ready;
  return {
    client,
    heard,
    async leave() {
      await client.destroy();
    },
  };
}

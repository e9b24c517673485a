// Rate limits in both shapes, and accidents on demand: what the real REST client of discord.js makes of them.
import { DiscordAPIError, REST } from 'discord.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { manualClock } from '../../clock.ts';
import { inProcessDiscord } from '../in-process.ts';
import { raw, restOf } from '../lab.ts';
import { type FakeDiscord, startDiscord } from '../server.ts';

let discord: FakeDiscord;
let channel = '';
let count = 0;

beforeAll(async () => {
  discord = await startDiscord();
});
afterAll(() => discord.close());
beforeEach(async () => {
  channel = await discord.addChannel(`room-${(count += 1)}`);
  await discord.clearFaults();
  await discord.forgetJournal();
  await discord.rates({ shape: 'off', limits: {} });
});

const url = () => `/channels/${channel}/messages` as const;
const texts = async () => (await discord.messages(channel)).map(({ content }) => content);
const statuses = async () => (await discord.calls('create_message')).map(({ status }) => status);
/** A client as it comes, with its three retries. */
const patient = (timeout = 2_000) =>
  new REST({ api: discord.apiUrl, timeout, globalRequestsPerSecond: 1_000_000 }).setToken(discord.token);
const once = (content: string) => ({ body: { content, nonce: `n${(count += 1)}`, enforce_nonce: true } });
const rawPost = () => raw(discord, `POST ${url()}`, { body: '{"content":"x"}' });

describe('rate limits', () => {
  test('a window gives all its calls again at once, a bucket one after the other', async () => {
    const free = async (shape: 'window' | 'bucket') => {
      await discord.freezeClock(true);
      await discord.rates({ shape });
      for (let each = 0; each < 5; each += 1) await rawPost();
      const seen: number[] = [];
      for (const ms of [1_000, 1_000, 3_000]) {
        await discord.advance(ms);
        const { status } = await rawPost();
        seen.push(status);
        if (status === 200) seen.push((await rawPost()).status);
      }
      await discord.freezeClock(false);
      return seen;
    };
    expect(await free('window')).toEqual([429, 429, 200, 200]);
    expect(await free('bucket')).toEqual([200, 429, 200, 429, 200, 200]);
  });

  test('every answer says what is left and until when', async () => {
    await discord.freezeClock(true);
    await discord.rates({ shape: 'window' });
    const { headers } = await rawPost();
    await discord.advance(1_000);
    const later = (await rawPost()).headers;
    const said = (from: Headers) =>
      ['limit', 'remaining', 'reset-after'].map((name) => from.get(`x-ratelimit-${name}`));
    expect(said(headers)).toEqual(['5', '4', '5.000']);
    expect(said(later)).toEqual(['5', '3', '4.000']);
    expect(later.get('x-ratelimit-bucket')).toBe(headers.get('x-ratelimit-bucket'));
    expect(Number(later.get('x-ratelimit-reset')) * 1_000).toBeCloseTo((await discord.now()) + 4_000, -1);
    await discord.freezeClock(false);
  });

  test.each(['window', 'bucket'] as const)(
    'the client keeps to a %s by itself: everything arrives, no 429',
    async (shape) => {
      await discord.rates({ shape, limits: { create_message: { calls: 3, perMs: 300 } } });
      const client = patient();
      const sent = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
      await Promise.all(sent.map((content) => client.post(url(), once(content))));
      expect(await texts()).toEqual(sent);
      expect(await statuses()).toEqual(sent.map(() => 200));
    },
  );

  test.each([
    ['user', { scope: 'user' }],
    ['shared', { scope: 'shared' }],
    ['global', { scope: 'global' }],
  ] as const)('a 429 (%s) is waited for and repeated', async (_name, { scope }) => {
    await discord.fault({ on: 'create_message', how: 'limited', scope, retryAfterMs: 50 });
    await patient().post(url(), once('late but here'));
    expect([await statuses(), await texts()]).toEqual([[429, 200], ['late but here']]);
    const { headers } = await (await discord.fault({
      on: 'create_message',
      how: 'limited',
      scope,
      retryAfterMs: 50,
    }),
    rawPost());
    expect(headers.get('x-ratelimit-scope')).toBe(scope);
    expect(headers.get('x-ratelimit-global')).toBe(scope === 'global' ? 'true' : null);
  });

  test('only limits of the user and of all count as invalid requests', async () => {
    const before = await discord.invalidRequests();
    for (const scope of ['user', 'shared', 'global'] as const) {
      await discord.fault({ on: 'create_message', how: 'limited', scope, retryAfterMs: 1 });
      await rawPost();
    }
    expect((await discord.invalidRequests()) - before).toBe(2);
  });

  test.each([
    ['a 429 without Retry-After', { how: 'limited', scope: 'user' }],
    ['the page 1015 of Cloudflare', { how: 'cloudflare' }],
  ] as const)('%s is repeated by the client without any wait', async (_name, accident) => {
    await discord.fault({ ...accident, on: 'create_message', times: 5 });
    await patient().post(url(), once('hammered'));
    expect(await statuses()).toEqual([429, 429, 429, 429, 429, 200]);
  });
});

describe('accidents', () => {
  const outcome = async (call: Promise<unknown>) =>
    call.then(
      () => 'done',
      (error: unknown) => (error instanceof DiscordAPIError ? `refused ${error.code}` : 'failed'),
    );

  test.each([
    ['refused', { how: 'refused' }, 'failed', []],
    ['done, and answered with 500', { how: 'unclear' }, 'failed', ['x']],
    ['cut', { how: 'cut' }, 'failed', []],
    ['done, and cut', { how: 'lost' }, 'failed', ['x']],
    ['a row of the table', { how: 'error', rule: 'missing_access' }, 'refused 50001', []],
  ] as const)('%s: what the client sees, and what is there', async (_name, accident, seen, there) => {
    await discord.fault({ ...accident, on: 'create_message' });
    expect(await outcome(restOf(discord).post(url(), once('x')))).toBe(seen);
    expect(await texts()).toEqual(there);
  });

  test('a post that timed out after it happened is there once, thanks to its nonce', async () => {
    await discord.fault({ on: 'create_message', how: 'slow', ms: 500 });
    await patient(200).post(url(), once('once'));
    expect(await texts()).toEqual(['once']);
    const body = { content: 'twice', allowed_mentions: { parse: [] } };
    await discord.fault({ on: 'create_message', how: 'slow', ms: 500 });
    await patient(200).post(url(), { body });
    expect((await texts()).filter((text) => text === 'twice').length).toBeGreaterThan(1);
    expect((await discord.notices()).map(({ kind }) => kind)).toContain('posted_twice');
  });

  test('a post may happen when nobody waits for it any more', async () => {
    await discord.fault({ on: 'create_message', how: 'late', ms: 200 });
    const hasty = new REST({ api: discord.apiUrl, timeout: 50, retries: 0 }).setToken(discord.token);
    expect(await outcome(hasty.post(url(), once('late')))).toBe('failed');
    await discord.until(texts, (all) => all.length === 1);
  });

  test('errors of the server are repeated by the client at once, then told', async () => {
    await discord.fault({ on: 'create_message', how: 'refused', status: 502, times: 4 });
    expect(await outcome(patient().post(url(), once('x')))).toBe('failed');
    expect(await statuses()).toEqual([502, 502, 502, 502]);
    await discord.fault({ on: 'create_message', how: 'refused', times: 3 });
    expect(await outcome(patient().post(url(), once('y')))).toBe('done');
  });

  test('an accident may wait for its turn, and for its channel', async () => {
    const elsewhere = await discord.addChannel('elsewhere');
    await discord.fault({ on: 'create_message', how: 'refused', channelId: channel, skip: 1 });
    const post = (where: string) => restOf(discord).post(`/channels/${where}/messages`, once(`in ${where}`));
    const seen = [];
    for (const where of [elsewhere, channel, elsewhere, channel, channel])
      seen.push(await outcome(post(where)));
    expect(seen).toEqual(['done', 'done', 'done', 'failed', 'done']);
  });

  test('answers take the time they are told to, and happen half-way', async () => {
    await discord.latency(100);
    const begun = await discord.now();
    await rawPost();
    await discord.latency(0);
    const [message] = await discord.messages(channel);
    expect((message?.times[0] ?? 0) - begun).toBeGreaterThanOrEqual(49);
  });

  test('a token that is reset ends the client', async () => {
    const own = await startDiscord();
    const client = restOf(own);
    await client.get('/users/@me');
    await own.resetToken();
    await expect(client.get('/users/@me')).rejects.toMatchObject({ status: 401 });
    await expect(client.get('/users/@me')).rejects.toThrow('Expected token to be set');
    await own.close();
  });
});

describe('in this process', () => {
  test('time is the clock of the test: an answer takes its latency, a window ends when the clock says so', async () => {
    const clock = manualClock(Date.parse('2026-11-30T09:00:00Z'));
    const fake = inProcessDiscord(clock);
    const { token } = fake.controls.ids();
    const general = fake.controls.channelId('general');
    const client = new REST({
      api: fake.api,
      makeRequest: fake.makeRequest,
      rejectOnRateLimit: () => true,
      retries: 0,
    });
    client.setToken(token);
    fake.controls.latency(150);
    const send = async (content: string) => {
      const sent = client.post(`/channels/${general}/messages`, once(content));
      const seen = sent.then(
        () => 'done',
        (error: unknown) => (error as Error).name,
      );
      for (let half = 0; half < 2; half += 1) {
        await clock.untilWaiting();
        await clock.advance(75);
      }
      return seen;
    };
    const seen: string[] = [];
    for (const content of ['a', 'b', 'c', 'd', 'e']) seen.push(await send(content));
    expect(seen).toEqual(['done', 'done', 'done', 'done', 'done']);
    const times = fake.controls.messages('general').flatMap(({ times: at }) => at);
    expect(times.map((at) => at - (times[0] ?? 0))).toEqual([0, 150, 300, 450, 600]);
    expect(fake.controls.calls().map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const raw429 = async () => {
      const answer = fake.makeRequest(`${fake.api}/v10/channels/${general}/messages`, {
        method: 'POST',
        headers: {
          authorization: `Bot ${token}`,
          'user-agent': 'DiscordBot (x, 1)',
          'content-type': 'application/json',
        },
        body: '{"content":"f"}',
      });
      for (let half = 0; half < 2; half += 1) {
        await clock.untilWaiting();
        await clock.advance(75);
      }
      return (await answer).status;
    };
    expect(await raw429()).toBe(429);
    await clock.advance(5_000);
    expect(await raw429()).toBe(200);
  });
});

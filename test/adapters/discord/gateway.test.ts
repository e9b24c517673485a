// The connection to Discord and what is heard over it: the real client against the fake; the store is a few variables.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GatewayOptions } from '../../../src/adapters/discord/gateway.ts';
import { type Hearing, hear, Store } from '../../support/discord/hearing.ts';
import { type FakeDiscord, startDiscord } from '../../support/discord/server.ts';

vi.setConfig({ testTimeout: 40_000, hookTimeout: 40_000 });

let discord: FakeDiscord;
let store: Store;
let running: Hearing[] = [];

beforeAll(async () => {
  discord = await startDiscord();
});
afterAll(() => discord.close());
beforeEach(() => {
  store = new Store();
});
afterEach(async () => {
  await Promise.all(running.map(({ gateway }) => gateway.close()));
  running = [];
  await discord.startAnew();
});

async function listen(more: Partial<GatewayOptions> = {}): Promise<Hearing> {
  const hearing = await hear(discord, store, more);
  running.push(hearing);
  return hearing;
}

async function leave(): Promise<void> {
  await Promise.all(running.splice(0).map(({ gateway }) => gateway.close()));
}

const untilStored = (count: number) =>
  discord.until(
    async () => store.texts,
    (texts) => texts.length === count,
    20_000,
  );
const sorted = (texts: readonly string[]) => texts.toSorted();
const numbered = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word} ${at}`);

/** Something that is heard before anything goes wrong. */
async function firstHeard(): Promise<void> {
  await discord.say('mia', '@Docent hello');
  await untilStored(1);
}

/** A thread that people go on in; it has been spoken in. */
async function thread(): Promise<string> {
  const { id } = await discord.say('mia', '@Docent first');
  await discord.startThread('mia', 'first', { message: id });
  return id;
}

test('one address leads to REST and gateway, and what is said right after the session began is heard', async () => {
  await discord.gateway({ sendsGuilds: false });
  await listen();
  await discord.say('mia', '@Docent first');
  expect(await untilStored(1)).toEqual(['first']);
  expect(await discord.calls('gateway_bot')).toHaveLength(1);
  expect((await discord.sessions()).map(({ isConnected }) => isConnected)).toEqual([true]);
  await discord.sendGuilds();
});

test('each of five mentions at once, and each of two equal words, is heard in its place', async () => {
  await listen();
  const id = await thread();
  await Promise.all(numbered('@Docent question', 5).map((text) => discord.say('mia', text)));
  await discord.say('mia', 'next', { in: id });
  await discord.say('mia', 'next', { in: id });
  await untilStored(8);
  const inThread = store.said.filter(({ conversation }) => conversation === `discord:${id}`);
  expect(inThread.map(({ text }) => text)).toEqual(['first', 'next', 'next']);
  expect(new Set(store.said.map(({ conversation }) => conversation)).size).toBe(6);
});

test('what is said in a thread that was archived is heard by another gateway', async () => {
  await listen();
  const id = await thread();
  await untilStored(1);
  await discord.archiveThread(id);
  await leave();
  await listen();
  await discord.say('mia', 'three days later', { in: id });
  expect(await untilStored(2)).toEqual(['first', 'three days later']);
  expect(store.said.at(-1)?.conversation).toBe(`discord:${id}`);
});

describe('an event that overtakes its message', () => {
  beforeEach(async () => {
    await listen();
    await firstHeard();
    await discord.gateway({ lateMs: { MESSAGE_CREATE: 200 } });
  });

  test('and says that it was deleted keeps it from being answered', async () => {
    const { id } = await discord.say('mia', '@Docent never mind');
    await discord.deleteMessage(id);
    await discord.say('mia', '@Docent behind it');
    expect(await untilStored(2)).toEqual(['hello', 'behind it']);
  });

  test('and changes it is what is answered', async () => {
    const { id } = await discord.say('mia', '@Docent befor');
    await discord.edit('mia', id, '@Docent before');
    expect(await untilStored(2)).toEqual(['hello', 'before']);
  });
});

describe('a mention in a channel where the bot may write nowhere', () => {
  const directs = async (who: string) =>
    (await discord.messages('dm', { onlyFor: who })).filter(({ author }) => author === 'Docent');

  test('is answered by a direct message, once an hour to each person, and the operator reads of it once', async () => {
    const known = new Set<string>();
    const told: string[] = [];
    const isFirst = async (thing: string) => !known.has(thing) && Boolean(known.add(thing));
    await listen({ isFirst, tell: (sentence) => void told.push(sentence) });
    await firstHeard();
    for (const permission of ['SendMessages', 'SendMessagesInThreads'] as const)
      await discord.revokePermission('calculus', permission);
    for (const who of ['mia', 'mia', 'ben']) await discord.say(who, '@Docent why?', { in: 'calculus' });
    await discord.until(
      () => Promise.all(['mia', 'ben'].map(directs)),
      (sent) => sent.every((each) => each.length > 0),
    );
    await discord.say('mia', '@Docent and here?');
    expect(await untilStored(2)).toEqual(['hello', 'and here?']);
    const [only, ...others] = await directs('mia');
    expect(only?.content).toMatch(/^You asked me in <#\d+>, but I may not write there\./);
    expect(others).toEqual([]);
    expect(told.filter((sentence) => sentence.includes('#calculus: the bot is asked there'))).toHaveLength(1);
    expect((await discord.refused()).map(({ rule }) => rule)).toEqual([]);
  });

  test('is heard as ever when a thread can take the answer', async () => {
    await listen();
    await firstHeard();
    await discord.revokePermission('calculus', 'SendMessages');
    await discord.say('mia', '@Docent why?', { in: 'calculus' });
    expect(await untilStored(2)).toEqual(['hello', 'why?']);
  });

  test('is left at that when the person takes no direct messages', async () => {
    await listen();
    await firstHeard();
    await discord.revokePermission('calculus', 'SendMessages');
    await discord.revokePermission('calculus', 'CreatePublicThreads');
    await discord.fault({ on: 'create_message', how: 'error', rule: 'cannot_dm' });
    await discord.say('mia', '@Docent why?', { in: 'calculus' });
    await discord.say('mia', '@Docent and here?');
    expect(await untilStored(2)).toEqual(['hello', 'and here?']);
  });
});

describe('while the store is away', () => {
  test('what is said is kept and stored in order when it is back', async () => {
    await listen();
    const id = await thread();
    await untilStored(1);
    store.isAway = true;
    for (const text of numbered('word', 10)) await discord.say('mia', text, { in: id });
    store.isAway = false;
    expect(await untilStored(11)).toEqual(['first', ...numbered('word', 10)]);
  });

  test('what finds no room in memory is read again, in order, once', async () => {
    await listen({ maxKept: 5 });
    const id = await thread();
    await untilStored(1);
    store.isAway = true;
    await discord.forgetJournal();
    for (let at = 0; at < 12; at++) {
      await discord.say('mia', `word ${at}`, { in: id });
      await discord.say('ben', `@Docent question ${at}`);
    }
    await discord.say('mia', 'in private', { in: 'dm' });
    store.isAway = false;
    const stored = await untilStored(26);
    expect(stored.filter((text) => text.startsWith('word'))).toEqual(numbered('word', 12));
    expect(sorted(stored.filter((text) => text.startsWith('question')))).toEqual(
      sorted(numbered('question', 12)),
    );
    expect(stored).toContain('in private');
    const pages = (await discord.calls('list_messages')).map(({ path }) => path.split('/')[2]);
    expect(new Set(pages).size).toBe(3);
    await discord.say('mia', 'and on', { in: id });
    expect((await untilStored(27)).at(-1)).toBe('and on');
  });

  test('there is room for 10,000 messages', async () => {
    await listen();
    await firstHeard();
    store.isAway = true;
    await discord.forgetJournal();
    const reads = async () => (await discord.calls('list_messages')).length;
    await discord.sayAll('mia', numbered('@Docent word', 10_000));
    await discord.say('mia', '@Docent one too many', { in: 'calculus' });
    // The read waits until something was stored; who comes in time reads nothing.
    expect(await reads()).toBe(0);
    store.isAway = false;
    await untilStored(10_002);
    expect(new Set(store.texts.slice(1))).toEqual(new Set([...numbered('word', 10_000), 'one too many']));
    const read = await discord.calls('list_messages');
    expect(read.map(({ path }) => path.split('/')[2])).toEqual([await discord.channelId('calculus')]);
  });

  test('what changes is heard behind what is read again', async () => {
    await listen({ maxKept: 2 });
    const id = await thread();
    await untilStored(1);
    store.isAway = true;
    for (const text of numbered('word', 4)) await discord.say('mia', text, { in: id });
    const { id: last } = await discord.say('mia', 'befor', { in: id });
    await discord.edit('mia', last, 'before');
    store.isAway = false;
    expect((await untilStored(6)).at(-1)).toBe('before');
  });

  test('the note of how far all is stored stays behind', async () => {
    await listen();
    await firstHeard();
    const { id } = await discord.say('mia', '@Docent again');
    await untilStored(2);
    await discord.until(
      async () => store.cursor,
      (cursor) => cursor === id,
    );
    let tries = 0;
    const accept = async () => {
      tries += 1;
      throw new Error('only this is refused');
    };
    await leave();
    await listen({ accept });
    await discord.say('mia', '@Docent not stored');
    await discord.until(
      async () => tries,
      (count) => count > 1,
    );
    await leave();
    expect(BigInt(store.cursor ?? 0)).toBeLessThanOrEqual(BigInt(id));
    await listen();
    expect((await untilStored(3)).at(-1)).toBe('not stored');
  });
});

describe('what was said while nobody listened', () => {
  test('is found in every kind of place, and stored once', async () => {
    await listen();
    const id = await thread();
    await discord.say('ann', 'hello in private', { in: 'dm' });
    await untilStored(2);
    await leave();
    await discord.say('mia', '@Docent in the channel', { in: 'general' });
    await discord.say('mia', 'in the thread', { in: id });
    await discord.say('mia', '@Docent in the news', { in: 'news' });
    await discord.say('mia', '@Docent beside the voices', { in: 'lounge' });
    await discord.post('mia', 'A post', '@Docent in a post', 'questions');
    await discord.say('ann', 'in private', { in: 'dm' });
    await Promise.all([listen(), listen()]);
    const stored = await untilStored(8);
    expect(sorted(stored.slice(2))).toEqual([
      'beside the voices',
      'in a post',
      'in private',
      'in the channel',
      'in the news',
      'in the thread',
    ]);
  });

  test('stands before what is said while it is read', async () => {
    await listen();
    const id = await thread();
    await untilStored(1);
    await leave();
    for (const text of numbered('missed', 3)) await discord.say('mia', text, { in: id });
    await discord.fault({ on: 'list_messages', how: 'slow', ms: 500, times: 10 });
    await listen();
    await discord.say('mia', 'said live', { in: id });
    expect(await untilStored(5)).toEqual(['first', ...numbered('missed', 3), 'said live']);
  });

  test('is read in pages, and again when Discord fails or the process ends meanwhile', async () => {
    await listen();
    const id = await thread();
    await untilStored(1);
    await leave();
    for (const text of numbered('missed', 120)) await discord.say('mia', text, { in: id });
    await discord.fault({ on: 'list_messages', how: 'refused', status: 503, times: 1_000 });
    await listen();
    await discord.say('mia', '@Docent in the channel');
    await discord.until(
      () => discord.calls('list_messages'),
      (calls) => calls.length > 0,
    );
    await leave();
    await discord.clearFaults();
    await listen();
    const stored = await untilStored(122);
    expect(stored.filter((text) => text.startsWith('missed'))).toEqual(numbered('missed', 120));
  });

  test('is read when Discord says how long to wait', async () => {
    await listen();
    await firstHeard();
    await leave();
    await discord.say('mia', '@Docent missed');
    await discord.fault({ on: 'list_messages', how: 'limited', scope: 'user', retryAfterMs: 1_500 });
    await listen();
    expect(await untilStored(2)).toEqual(['hello', 'missed']);
    expect((await discord.notices()).filter(({ kind }) => kind === 'too_early')).toEqual([]);
  });

  test('is found in a thread that was archived meanwhile', async () => {
    await listen();
    const id = await thread();
    await untilStored(1);
    await leave();
    await discord.say('mia', 'missed', { in: id });
    await discord.archiveThread(id);
    await listen();
    expect(await untilStored(2)).toEqual(['first', 'missed']);
  });

  test('is left alone when it is too old', async () => {
    await listen();
    await firstHeard();
    await leave();
    await discord.say('mia', '@Docent old');
    await listen({ catchUpMaxAgeMs: 0 });
    await discord.say('mia', '@Docent new');
    expect(await untilStored(2)).toEqual(['hello', 'new']);
  });

  test('is found when a server comes back after an outage', async () => {
    await listen();
    await firstHeard();
    await discord.beginOutage();
    await discord.say('mia', '@Docent still there?', { event: false });
    await discord.endOutage();
    expect(await untilStored(2)).toEqual(['hello', 'still there?']);
  });
});

describe('a connection that is lost', () => {
  const sameConnection = 'told to resume its session';
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    'cut, as by a cable': () => discord.cutConnections(),
    'closed by Discord': () => discord.closeConnections(4_000),
    'asked to come back': () => discord.askToReconnect(),
    [sameConnection]: () => discord.invalidateSessions(true),
  };
  test.each(Object.keys(ways))('%s is resumed: nothing is lost, nothing twice', async (name) => {
    const { contact } = await listen();
    await firstHeard();
    await ways[name]?.();
    await discord.say('mia', '@Docent meanwhile');
    expect(await untilStored(2)).toEqual(['hello', 'meanwhile']);
    expect(store.again).toBe(0);
    const [session, ...others] = await discord.sessions();
    expect([session?.resumes, others.length]).toEqual([1, 0]);
    await discord.until(
      async () => contact.at(-1),
      (last) => last === 'ok',
    );
    // In the last case it is the same connection.
    expect(contact.includes('away')).toBe(name !== sameConnection);
  });

  test('without being closed (a zombie) is noticed and resumed', async () => {
    await discord.gateway({ heartbeatMs: 300 });
    await listen();
    await firstHeard();
    await discord.gateway({ answersHeartbeats: false, keepsBack: true });
    await discord.say('mia', '@Docent does anybody hear?');
    await discord.until(discord.sessions, ([session]) => (session?.resumes ?? 0) > 0);
    await discord.gateway({ answersHeartbeats: true, keepsBack: false });
    expect(await untilStored(2)).toEqual(['hello', 'does anybody hear?']);
    expect(store.again).toBe(0);
  });

  test('with its session begins anew and reads what it missed', async () => {
    await listen();
    await firstHeard();
    await discord.say('ann', 'in private', { in: 'dm' });
    await untilStored(2);
    await discord.say('mia', '@Docent missed', { event: false });
    await discord.say('ann', 'missed in private', { in: 'dm', event: false });
    await discord.invalidateSessions(false);
    expect(sorted((await untilStored(4)).slice(2))).toEqual(['missed', 'missed in private']);
    expect(store.again).toBe(0);
  });

  const fatal: readonly (readonly [number, RegExp])[] = [
    [4_004, /DISCORD_TOKEN/],
    [4_010, /DISCORD_SHARDS/],
    [4_011, /DISCORD_SHARDS/],
    [4_012, /Update Docent/],
    [4_013, /Update Docent/],
    [4_014, /"Message Content Intent"/],
  ];
  test('cannot begin with too few shards, which is told in one sentence', async () => {
    await discord.gateway({ guildsPerShard: 0 });
    await expect(listen({ shards: 1 })).rejects.toMatchObject({
      code: 'discord.refused',
      message: 'The bot is in too many servers for so few shards.',
    });
  });

  test.each(fatal)('with code %i is told in one sentence, once, and not tried again', async (code, hint) => {
    const hearing = await listen();
    await discord.closeConnections(code);
    await discord.until(
      async () => hearing.fatal.length,
      (count) => count > 0,
    );
    expect(hearing.fatal).toHaveLength(1);
    expect(`${hearing.fatal[0]?.message} ${hearing.fatal[0]?.hint}`).toMatch(hint);
    expect((await discord.sessions()).some(({ isConnected }) => isConnected)).toBe(false);
  });
});

test('several shards hear their servers, as many as Discord asks for or as were set, and each reads what it missed', async () => {
  await discord.gateway({ shards: 2, guildsPerShard: 1 });
  await spreadOverTwoShards();
  await listen({ shards: 'auto' });
  const shards = async () => (await discord.sessions()).map(({ shard }) => shard.join(' of '));
  expect(await shards()).toEqual(['0 of 2', '1 of 2']);
  await discord.say('mia', '@Docent here');
  await discord.say('mia', '@Docent there', { in: 'far' });
  await discord.say('mia', 'in private', { in: 'dm' });
  await untilStored(3);
  await leave();
  await discord.say('mia', '@Docent missed here');
  await discord.say('mia', '@Docent missed there', { in: 'far' });
  await listen({ shards: 2 });
  expect(sorted((await untilStored(5)).slice(3))).toEqual(['missed here', 'missed there']);
  expect((await shards()).slice(2)).toEqual(['0 of 2', '1 of 2']);
});

/** Adds a server, with a channel `far`, that is on the other shard than the first one. */
async function spreadOverTwoShards(): Promise<void> {
  for (let count = 0; ; count++) {
    const id = await discord.addServer(`server ${count}`);
    if (shardOf(id) !== shardOf(discord.guildId)) return void (await discord.addChannel('far', 'text', id));
    await discord.kickBot(id);
  }
}

const shardOf = (guild: string) => Number((BigInt(guild) >> 22n) % 2n);

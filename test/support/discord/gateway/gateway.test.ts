// The gateway as the real discord.js sees it: what arrives, what does not, and what happens when it breaks.
import { once } from 'node:events';
import { Events, GatewayIntentBits } from 'discord.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, dial, identify, intents, type Online, online, restOf } from '../lab.ts';
import { type FakeDiscord, startDiscord } from '../server.ts';

let discord: FakeDiscord;
let open: Online[] = [];

beforeAll(async () => {
  discord = await startDiscord();
});
afterAll(() => discord.close());
beforeEach(() => discord.startAnew());
afterEach(async () => {
  await Promise.all(open.map((each) => each.leave()));
  open = [];
});

async function join(options = {}): Promise<Online> {
  const joined = await online(discord, options);
  open.push(joined);
  return joined;
}
const hears = ({ heard }: Online, count: number) =>
  discord.until(
    async () => heard,
    (all) => all.length >= count,
  );
const sessions = (isRight: (views: Awaited<ReturnType<FakeDiscord['sessions']>>) => boolean) =>
  discord.until(() => discord.sessions(), isRight);

describe('what arrives', () => {
  test('servers, channels and open threads are there when the client is ready', async () => {
    const { id } = await discord.say('mia', 'hello');
    await discord.startThread('mia', 'derivatives', { message: id });
    const { client } = await join();
    const guild = client.guilds.cache.get(discord.guildId);
    expect(guild?.name).toBe('Study group');
    expect(guild?.members.me?.permissions.has('SendMessagesInThreads')).toBe(true);
    expect(guild?.channels.cache.map(({ name }) => name)).toEqual([
      'general',
      'calculus',
      'news',
      'questions',
      'lounge',
      'derivatives',
    ]);
  });

  test('every session on one token hears everything', async () => {
    const [one, two] = [await join(), await join()];
    await discord.say('mia', 'hello');
    expect(await hears(one, 1)).toEqual(['hello']);
    expect(await hears(two, 1)).toEqual(['hello']);
  });

  test('without the content intent a text is empty, unless it mentions the bot, is private, or its own', async () => {
    const without = intents.filter((each) => each !== GatewayIntentBits.MessageContent);
    const bot = await join({ intents: without });
    await discord.say('mia', 'hello all');
    await discord.say('mia', '@Docent hello');
    await discord.say('mia', 'hello you', { in: 'dm' });
    await restOf(discord).post(`/channels/${await discord.channelId('general')}/messages`, {
      body: { content: 'mine' },
    });
    expect(await hears(bot, 4)).toEqual(['', `<@${discord.botId}> hello`, 'hello you', 'mine']);
  });

  test('over REST the portal decides whether a text is empty', async () => {
    const { id, channelId } = await discord.say('mia', 'hello all');
    const read = () => restOf(discord).get(`/channels/${channelId}/messages/${id}`);
    expect(await read()).toMatchObject({ content: 'hello all' });
    await discord.portal({ messageContent: false });
    expect(await read()).toMatchObject({ content: '' });
  });

  test('without the intent for messages of servers only private ones arrive', async () => {
    const bot = await join({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.DirectMessages] });
    await discord.say('mia', '@Docent hello');
    await discord.say('mia', 'hello you', { in: 'dm' });
    expect(await hears(bot, 1)).toEqual(['hello you']);
  });

  test('a server is told to its own shard only, private messages to the first', async () => {
    const bot = await join({ shardCount: 2, shards: [0, 1] });
    await discord.say('mia', 'hello');
    await discord.say('mia', 'hello you', { in: 'dm' });
    await hears(bot, 2);
    const own = Number((BigInt(discord.guildId) >> 22n) % 2n);
    const heard = (await discord.sessions()).map(({ shard, events }) => [
      shard[0],
      events.filter((name) => name === 'MESSAGE_CREATE').length,
    ]);
    expect(Object.fromEntries(heard)).toEqual({ 0: own === 0 ? 2 : 1, 1: own === 1 ? 1 : 0 });
  });

  test('events come late, twice and out of order when they are told to', async () => {
    const bot = await join();
    await discord.gateway({ delayMs: [0, 200], duplicates: 1 });
    const said = ['one', 'two', 'three', 'four', 'five', 'six'];
    await Promise.all(said.map((text) => discord.say('mia', text)));
    // The client itself drops what it knows already, so the copies are counted where they were sent.
    const copies = ([session]: readonly { readonly events: readonly string[] }[]) =>
      session?.events.filter((name) => name === 'MESSAGE_CREATE').length;
    await sessions((all) => copies(all) === 2 * said.length);
    const heard = await hears(bot, said.length);
    expect(heard.toSorted()).toEqual(said.toSorted());
    expect(heard).not.toEqual((await discord.messages('general')).map(({ content }) => content));
  });

  test('a message may arrive before the thread that it is in', async () => {
    const { client } = await join();
    const seen: string[] = [];
    client.on(Events.ThreadCreate, ({ name }) => seen.push(`thread ${name}`));
    client.on(Events.MessageCreate, ({ content }) => seen.push(content));
    await discord.gateway({ lateMs: { THREAD_CREATE: 100 } });
    await discord.post('mia', 'Limits', 'what is a limit?');
    await discord.until(
      async () => seen,
      (all) => all.length > 0,
    );
    expect(seen[0]).toBe('what is a limit?');
  });

  test('what a moderator does arrives: kicked, invited, renamed, archived, deleted', async () => {
    const { client } = await join();
    const seen: string[] = [];
    client.on(Events.GuildDelete, ({ name }) => seen.push(`out of ${name}`));
    client.on(Events.GuildCreate, ({ name }) => seen.push(`in ${name}`));
    client.on(Events.ChannelUpdate, (_old, channel) =>
      seen.push(`channel ${'name' in channel ? channel.name : ''}`),
    );
    client.on(Events.ThreadUpdate, (_old, { archived }) => seen.push(`archived ${archived}`));
    client.on(Events.ThreadDelete, ({ name }) => seen.push(`thread ${name} gone`));
    client.on(Events.MessageDelete, ({ content }) => seen.push(`deleted ${content}`));
    const { id } = await discord.say('mia', 'hello');
    await discord.startThread('mia', 'talk', { message: id });
    await discord.archiveThread(id);
    await discord.unarchiveThread(id);
    await discord.deleteChannel(id);
    await discord.deleteMessage(id);
    await discord.renameChannel('calculus', 'analysis');
    await discord.kickBot();
    await discord.inviteBot();
    await discord.until(
      async () => seen,
      (all) => all.length === 7,
    );
    expect(seen).toEqual([
      'archived true',
      'archived false',
      'thread talk gone',
      'deleted hello',
      'channel analysis',
      'out of Study group',
      'in Study group',
    ]);
  });

  test('a channel that the bot does not see is silent', async () => {
    const bot = await join();
    await discord.revokePermission('calculus', 'ViewChannel');
    await discord.say('mia', 'secret', { in: 'calculus' });
    await discord.say('mia', 'open', { in: 'general' });
    expect(await hears(bot, 1)).toEqual(['open']);
  });
});

describe('when it breaks', () => {
  test.each([
    ['the line is cut', () => discord.cutConnections()],
    ['it is closed with 4000', () => discord.closeConnections(4000)],
    ['it asks to reconnect', () => discord.askToReconnect()],
  ])('%s: the session is resumed and nothing is missing', async (_name, breakIt) => {
    const bot = await join();
    await discord.say('mia', 'before');
    await hears(bot, 1);
    const resumed = once(bot.client, Events.ShardResume);
    await breakIt();
    await sessions(([session]) => session?.isConnected === false);
    await discord.say('mia', 'meanwhile');
    await resumed;
    await discord.say('mia', 'after');
    expect(await hears(bot, 3)).toEqual(['before', 'meanwhile', 'after']);
    expect((await discord.sessions()).map(({ resumes }) => resumes)).toEqual([1]);
  });

  test('a connection whose heartbeats are not answered is left and resumed', async () => {
    await discord.gateway({ heartbeatMs: 60 });
    const bot = await join();
    const resumed = once(bot.client, Events.ShardResume);
    await discord.gateway({ answersHeartbeats: false });
    await sessions(([session]) => session?.isConnected === false);
    await discord.gateway({ answersHeartbeats: true });
    await resumed;
    expect((await discord.sessions()).map(({ resumes }) => resumes)).toEqual([1]);
  });

  test('a session that may go on is resumed on the same line', async () => {
    const bot = await join();
    const resumed = once(bot.client, Events.ShardResume);
    await discord.invalidateSessions(true);
    await resumed;
    expect(await discord.sessions()).toHaveLength(1);
  });

  test('a session that is over is begun anew; what was missed is found by REST only', async () => {
    const bot = await join();
    const { id, channelId } = await discord.say('mia', 'before');
    await hears(bot, 1);
    await discord.forgetSessions();
    await discord.cutConnections();
    await discord.say('mia', 'meanwhile');
    await sessions((all) => all.length === 2 && all[1]?.isConnected === true);
    await discord.say('mia', 'after');
    expect(await hears(bot, 2)).toEqual(['before', 'after']);
    const missed = await restOf(discord).get(`/channels/${channelId}/messages?after=${id}`);
    expect((missed as { content: string }[]).map(({ content }) => content)).toEqual(['after', 'meanwhile']);
  });

  test('a session cannot be resumed after minutes', async () => {
    const line = await dial(discord);
    line.send(identify(discord));
    const { session_id } = (await line.next('READY')).d as { session_id: string };
    line.close(4200);
    await sessions(([session]) => session?.isConnected === false);
    await discord.advance(4 * 60_000);
    const later = await dial(discord);
    later.send({ op: 6, d: { token: discord.token, session_id, seq: 1 } });
    expect((await later.next(9)).d).toBe(false);
    later.close();
  });

  test('a second identify within five seconds is refused when that is turned on', async () => {
    await discord.gateway({ identifyGapMs: 5_000 });
    const [first, second] = [await dial(discord), await dial(discord)];
    first.send(identify(discord));
    await first.next('READY');
    second.send(identify(discord));
    expect((await second.next(9)).d).toBe(false);
    await discord.advance(5_000);
    second.send(identify(discord));
    await second.next('READY');
    first.close();
    second.close();
  });

  test.each([
    [
      'an intent that is not on in the portal',
      { intents: [...intents, GatewayIntentBits.GuildMembers] },
      /disallowed intents/i,
    ],
    ['an intent that does not exist', { intents: 1 << 30 }, /invalid intents|Invalid bitfield/i],
  ])('%s ends the login for good', async (_name, options, message) => {
    const login = async () => {
      const client = clientOf(discord, options);
      client.on(Events.Error, () => {});
      await client.login(discord.token);
    };
    await expect(login()).rejects.toThrow(message);
  });

  test('a wrong token and used-up session starts end the login, too', async () => {
    await expect(clientOf(discord).login('wrong')).rejects.toThrow(/token/i);
    await discord.gateway({ sessionStartsLeft: 0 });
    await expect(clientOf(discord).login(discord.token)).rejects.toThrow(/sessions remaining/i);
  });

  test('a token that is reset while the bot runs is refused by REST, and fatal at the gateway', async () => {
    const { client } = await join();
    const channel = await client.channels.fetch(await discord.channelId('general'));
    await discord.resetToken();
    if (!channel?.isSendable()) throw new Error('general cannot be written to');
    await expect(channel.send('x')).rejects.toMatchObject({ status: 401 });
    const fatal = once(client, Events.ShardDisconnect);
    await discord.closeConnections(4004);
    expect(((await fatal) as [{ code: number }])[0].code).toBe(4004);
    await expect(channel.send('x')).rejects.toThrow(/Expected token/);
  });

  test('the client gives up waiting for servers that never come', async () => {
    await discord.gateway({ sendsGuilds: false });
    const { client } = await join();
    expect(client.guilds.cache.get(discord.guildId)?.available).toBe(false);
  });

  test('servers that come late arrive as if the bot had just joined', async () => {
    await discord.gateway({ sendsGuilds: false });
    const { client } = await join();
    const arrived = once(client, Events.GuildAvailable);
    await discord.sendGuilds();
    expect(((await arrived) as [{ name: string }])[0].name).toBe('Study group');
  });

  test('a server of sockets that is down is tried again until it is up', async () => {
    const bot = await join();
    await discord.gateway({ accepts: false });
    await discord.cutConnections();
    await sessions(([session]) => session?.isConnected === false);
    await discord.gateway({ accepts: true });
    await sessions((all) => all.some(({ isConnected }) => isConnected));
    await discord.say('mia', 'hello again');
    expect(await hears(bot, 1)).toContain('hello again');
  });

  test('nothing is said after hello, or no hello at all: the connection stays open and silent', async () => {
    await discord.gateway({ saysReady: false });
    const waiting = await dial(discord);
    waiting.send(identify(discord));
    waiting.send({ op: 1, d: null });
    expect((await waiting.next(11)).op).toBe(11);
    await discord.gateway({ saysHello: false, saysReady: true });
    const silent = await dial(discord);
    silent.send({ op: 1, d: null });
    expect((await silent.next(11)).op).toBe(11);
    waiting.close();
    silent.close();
  });
});

// What is heard from Slack: the real Bolt against the fake, over sockets and over HTTP; the store is a few variables.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { slackWeb } from '../../../src/adapters/slack/web.ts';
import { ConversationId, TurnId } from '../../../src/domain/ids.ts';
import { type Hearing, type HearingOptions, hear, Store } from '../../support/slack/hearing.ts';
import { type FakeSlack, startSlack } from '../../support/slack/server.ts';

vi.setConfig({ testTimeout: 40_000, hookTimeout: 40_000 });

let slack: FakeSlack;
let store: Store;
let running: Hearing[] = [];

beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
beforeEach(() => {
  store = new Store();
});
afterEach(async () => {
  await leave();
  await slack.startAnew();
});

async function listen(more: HearingOptions = {}): Promise<Hearing> {
  const hearing = await hear(slack, store, more);
  running.push(hearing);
  return hearing;
}

async function leave(): Promise<void> {
  await Promise.all(running.splice(0).map((each) => each.close()));
}

const untilStored = (count: number) =>
  slack.until(
    async () => store.texts,
    (texts) => texts.length === count,
    20_000,
  );
const untilAcked = (count: number) =>
  slack.until(
    () => slack.acks(),
    (acks) => acks.filter(({ afterMs }) => afterMs !== undefined).length === count,
    20_000,
  );

describe.each(['sockets', 'HTTP'] as const)('over %s', (how) => {
  const over: HearingOptions = how === 'HTTP' ? { overHttp: true } : {};

  test('B001: a mention, which comes as two events to one of two gateways, is stored once', async () => {
    await listen(over);
    if (how === 'sockets') await listen(over);
    const { ts } = await slack.say('mia', '@Docent why is the sky blue?');
    const channel = await slack.channelId('general');
    expect(await untilStored(1)).toEqual(['why is the sky blue?']);
    const [heard] = store.items;
    expect(heard?.conversation).toBe(`slack:${slack.teamId}:${channel}:${ts}`);
    expect(heard?.item).toMatchObject({ kind: 'message', id: ts, name: 'mia', mentioned: true });
    await untilAcked(2);
    expect(store.texts).toHaveLength(1);
    expect(await slack.violations()).toEqual([]);
  });

  test('B007: nothing is acknowledged before it is stored, and a store that is slow costs half a second', async () => {
    store.delayMs = 500;
    await listen(over);
    await slack.say('mia', '@Docent one');
    await untilStored(1);
    const acks = await untilAcked(2);
    expect(Math.max(...acks.map(({ afterMs }) => afterMs ?? 0))).toBeLessThan(2_000);
    expect(await slack.notices()).toEqual([]);
  });

  test('B013: a question with a file, and nothing but a file, is heard with it', async () => {
    await listen(over);
    await slack.say('mia', '@Docent explain this', {
      files: [{ name: 'a.pdf', mimetype: 'application/pdf', text: 'x' }],
    });
    await slack.say('mia', '', { in: 'dm', files: [{ name: 'b.txt', text: 'y' }] });
    await untilStored(2);
    const names = store.items.map(({ item }) => ('files' in item ? item.files?.map(({ name }) => name) : []));
    expect(names).toEqual([['a.pdf'], ['b.txt']]);
  });

  test('B003: what is not acknowledged is sent again, and stored once', async () => {
    await slack.events({ retryMs: [100, 100, 100] });
    await listen(over);
    store.isAway = true;
    await slack.say('mia', '@Docent are you there?');
    await slack.until(
      () => slack.acks(),
      (acks) => acks.some(({ attempt }) => attempt === 1),
      20_000,
    );
    store.isAway = false;
    expect(await untilStored(1)).toEqual(['are you there?']);
    await slack.until(
      () => slack.acks(),
      (acks) => acks.some(({ afterMs }) => afterMs !== undefined),
      20_000,
    );
    expect(store.texts).toHaveLength(1);
  });
});

describe('who is meant', () => {
  test('a thread goes on without a mention, what is meant for others is left alone', async () => {
    await listen();
    const { ts } = await slack.say('mia', '@Docent first');
    await untilStored(1);
    await slack.say('ben', 'and then?', { thread: ts });
    await slack.say('ben', 'hello @mia', { thread: ts });
    await slack.say('ben', 'in the channel, to nobody');
    await slack.say('ben', 'a reply for all', { thread: ts, broadcast: true });
    await slack.say('ben', '', { thread: ts, subtype: 'channel_join' });
    await slack.say('mia', '@Docent last');
    expect(await untilStored(4)).toEqual(['first', 'and then?', 'a reply for all', 'last']);
  });

  test('a mention inside a thread of others joins their talk', async () => {
    await listen();
    const { ts } = await slack.say('mia', 'between us');
    await slack.say('ben', '@Docent what do you think of @mia’s idea?', { thread: ts });
    expect(await untilStored(1)).toEqual(['what do you think of @mia’s idea?']);
    expect(store.items[0]?.item).toMatchObject({ joinsTalk: true, address: { replyTo: expect.any(String) } });
  });

  test('in a direct conversation with sessions each first message begins a thread', async () => {
    await listen();
    const { ts } = await slack.say('mia', 'alone with you', { in: 'dm' });
    await slack.say('mia', 'and more', { in: 'dm', thread: ts });
    await slack.say('mia', 'something else', { in: 'dm' });
    await untilStored(3);
    const [first, second, third] = store.items.map(({ conversation }) => conversation);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('without sessions it is one conversation', async () => {
    await slack.setScopes(['chat:write', 'im:history', 'users:read', 'app_mentions:read']);
    await listen();
    await slack.say('mia', 'alone with you', { in: 'dm' });
    await slack.say('mia', 'something else', { in: 'dm' });
    await untilStored(2);
    const dm = await slack.channelId('dm', 'mia');
    expect(store.items.map(({ conversation }) => conversation)).toEqual([
      `slack:${slack.teamId}:${dm}`,
      `slack:${slack.teamId}:${dm}`,
    ]);
  });

  test('a thread below an answer that stands in the channel belongs to the talk of that answer', async () => {
    const conversation = ConversationId('slack:T1:C1:1.1');
    await listen({ ownerOf: async () => ({ conversation, turn: TurnId('t1') }) });
    const web = slackWeb({ token: slack.token, apiUrl: slack.apiUrl });
    const channel = await slack.channelId('general');
    const { ts: answer } = await web('chat.postMessage', { channel, text: 'An answer' });
    await slack.say('mia', 'and why is that?', { thread: String(answer) });
    expect(await untilStored(1)).toEqual(['and why is that?']);
    expect(store.items[0]?.conversation).toBe(conversation);
  });

  test('the bare words "stop", "next: …" and "new" in a thread are commands', async () => {
    await listen();
    const { ts } = await slack.say('mia', '@Docent first');
    for (const text of ['new', 'next: and after that?', 'a new idea', 'Neu!'])
      await slack.say('mia', text, { thread: ts });
    await slack.until(
      async () => store.items,
      (items) => items.length === 5,
    );
    expect(store.kinds).toEqual(['message', 'new', 'next', 'message', 'new']);
    expect(store.texts).toEqual(['first', 'and after that?', 'a new idea']);
  });

  test('marks of Slack are read as people see them', async () => {
    await listen();
    const id = await slack.idOf('ben');
    await slack.say(
      'mia',
      `<@${slack.botUserId}> is 1 &lt; 2 &amp; 3, <@${id}>? see <https://a.example/x|the page>, <!here>, <#C1|maths>`,
      { isRaw: true },
    );
    expect(await untilStored(1)).toEqual([
      'is 1 < 2 & 3, @ben? see the page (https://a.example/x), @here, #maths',
    ]);
  });
});

describe('what is none of the bot’s business', () => {
  test('its own messages, other bots unless they are allowed, and what Slack says itself', async () => {
    await listen();
    await slack.setPerson('robo', { isBot: true });
    await slack.say('robo', '@Docent beep');
    await slack.say('mia', '@Docent joined', { subtype: 'channel_topic' });
    await slack.emit('message.channels', {
      type: 'message',
      channel: await slack.channelId('general'),
      channel_type: 'channel',
      user: slack.botUserId,
      bot_id: slack.botId,
      text: `<@${slack.botUserId}> an echo`,
      ts: '1700000000.000100',
    });
    await slack.say('mia', '@Docent last');
    await slack.until(
      async () => store.texts,
      (texts) => texts.includes('last'),
    );
    // The other bot is judged by the rules about who may speak, as everywhere.
    expect(store.texts.filter((text) => text !== 'beep')).toEqual(['last']);
  });

  test('a thing of a kind that nobody knows, one without a user, and one without a text', async () => {
    await listen();
    const channel = await slack.channelId('general');
    await slack.emit('message.channels', { type: 'message', channel, ts: '1700000000.000200', text: 'x' });
    await slack.emit('message.channels', {
      type: 'message',
      channel,
      channel_type: 'channel',
      user: await slack.idOf('mia'),
      ts: '1700000000.000300',
    });
    await slack.emit('app_mention', { type: 'pineapple', channel });
    await slack.say('mia', '@Docent last');
    expect(await untilStored(1)).toEqual(['last']);
    await untilAcked(5);
  });
});

describe('thumbs', () => {
  test('a reaction to an answer is a vote; to anything else it is none', async () => {
    const conversation = ConversationId('slack:T1:C1:1.1');
    await listen({
      ownerOf: async () => ({ conversation, turn: TurnId('t1') }),
      messagesOf: async (_, __, slot) =>
        slot === 'answer:2'
          ? [{ surface: 'slack', place: '', id: answer }]
          : slot === 'answer:1'
            ? [other]
            : [],
    });
    const web = slackWeb({ token: slack.token, apiUrl: slack.apiUrl });
    const posted = await web('chat.postMessage', {
      channel: await slack.channelId('general'),
      text: 'An answer',
    });
    const answer = String(posted['ts']);
    const other = { surface: 'slack', place: '', id: '1.0' };
    const { ts: ofMia } = await slack.say('mia', 'hello');
    await slack.react('ben', answer, 'thumbsup');
    await slack.react('ben', answer, 'tada');
    await slack.react('ben', ofMia, 'thumbsup');
    await slack.react('ben', answer, '-1::skin-tone-3');
    const ballots = await slack.until(
      async () => store.ballots,
      (all) => all.length === 2,
    );
    const person = `slack:${await slack.idOf('ben')}`;
    expect(ballots).toEqual([
      { conversation, answer: `${conversation}:t1:answer:2`, person, vote: 'up' },
      { conversation, answer: `${conversation}:t1:answer:2`, person, vote: 'down' },
    ]);
  });
});

describe('the app’s own places', () => {
  test('the page shows what the bot is; opening its messages suggests how to begin', async () => {
    await listen();
    await slack.openHome('mia');
    const home = await slack.until(
      () => slack.home('mia'),
      (view) => view !== undefined,
    );
    expect(home?.shown).toContain('answer to help');
    expect(home?.shown).toContain('answer to memory list');
    await slack.openHome('mia', 'messages');
    const [prompts] = await slack.until(
      () => slack.prompts(),
      (all) => all.length > 0,
    );
    expect(JSON.stringify(prompts)).toContain('step by step');
    expect(await slack.violations()).toEqual([]);
  });

  test('B088: in an assistant pane whose opening was not told, the first message is answered', async () => {
    await listen();
    await slack.events({ subscriptions: ['message.im'] });
    const thread = await slack.openAssistant('mia');
    await slack.say('mia', 'hello', { in: 'dm', thread });
    expect(await untilStored(1)).toEqual(['hello']);
    expect(store.items[0]?.conversation.endsWith(`:${thread}`)).toBe(true);
  });

  test('Slack’s own Stop stops', async () => {
    await listen();
    const { ts } = await slack.say('mia', '@Docent first');
    await untilStored(1);
    await slack.pressStop('mia', ts);
    await slack.until(
      async () => store.kinds,
      (kinds) => kinds.includes('stop'),
    );
    expect(store.items[1]?.conversation).toBe(store.items[0]?.conversation);
  });
});

describe('requests', () => {
  test('forged, old and future ones are refused, the handshake is answered', async () => {
    await listen({ overHttp: true });
    expect(await slack.verifyUrl()).toBeTruthy();
    for (const forgery of ['signature', 'secret', 'old', 'future', 'unsigned', 'body'] as const)
      expect([forgery, await slack.forge(forgery)]).toEqual([forgery, 401]);
    expect(await slack.tellRateLimited()).toBeTruthy();
    expect(await slack.notices()).toEqual([]);
  });
});

describe('who is told what', () => {
  test('whoever may not speak is told in private; a mention and nothing else, too', async () => {
    await listen({
      accept: async ({ item }) => ('content' in item && item.content === '' ? 'ignored' : 'refused_person'),
    });
    await slack.say('mia', '@Docent please');
    await slack.say('ben', '@Docent');
    const alone = (who: string) =>
      slack.until(
        async () =>
          (await slack.messages('general', { onlyFor: who })).filter(({ author }) => author === 'Docent'),
        (all) => all.length === 1,
      );
    expect((await alone('mia'))[0]?.shown).toBe('I may not answer you here.');
    expect((await alone('ben'))[0]?.shown).toBe('There is nothing in it that I could answer.');
  });

  test('the language and the zone of a person are noted', async () => {
    const profiles: unknown[] = [];
    await slack.setPerson('mia', { tz: 'Pacific/Chatham', locale: 'de-DE' });
    await listen({ noteProfile: (_, profile) => void profiles.push([profile.locale, profile.zone]) });
    await slack.say('mia', '@Docent hallo');
    await untilStored(1);
    await slack.until(
      async () => profiles,
      (all) => all.length === 1,
    );
    expect(profiles).toEqual([['de-DE', 'Pacific/Chatham']]);
    expect(store.items[0]?.item.address.locale).toBe('de-DE');
  });
});

describe('changes', () => {
  test('an edit and a deletion that overtake their message count', async () => {
    await listen();
    const quick = await slack.say('mia', '@Docent one', { event: false });
    await slack.edit('mia', quick.ts, '@Docent two');
    const gone = await slack.say('mia', '@Docent never mind', { event: false });
    await slack.deleteMessage(gone.ts);
    await untilAcked(2);
    const channel = quick.channelId;
    const user = await slack.idOf('mia');
    for (const { ts, text } of [
      { ts: quick.ts, text: 'one' },
      { ts: gone.ts, text: 'never mind' },
    ])
      await slack.emit('message.channels', {
        type: 'message',
        channel,
        channel_type: 'channel',
        user,
        text: `<@${slack.botUserId}> ${text}`,
        ts,
      });
    await slack.say('mia', '@Docent last');
    expect(await untilStored(2)).toEqual(['two', 'last']);
  });

  test('a question that people replied to leaves a stump when it is deleted', async () => {
    await listen();
    const { ts } = await slack.say('mia', '@Docent one');
    await slack.say('ben', 'a reply', { thread: ts });
    await untilStored(2);
    await slack.deleteMessage(ts);
    const [change] = await slack.until(
      async () => store.changes,
      (all) => all.length === 1,
    );
    expect([change?.id, change?.content]).toEqual([ts, undefined]);
  });

  test('an edit and a deletion change what was said; a preview does not', async () => {
    await listen();
    const { ts } = await slack.say('mia', '@Docent one');
    await untilStored(1);
    await slack.edit('mia', ts, '@Docent two');
    await slack.addPreview(ts);
    await slack.deleteMessage(ts);
    const changes = await slack.until(
      async () => store.changes,
      (all) => all.length === 2,
    );
    expect(changes.map(({ id, content }) => [id, content])).toEqual([
      [ts, 'two'],
      [ts, undefined],
    ]);
  });
});

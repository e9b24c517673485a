// The surface against the strict fake, over real HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discordPlaces } from '../../../src/adapters/discord/places.ts';
import { discordRest } from '../../../src/adapters/discord/rest.ts';
import { ConversationId, TurnId, UserId } from '../../../src/domain/ids.ts';
import type { SurfaceMessage } from '../../../src/domain/surface-message.ts';
import { systemClock } from '../../../src/observe/clock.ts';
import type { Route, Surface, TurnPlace } from '../../../src/ports/surface.ts';
import { type SurfaceWorld, surfaceContract } from '../../contracts/surface.contract.ts';
import { type FakeDiscord, startDiscord } from '../../support/discord/server.ts';
import { quietLog } from '../../support/quiet-log.ts';

const never = new AbortController().signal;
const answer = (text: string): SurfaceMessage => ({ kind: 'answer', state: 'live', text });
const trace = (text: string): SurfaceMessage => ({ kind: 'trace', state: 'live', text });
const notice = (text: string): SurfaceMessage => ({ kind: 'notice', state: 'final', text });

let discord: FakeDiscord;
let rooms = 0;
beforeAll(async () => {
  discord = await startDiscord();
  await discord.rates({ shape: 'off' });
});
afterAll(() => discord.close());

function places(placement: 'channel' | 'thread' = 'channel') {
  const rest = discordRest({ token: discord.token, apiUrl: discord.apiUrl });
  return discordPlaces({ rest, clock: systemClock, log: quietLog, placement });
}

/** The place of a conversation that is not a reply: a thread or direct messages. */
function surfaceIn(place: string): Surface {
  const opened = places()(place, {
    conversation: ConversationId(`discord:${place}`),
    address: { surface: 'discord', place },
  });
  return (opened as TurnPlace).answer;
}

surfaceContract(
  'Discord',
  async (): Promise<SurfaceWorld> => {
    const room = `room-${(rooms += 1)}`;
    const id = await discord.addChannel(room);
    const routes: Partial<Record<Route, 'create_message' | 'edit_message' | 'delete_message'>> = {
      post: 'create_message',
      edit: 'edit_message',
      remove: 'delete_message',
    };
    const on = (route: Route) => routes[route] ?? 'create_message';
    const last = async () => (await discord.messages(room)).at(-1)?.id ?? '';
    return {
      keys: 'refused',
      fresh: async () => surfaceIn(id),
      shown: async () => (await discord.messages(room)).map(({ content }) => content),
      loseAnswer: (route) => discord.fault({ on: on(route), how: 'unclear' }),
      fail: (route) => discord.fault({ on: on(route), how: 'refused' }),
      limit: (route, retryAfterMs) =>
        discord.fault({
          on: on(route),
          how: 'limited',
          scope: 'user',
          ...(retryAfterMs !== undefined && { retryAfterMs }),
        }),
      deleteLast: async () => discord.deleteMessage(await last()),
      closeLast: () => discord.fault({ on: 'edit_message', how: 'limited', scope: 'user', rule: 'old_edit' }),
      endStream: async () => {},
      deletePlace: () => discord.deleteChannel(room),
    };
  },
  { hasStream: false },
);

describe('a turn in a channel', () => {
  async function asked(text = 'why?', placement: 'channel' | 'thread' = 'channel') {
    const room = `room-${(rooms += 1)}`;
    const place = await discord.addChannel(room);
    const question = await discord.say('mia', `@Docent ${text}`, { in: room });
    const open = () =>
      places(placement)(place, {
        conversation: ConversationId(`discord:${question.id}`),
        address: { surface: 'discord', place, replyTo: question.id, title: text },
      }) as TurnPlace;
    const inRoom = async () => (await discord.messages(room)).filter(({ author }) => author === 'Docent');
    const thread = async () => (await discord.threads()).find(({ id }) => id === question.id);
    const inThread = async () => (await discord.messages(question.id)).slice(1);
    return { room, place, question, open, inRoom, thread, inThread };
  }

  test('is answered by a reply that pings the asker, and by nothing else there', async () => {
    const { open, inRoom, question, thread } = await asked();
    const place = open();
    await place.answer.post(answer('one'), 'k:1', never);
    await place.answer.post(answer('two'), 'k:2', never);
    expect((await inRoom()).map(({ content, replyTo, pings }) => [content, replyTo, pings.users])).toEqual([
      ['one', question.id, ['mia']],
      ['two', undefined, []],
    ]);
    expect(await thread()).toBeUndefined();
  });

  test('has its trace, in small print, in the thread under the question', async () => {
    const { open, inThread, thread } = await asked('what is **1 + 1**?');
    await open().side.post(trace('✓ looked up\n⏳ reading'), 'k:3', never);
    expect((await inThread()).map(({ content }) => content)).toEqual(['-# ✓ looked up\n-# ⏳ reading']);
    expect(await thread()).toMatchObject({ name: 'what is 1 + 1?' });
  });

  test('gets one thread, whoever opens it and however often', async () => {
    const { open, inThread } = await asked();
    const both = [open(), open()].map((place, at) => place.side.post(notice(`n${at}`), `k:4${at}`, never));
    await Promise.all(both);
    expect((await inThread()).map(({ content }) => content).toSorted()).toEqual(['n0', 'n1']);
  });

  test('says what matters in the channel where it may start no thread, and leaves the trace out', async () => {
    const { room, open, inRoom, question } = await asked();
    await discord.revokePermission(room, 'CreatePublicThreads');
    const { side } = open();
    await expect(side.post(trace('✓ read'), 'k:5', never)).rejects.toThrow('there is no thread');
    await side.post(notice('Which chapter?'), 'k:6', never);
    expect((await inRoom()).map(({ content, replyTo }) => [content, replyTo])).toEqual([
      ['Which chapter?', question.id],
    ]);
  });

  test('is counted where its messages stand, also where that turns out later', async () => {
    const { room, place, question, open } = await asked();
    const counted = ({ budgets }: Surface) => budgets.edit.name.scope;
    const first = open();
    expect([counted(first.answer), counted(first.side)]).toEqual([place, question.id]);
    expect(first.side.budgets).toBe(first.side.budgets);
    await discord.revokePermission(room, 'CreatePublicThreads');
    const second = open();
    await second.side.post(notice('Which chapter?'), 'k:60', never);
    expect([counted(second.answer), counted(second.side)]).toEqual([place, place]);
  });

  test('has its trace nowhere and its questions in the channel beside voices, where there are no threads', async () => {
    const room = `room-${(rooms += 1)}`;
    const place = await discord.addChannel(room, 'voice');
    const { id } = await discord.say('mia', '@Docent why?', { in: room });
    const { side } = places()(place, {
      conversation: ConversationId(`discord:${id}`),
      address: { surface: 'discord', place, replyTo: id, title: 'why?', noThreads: true },
    }) as TurnPlace;
    await expect(side.post(trace('✓ read'), 'k:20', never)).rejects.toThrow('there is no thread');
    await side.post(notice('Which chapter?'), 'k:21', never);
    expect((await discord.messages(room)).at(-1)).toMatchObject({ content: 'Which chapter?', replyTo: id });
    expect((await discord.violations()).filter(({ path }) => path.includes(id))).toEqual([]);
  });

  test('is answered without a reply where the bot may not read what was said before', async () => {
    const { room, open, inRoom } = await asked();
    await discord.revokePermission(room, 'ReadMessageHistory');
    await open().answer.post(answer('one'), 'k:7', never);
    await discord.grantPermission(room, 'ReadMessageHistory');
    expect((await inRoom()).map(({ content, replyTo }) => [content, replyTo])).toEqual([['one', undefined]]);
  });

  test('is answered when the question is gone', async () => {
    const { open, inRoom, question } = await asked();
    await discord.deleteMessage(question.id);
    await open().answer.post(answer('one'), 'k:8', never);
    expect((await inRoom()).map(({ content }) => content)).toEqual(['one']);
  });

  test('is answered in the thread where that is wanted', async () => {
    const { open, inRoom, inThread } = await asked('why?', 'thread');
    await open().answer.post(answer('one'), 'k:9', never);
    expect(await inRoom()).toEqual([]);
    expect((await inThread()).map(({ content }) => content)).toEqual(['one']);
  });

  test('opens a thread that was archived to edit what stands in it', async () => {
    const { open, inThread, question } = await asked();
    const { side } = open();
    const { ref } = await side.post(trace('⏳ reading'), 'k:10', never);
    await discord.archiveThread(question.id);
    await side.edit(ref, trace('✓ read'), never);
    expect((await inThread()).map(({ content }) => content)).toEqual(['-# ✓ read']);
  });

  test.each(['locked', 'deleted'] as const)('goes on in the channel when its thread was %s', async (how) => {
    const { open, inRoom, question } = await asked();
    const { side } = open();
    const { ref } = await side.post(trace('⏳ reading'), `k:11${how}`, never);
    await (how === 'locked' ? discord.lockThread(question.id) : discord.deleteChannel(question.id));
    await expect(side.edit(ref, trace('✓ read'), never)).rejects.toThrow('Discord refused');
    await expect(side.post(trace('✓ written'), `k:12${how}`, never)).rejects.toThrow('Discord refused');
    await side.post(notice('Which chapter?'), `k:13${how}`, never);
    await side.post(notice('Which page?'), `k:14${how}`, never);
    expect((await inRoom()).map(({ content, replyTo }) => [content, replyTo])).toEqual([
      ['Which chapter?', question.id],
      ['Which page?', undefined],
    ]);
  });

  test.each(['locked', 'deleted'] as const)(
    'a reminder goes to its owner alone when its thread was %s',
    async (how) => {
      const { open, question } = await asked();
      await open().side.post(notice('hello'), `k:20${how}`, never);
      await (how === 'locked' ? discord.lockThread(question.id) : discord.deleteChannel(question.id));
      const calls = UserId(`discord:${await discord.idOf('mia')}`);
      const surface = surfaceIn(question.id);
      const { ref } = await surface.post({ ...notice(`⏰ ${how}`), calls }, `k:21${how}`, never);
      const [reminder] = (await discord.botMessages()).filter(({ id }) => id === ref.id);
      expect(reminder?.pings.users).toEqual(['mia']);
      expect(reminder?.channelId).toBe(await discord.channelId('dm', 'mia'));
      await expect(surface.post(notice('and this'), `k:22${how}`, never)).rejects.toHaveProperty(
        'code',
        'surface.gone',
      );
    },
  );

  test('goes on in its thread when the channel takes no more messages', async () => {
    const { room, open, inRoom, inThread, question } = await asked();
    const place = open();
    await place.answer.post(answer('one'), 'k:15', never);
    await discord.revokePermission(room, 'SendMessages');
    await place.answer.post(answer('two'), 'k:16', never);
    expect((await inRoom()).map(({ content }) => content)).toEqual(['one']);
    expect((await inThread()).map(({ content }) => content)).toEqual(['two']);
    expect(place.answer.budgets.post.name.scope).toBe(question.id);
  });

  test.each([
    ['an answer', { ...answer('half'), handle: { turn: TurnId('t'), slot: 'answer:1' } }, 'answer'],
    ['a trace', { ...trace('⏳ reading'), handle: { turn: TurnId('t'), slot: 'trace' } }, 'side'],
    ['a notice', notice('hello'), 'side'],
  ] as const)('finds %s that was posted when its nonce is forgotten', async (_, message, side) => {
    const { open, question } = await asked();
    const slot = 'handle' in message ? message.handle.slot : 'hint';
    const key = `discord:${question.id}:t:${slot}`;
    const first = await open()[side].post(message, key, never);
    await discord.advance(10 * 60_000);
    const later = { ...message, text: 'handle' in message ? 'grown' : message.text };
    expect(await open()[side].find(key, never, later)).toEqual(first.ref);
    expect(await open()[side].find(`${key}x`, never, { ...later, text: 'other' })).toBeUndefined();
  });

  test('brings what is too long as a file, and without it where files are not allowed', async () => {
    const { room, open, inRoom } = await asked();
    const { answer: here } = open();
    const long = {
      ...answer('begins'),
      state: 'final',
      file: { name: 'answer.md', text: 'goes on' },
    } as const;
    const { ref } = await here.post(answer('begins'), 'k:15', never);
    await here.edit(ref, long, never);
    const files = async () => (await inRoom())[0]?.files.map(({ filename, size }) => [filename, size]);
    expect(await files()).toEqual([['answer.md', 7]]);
    await here.edit(ref, { ...long, text: 'begins otherwise' }, never);
    expect(await files()).toEqual([['answer.md', 7]]);
    await here.edit(ref, { ...answer('short'), state: 'final' }, never);
    expect(await files()).toEqual([]);
    await discord.revokePermission(room, 'AttachFiles');
    await open().answer.post(long, 'k:16', never);
    expect((await inRoom()).map(({ content, files: sent }) => [content, sent.length])).toEqual([
      ['short', 0],
      ['begins', 0],
    ]);
  });

  test('pings nobody else, whatever is written', async () => {
    const { open, inRoom } = await asked();
    const { answer: here } = open();
    const all = '@everyone @here <@&1> <@2>';
    await discord.forgetJournal();
    const { ref } = await here.post(answer(all), 'k:13', never);
    await here.edit(ref, answer(`${all} again`), never);
    expect((await inRoom())[0]?.pings).toEqual({ users: ['mia'], roles: [], everyone: false });
    expect(await discord.notices()).toEqual([]);
  });

  test('shows a Stop button while the answer grows', async () => {
    const { open, inRoom, question } = await asked();
    const { answer: here } = open();
    const live = { ...answer('one'), handle: { turn: TurnId('t'), slot: 'answer:1' } };
    const { ref } = await here.post(live, 'k:14', never);
    expect((await inRoom())[0]?.buttons).toMatchObject([
      { label: 'Stop', customId: `stop/${question.id}/t/answer:1` },
    ]);
    const labels = async () => (await inRoom())[0]?.buttons.map(({ label }) => label);
    await here.edit(ref, { ...live, state: 'final', again: TurnId('t') }, never);
    expect(await labels()).toEqual(['Regenerate', '👍', '👎', '🗑️']);
    await here.edit(ref, { ...live, state: 'failed', again: TurnId('t') }, never);
    expect(await labels()).toEqual(['Retry', '🗑️']);
  });
});

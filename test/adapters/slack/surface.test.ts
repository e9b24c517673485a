// The surface against the strict fake, over real HTTP.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { slackPeople } from '../../../src/adapters/slack/people.ts';
import { conversationAt, placeName } from '../../../src/adapters/slack/place.ts';
import { slackPlaces } from '../../../src/adapters/slack/places.ts';
import { sendTo } from '../../../src/adapters/slack/upload.ts';
import { oneWorkspace, slackWeb } from '../../../src/adapters/slack/web.ts';
import { CallId, TurnId, UserId } from '../../../src/domain/ids.ts';
import type { SurfaceMessage } from '../../../src/domain/surface-message.ts';
import { systemClock } from '../../../src/observe/clock.ts';
import type { Route, Surface, TurnPlace } from '../../../src/ports/surface.ts';
import { type SurfaceWorld, surfaceContract } from '../../contracts/surface.contract.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { type FakeSlack, startSlack } from '../../support/slack/server.ts';

const never = new AbortController().signal;
const answer = (text: string): SurfaceMessage => ({ kind: 'answer', state: 'live', text });
const notice = (text: string): SurfaceMessage => ({ kind: 'notice', state: 'final', text });

let slack: FakeSlack;
let rooms = 0;
beforeAll(async () => {
  slack = await startSlack();
  await slack.rates({ isOn: false });
});
afterAll(() => slack.close());
afterEach(() => slack.clearFaults());

function places(placement: 'channel' | 'thread' = 'thread') {
  const webFor = oneWorkspace(slackWeb({ token: slack.token, apiUrl: slack.apiUrl }));
  return slackPlaces({
    webFor,
    people: slackPeople(webFor),
    sendBytes: sendTo([new URL(slack.url).origin]),
    clock: systemClock,
    log: quietLog,
    placement,
  });
}

interface Asked {
  readonly room: string;
  readonly ts: string;
  open(): TurnPlace;
  /** What the bot said there, oldest first. */
  said(): ReturnType<FakeSlack['messages']>;
}

async function asked({
  room,
  thread,
  placement = 'thread',
}: {
  readonly room?: string;
  readonly thread?: string;
  readonly placement?: 'channel' | 'thread';
} = {}): Promise<Asked> {
  const where = room ?? `room-${(rooms += 1)}`;
  if (room === undefined) await slack.addChannel(where);
  const { ts, channelId: channel } = await slack.say('mia', '@Docent why?', {
    in: where,
    ...(thread !== undefined && { thread }),
  });
  const team = slack.teamId;
  const root = thread ?? ts;
  return {
    room: where,
    ts,
    open: () =>
      places(placement)(placeName({ team, channel, ...(thread !== undefined && { thread }) }), {
        conversation: conversationAt({ team, channel, thread: root }),
        address: {
          surface: 'slack',
          place: '',
          replyTo: ts,
          title: 'why?',
          recipient: `${team}:${recipient}`,
        },
      }) as TurnPlace,
    said: async () =>
      (await slack.messages(where, { onlyFor: 'mia' })).filter(({ author }) => author === 'Docent'),
  };
}

let recipient = '';
beforeAll(async () => {
  recipient = await slack.idOf('mia');
});

surfaceContract(
  'Slack',
  async (): Promise<SurfaceWorld> => {
    const { room, open, said } = await asked();
    const methods: Record<Route, string> = {
      post: 'chat.postMessage',
      edit: 'chat.update',
      remove: 'chat.delete',
      start: 'chat.startStream',
      append: 'chat.appendStream',
      stop: 'chat.stopStream',
    };
    const last = async () => (await said()).at(-1)?.ts ?? '';
    return {
      keys: 'found',
      fresh: async () => open().answer,
      shown: async () => (await said()).map(({ shown }) => shown),
      loseAnswer: (route) => slack.fault({ on: methods[route], how: 'lost' }),
      fail: (route) => slack.fault({ on: methods[route], how: 'refused' }),
      limit: (route, retryAfterMs) =>
        slack.fault({
          on: methods[route],
          how: 'limited',
          ...(retryAfterMs !== undefined && { retryAfter: retryAfterMs / 1_000 }),
        }),
      deleteLast: async () => slack.deleteMessage(await last()),
      closeLast: () => slack.fault({ on: 'chat.update', how: 'error', rule: 'edit_window_closed' }),
      endStream: async () => {
        await slack.advance(301_000);
      },
      deletePlace: () => slack.archive(room),
    };
  },
  // Whole seconds.
  { hasStream: true, shortWaitMs: 2_000 },
);

const streamOf = ({ stream }: Surface) => {
  if (stream === undefined) throw new Error('nothing grows there');
  return stream;
};
const handle = { turn: TurnId('t1'), slot: 'answer:1' };

describe('a turn in a channel', () => {
  test('is shown in the thread of the question, all of it', async () => {
    const { open, said, ts } = await asked();
    const { answer: place, side } = open();
    await side.post(
      { kind: 'trace', state: 'live', text: '✓ looked up x\n🧠 thinking… 3 s' },
      'k:trace',
      never,
    );
    await place.post(answer('one'), 'k:answer:1', never);
    expect((await said()).map(({ thread, shown }) => [thread, shown])).toEqual([
      [ts, '🧠 thinking… 3 s\nlooked up x'],
      [ts, 'one'],
    ]);
    expect((await said())[0]?.blocks).toMatchObject([
      { type: 'plan', tasks: [{ type: 'task_card', title: 'looked up x', status: 'complete' }] },
    ]);
  });

  test('has its answer in the channel where that is set, and the rest in the thread', async () => {
    const { open, said, ts } = await asked({ placement: 'channel' });
    const { answer: place, side } = open();
    await place.post(answer('one'), 'k:answer:1', never);
    await side.post(notice('Which chapter?'), 'k:question:q', never);
    expect((await said()).map(({ thread, shown }) => [thread, shown])).toEqual([
      [undefined, 'one'],
      [ts, 'Which chapter?'],
    ]);
    expect(place.stream).toBeUndefined();
  });

  test('stays in its thread once it is there, whatever is set', async () => {
    const { room, ts } = await asked();
    const { open, said } = await asked({ room, thread: ts, placement: 'channel' });
    await open().answer.post(answer('two'), 'k:answer:1', never);
    expect((await said()).at(-1)).toMatchObject({ thread: ts, shown: 'two' });
  });

  test('shows a status line while it is at work', async () => {
    const { room, open, ts } = await asked();
    const stop = open().work();
    const line = () => slack.session(room, ts);
    const shown = await slack.until(line, (seen) => seen.line !== '');
    expect(shown).toMatchObject({ line: 'is at work …', status: 'processing' });
    stop();
    const over = await slack.until(line, (seen) => seen.line === '');
    expect(over.status).toBe('active');
  });

  test('marks the question where there is no status line', async () => {
    const { room, open, ts } = await asked();
    await slack.fault({ on: 'assistant.threads.setStatus', how: 'error', rule: 'no_session_here' });
    const stop = open().work();
    const reactions = async () => (await slack.messages(room)).find((each) => each.ts === ts)?.reactions;
    expect(await slack.until(reactions, (seen) => seen?.['eyes'] !== undefined)).toEqual({
      eyes: ['Docent'],
    });
    stop();
    expect(await slack.until(reactions, (seen) => seen?.['eyes'] === undefined)).toEqual({});
  });

  test('that may only be answered in threads is answered there', async () => {
    const { open, said, ts } = await asked({ placement: 'channel' });
    await slack.fault({ on: 'chat.postMessage', how: 'error', rule: 'restricted_action' });
    await open().answer.post(answer('one'), 'k:answer:1', never);
    expect((await said()).map(({ thread }) => thread)).toEqual([ts]);
  });

  test('unfolds no links and notifies nobody but whom it calls', async () => {
    const { open, said } = await asked();
    const { side } = open();
    await side.post(notice('<!channel> <@U1> https://example.com'), 'k:1', never);
    await side.post({ ...notice('⏰ redo this'), calls: UserId(`slack:${recipient}`) }, 'k:2', never);
    expect((await said()).map(({ pings }) => pings)).toEqual([
      { users: [], groups: [] },
      { users: ['mia'], groups: [] },
    ]);
    expect((await slack.notices()).filter(({ kind }) => kind === 'unfurl')).toEqual([]);
  });

  test('reaches whom it calls in a direct message when the channel is closed', async () => {
    const { room, open } = await asked();
    await slack.archive(room);
    await open().side.post({ ...notice('⏰ redo this'), calls: UserId(`slack:${recipient}`) }, 'k:3', never);
    expect((await slack.messages('dm', { onlyFor: 'mia' })).at(-1)?.shown).toContain('redo this');
  });

  test('tells by name whom an open question waits for, and lets others ask anyway', async () => {
    const { open, said } = await asked();
    const waitsFor = { callId: CallId('c1'), asker: UserId(`slack:${recipient}`) };
    await open().side.post({ ...notice(`I wait for ${recipient}.`), waitsFor }, 'k:4', never);
    const [shown] = await said();
    expect([shown?.shown, shown?.pings.users, shown?.buttons.map(({ label }) => label)]).toEqual([
      'I wait for mia.',
      [],
      ['Ask anyway'],
    ]);
  });

  test('is said in words where Slack takes no such blocks', async () => {
    const { open, said } = await asked();
    await slack.fault({ on: 'chat.postMessage', how: 'error', rule: 'invalid_blocks' });
    await open().answer.post(answer('**one**'), 'k:answer:1', never);
    expect((await said())[0]).toMatchObject({ shown: '**one**', blocks: [] });
  });

  test('carries what is too long as a file', async () => {
    const { open, said } = await asked();
    const file = { name: 'answer.md', text: '# All of it' };
    const { ref } = await open().answer.post(answer('one'), 'k:answer:1', never);
    await open().answer.edit(ref, { kind: 'answer', state: 'final', text: 'one', file }, never);
    // Said again, as after a crash: the file is there once.
    await open().answer.edit(ref, { kind: 'answer', state: 'final', text: 'one', file }, never);
    expect((await said()).map(({ files }) => files.map(({ name, text }) => [name, text]))).toEqual([
      [['answer.md', '# All of it']],
    ]);
  });

  test('is said without the file where none may be sent', async () => {
    const { open, said } = await asked();
    const file = { name: 'answer.md', text: '# All of it' };
    await slack.fault({ on: 'files.getUploadURLExternal', how: 'error', rule: 'file_uploads_disabled' });
    await open().answer.post({ kind: 'answer', state: 'final', text: 'one', file }, 'k:answer:1', never);
    expect((await said()).map(({ shown }) => shown)).toEqual(['one']);
  });
});

describe('an answer that grows', () => {
  test('ends with its buttons and its key', async () => {
    const { open, said } = await asked();
    const surface = open().answer;
    const stream = streamOf(surface);
    const { ref } = await stream.start(answer('one'), 'k:answer:1', never);
    await stream.append(ref, ' two', never);
    const end: SurfaceMessage = {
      kind: 'answer',
      state: 'final',
      text: 'one two.',
      handle,
      again: handle.turn,
    };
    await stream.stop(ref, '.', end, never);
    const [shown] = await said();
    expect(shown).toMatchObject({ shown: 'one two.', stream: { state: 'stopped' } });
    expect(shown?.buttons.map(({ label }) => label)).toEqual(['Regenerate', '🗑️', '👍', '👎']);
    expect(await open().answer.find('k:answer:1', never)).toEqual(ref);
  });

  test('has a Stop button once it goes on by edits', async () => {
    const { open, said } = await asked();
    const { ref } = await open().answer.post({ ...answer('one'), handle }, 'k:answer:1', never);
    await open().answer.edit(ref, { ...answer('one two'), handle }, never);
    expect((await said())[0]?.buttons.map(({ label }) => label)).toEqual(['Stop']);
  });

  test('is posted where nothing grows, and goes on by edits', async () => {
    const { open, said } = await asked();
    const surface = open().answer;
    await slack.fault({ on: 'chat.startStream', how: 'error', rule: 'stream_place' });
    const { ref } = await streamOf(surface).start(answer('one'), 'k:answer:1', never);
    await expect(streamOf(surface).append(ref, ' two', never)).rejects.toThrow('does not grow');
    await surface.edit(ref, answer('one two'), never);
    expect((await said()).map(({ shown }) => shown)).toEqual(['one two']);
  });

  test('is not tried again for a while where nothing grows', async () => {
    const opened = places();
    const { room, ts } = await asked();
    const at = { team: slack.teamId, channel: await slack.channelId(room) };
    const open = () =>
      opened(placeName(at), {
        conversation: conversationAt({ ...at, thread: ts }),
        address: { surface: 'slack', place: '', replyTo: ts, recipient: `${slack.teamId}:${recipient}` },
      }) as TurnPlace;
    await slack.fault({ on: 'chat.startStream', how: 'error', rule: 'stream_place' });
    await streamOf(open().answer).start(answer('one'), 'k:answer:1', never);
    expect(open().answer.stream).toBeUndefined();
  });

  test('is stopped before it is edited by whoever goes on with it', async () => {
    const { open, said } = await asked();
    const { ref } = await streamOf(open().answer).start(answer('one'), 'k:answer:1', never);
    await open().answer.edit(ref, { kind: 'answer', state: 'final', text: 'two' }, never);
    expect((await said()).map(({ shown }) => shown)).toEqual(['two']);
  });

  test('shows at once what can be certain, and all of it at its end', async () => {
    const { open, said } = await asked();
    const stream = streamOf(open().answer);
    const { ref } = await stream.start(answer('so $a_'), 'k:answer:1', never);
    const shown = async () => (await said())[0]?.shown;
    expect(await shown()).toBe('so ');
    await stream.append(ref, '1$ <!chan', never);
    expect(await shown()).toBe('so `a_1` ');
    await stream.append(ref, 'nel> and <', never);
    expect(await shown()).toBe('so `a_1` <\u200b!channel> and ');
    await stream.stop(
      ref,
      'b',
      { kind: 'answer', state: 'final', text: 'so $a_1$ <!channel> and <b' },
      never,
    );
    expect(await shown()).toBe('so `a_1` <\u200b!channel> and <b');
    expect((await said())[0]?.pings).toEqual({ users: [], groups: [] });
  });

  test('is made right by an edit when its end makes something else of what was shown', async () => {
    const { open, said } = await asked();
    const surface = open().answer;
    const money = `so $5 ${'x'.repeat(140)}`;
    const end: SurfaceMessage = { kind: 'answer', state: 'final', text: `${money}y$` };
    const { ref } = await streamOf(surface).start(answer(money), 'k:answer:1', never);
    await expect(streamOf(surface).append(ref, 'y$', never)).rejects.toThrow('has changed');
    await streamOf(surface).stop(ref, 'y$', end, never);
    expect((await said())[0]?.shown).toBe(`so \`5 ${'x'.repeat(140)}y\``);
  });

  test('is not taken for another one whose start was not heard of', async () => {
    const { open } = await asked();
    const { ref } = await streamOf(open().answer).start(answer('The first page.'), 'k:answer:1', never);
    expect(await open().answer.find('k:answer:1.2', never, answer('Quite another page.'))).toBeUndefined();
    expect(await open().answer.find('k:answer:1', never, answer('The first page. More.'))).toEqual(ref);
    expect(await open().answer.find('k:question:q', never, answer('The first page.'))).toBeUndefined();
  });
});

test('Slack had to refuse nothing but an edit of what another process let grow', async () => {
  expect((await slack.violations()).map(({ rule }) => rule)).toEqual(['streaming_conflict']);
});

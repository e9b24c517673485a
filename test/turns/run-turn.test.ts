import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { chat } from '../../src/capabilities/chat.ts';
import { TurnParkedError } from '../../src/domain/errors.ts';
import { CallId, ConversationId, EventId, TurnId, UserId } from '../../src/domain/ids.ts';
import type { InboxItem } from '../../src/domain/inbound.ts';
import { textOf } from '../../src/domain/message.ts';
import type { Preferences } from '../../src/domain/person.ts';
import { arrivedFiles } from '../../src/files/arrived-files.ts';
import type { EarlierMessage } from '../../src/ports/earlier.ts';
import type { FileFetches } from '../../src/ports/files.ts';
import type { ModelChunk, ModelRequest } from '../../src/ports/model.ts';
import { memoryConversations, memoryModelNotes } from '../../src/store/memory.ts';
import { memoryBlobs, memoryFileOutcomes } from '../../src/store/memory-files.ts';
import { askUser } from '../../src/tools/ask-user.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { protocolChoice } from '../../src/turns/protocol-choice.ts';
import { runTurn } from '../../src/turns/run-turn.ts';
import type { TurnServices } from '../../src/turns/services.ts';
import { manualClock } from '../support/clock.ts';
import { call, calling, plain, say } from '../support/dialogue.ts';
import { memoryScreens } from '../support/memory-screen.ts';
import { quietLog } from '../support/quiet-log.ts';
import { quietMeter } from '../support/quiet-meter.ts';

const talk = ConversationId('test:talk');
const ann = UserId('test:ann');
const ben = UserId('test:ben');
const address = { surface: 'test', place: 'room' };

/** A bot over the memory store, with a scripted model. */
function startBot(...responses: readonly (readonly ModelChunk[])[]) {
  const script = [...responses];
  const requests: ModelRequest[] = [];
  const clock = manualClock();
  const conversations = memoryConversations(clock);
  const screens = memoryScreens();
  const blobs = memoryBlobs(clock, 1_000_000);
  const outcomes = memoryFileOutcomes();
  const sent: string[] = [];
  const fetches: FileFetches = {
    send: async ({ files }) => void sent.push(...files.map(({ name }) => name)),
  };
  const timers: { callId: CallId; at: number }[] = [];
  let ids = 0;
  let allowed = Number.POSITIVE_INFINITY;
  let preferences: Preferences = {};
  let earlier = async (): Promise<readonly EarlierMessage[]> => [];
  const services: TurnServices = {
    conversations,
    screens,
    timers: { set: async (_talk, callId, at) => void timers.push({ callId, at }), clear: async () => {} },
    quotas: {
      message: async () => ((allowed -= 1) >= 0 ? { ok: true } : { ok: false, freeAt: 60_000 }),
      spend: async () => {},
    },
    noteLeft: async () => {},
    readEarlier: async () => earlier(),
    markUsed: () => {},
    files: arrivedFiles({ fetches, outcomes, blobs, clock, log: quietLog }),
    model: {
      name: 'scripted',
      contextWindow: 100_000,
      async *stream(request) {
        requests.push(request);
        yield* script.shift() ?? [];
      },
    },
    protocol: protocolChoice('auto', 'http://model', memoryModelNotes(clock), quietLog),
    tools: new Map([['ask_user', askUser]]),
    capability: chat,
    settings: {},
    hooks: {},
    meter: quietMeter,
    clock,
    logFor: () => quietLog,
    newId: () => `id-${(ids += 1)}`,
    estimateTokens: (text) => text.length,
    people: { preferences: async () => preferences },
    spokenTime: () => 'Thu 1 January 1970, 00:00 (UTC)',
  };
  const append = (item: InboxItem) => conversations.append({ conversation: talk, item, wanted: 'always' });
  const run = (signal = new AbortController().signal) => runTurn(services, talk, signal);
  return {
    clock,
    sent,
    /** A file of the next messages has been fetched. */
    async received(message: InboxItem, text: string) {
      const hash = await blobs.put(Buffer.from(text));
      if (hash === 'full') throw new Error('full');
      await outcomes.record(talk, message.id, 'f1', {
        kind: 'stored',
        hash,
        bytes: text.length,
        content: { is: 'text' },
      });
    },
    requests,
    screens,
    timers,
    services,
    conversations,
    append,
    run,
    wasSaidBefore: (read: typeof earlier) => void (earlier = read),
    allow: (messages: number) => void (allowed = messages),
    prefer: (chosen: Preferences) => void (preferences = chosen),
    said: (
      text: string,
      author = ann,
      more: Partial<Extract<InboxItem, { content: unknown }>> = {},
    ): InboxItem => ({
      kind: 'message',
      id: EventId(`m-${(ids += 1)}`),
      author,
      address,
      content: text,
      ...more,
    }),
    async hears(text: string, author = ann, more: Partial<Extract<InboxItem, { content: unknown }>> = {}) {
      await append(this.said(text, author, more));
      return run();
    },
  };
}

const asks = (...questions: object[]) => calling('``TOOL``\nI ask.', call('ask_user', { questions }, 'q'));
const topic = { prompt: 'Which?', options: ['sums', 'equations'] };

test('a message is answered, and the next one sees what was said', async () => {
  const bot = startBot(say('FINISH', 'x = 4'), say('FINISH', 'Because 2 · 4 = 8.'));
  await bot.hears('solve 2x = 8');
  await bot.hears('why?');
  expect(bot.screens.answers()).toEqual(['x = 4', 'Because 2 · 4 = 8.']);
  expect(bot.requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(bot.requests[1]?.messages[2]).toMatchObject({ content: '``FINISH``\nx = 4' });
});

describe('called into a talk of others', () => {
  const joins = { joinsTalk: true } as const;
  const noteIn = (bot: ReturnType<typeof startBot>, request: number) =>
    bot.requests[request]?.messages[1]?.content;

  test('it reads what was said before, once', async () => {
    const bot = startBot(say('FINISH', 'Four.'), say('FINISH', 'Five.'));
    bot.wasSaidBefore(async () => [
      { name: 'Ann', text: 'what is\n2 + 2?' },
      { name: 'Ben', text: 'three' },
    ]);
    await bot.hears('is that right?', ann, joins);
    await bot.hears('and 2 + 3?', ann, joins);
    expect(noteIn(bot, 0)).toBe(
      '[Said in this thread before, not to you; you have only read it:]\nAnn: what is\n  2 + 2?\nBen: three\n[End of what was said before.]',
    );
    expect(bot.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'user',
      'assistant',
      'user',
    ]);
  });

  test('the newest 6,000 characters of it', async () => {
    const bot = startBot(say('FINISH', 'Yes.'));
    bot.wasSaidBefore(async () =>
      ['first', 'second', 'third'].map((name) => ({ name, text: name.repeat(500) })),
    );
    await bot.hears('is that right?', ann, joins);
    const note = JSON.stringify(noteIn(bot, 0));
    expect(note).not.toContain('first:');
    expect(note).toMatch(/second: (?:second)+\\nthird: (?:third)+\\n/);
  });

  test.each([
    ['cannot be read', async () => Promise.reject(new Error('no permission'))],
    ['cannot be read in time', () => new Promise<never>(() => {})],
  ])('what %s is told', async (_, read) => {
    const bot = startBot(say('FINISH', 'Yes.'));
    bot.wasSaidBefore(read);
    const answered = bot.hears('is that right?', ann, joins);
    const over = new AbortController();
    void answered.finally(() => over.abort());
    while (!over.signal.aborted) await bot.clock.advance(1_000);
    await answered;
    expect(noteIn(bot, 0)).toBe('[What was said in this thread before could not be read.]');
  });

  test('nothing, where nobody had spoken', async () => {
    const bot = startBot(say('FINISH', 'Yes.'));
    await bot.hears('hello?', ann, joins);
    expect(noteIn(bot, 0)).toBe('hello?');
  });
});

test('nothing to do: no item, no model call', async () => {
  const bot = startBot();
  expect(await bot.run()).toBe('idle');
  expect(bot.requests).toEqual([]);
});

test('a note alone opens nothing and is kept for the next message', async () => {
  const bot = startBot(say('FINISH', 'Hi.'));
  await bot.hears('it is nine', ann, { kind: 'note' });
  expect(bot.requests).toEqual([]);
  await bot.hears('hello');
  expect(bot.requests[0]?.messages.map((message) => textOf(message.content)).slice(1)).toEqual([
    'it is nine',
    'hello',
  ]);
});

test('a new beginning hides what was said before, and keeps it in the journal', async () => {
  const bot = startBot(say('FINISH', 'x = 4'), say('FINISH', 'What do you mean?'));
  await bot.hears('solve 2x = 8');
  await bot.hears('a note of before', ann, { kind: 'note' });
  await bot.append({ kind: 'new', id: EventId('n'), author: ann, address });
  expect(await bot.run()).toBe('idle');
  await bot.hears('why?');
  const [system, ...rest] = bot.requests[1]?.messages ?? [];
  expect(system?.role).toBe('system');
  expect(rest.map((message) => textOf(message.content))).toEqual(['why?']);
  const { records } = await bot.conversations.claim(talk);
  expect(records.some((record) => record.type === 'user/message' && record.content === 'solve 2x = 8')).toBe(
    true,
  );
});

describe('what a person has chosen', () => {
  const systemOf = (bot: ReturnType<typeof startBot>, at = 0) =>
    textOf(bot.requests[at]?.messages[0]?.content ?? '');

  test('is told to the model, with their zone', async () => {
    const bot = startBot(say('FINISH', 'Hallo.'), say('FINISH', 'Hello.'));
    bot.prefer({ language: 'de', style: 'short', zone: 'Europe/Berlin' });
    await bot.hears('hello');
    expect(systemOf(bot)).toContain(
      'What this learner has set:\n- Answer in German, whatever language the question is in, unless another one is asked for.\n- Keep every answer short',
    );
    expect(systemOf(bot)).toMatch(/The time is .*\. The learner's time zone is Europe\/Berlin\.$/);
    bot.prefer({});
    await bot.hears('hello again');
    expect(systemOf(bot, 1)).not.toContain('has set');
  });

  test.each([
    [{ language: 'zh-CN', locale: 'de' }, 'en-GB', '消息太多了'],
    [{ locale: 'de' }, undefined, 'Das waren viele Nachrichten'],
    [{ locale: 'de' }, 'en-GB', 'That'],
  ])(
    "%j is the language of the bot's own words, before that of the message (%s)",
    async (preferences, locale, words) => {
      const bot = startBot();
      bot.prefer(preferences);
      bot.allow(0);
      await bot.hears('hello', ann, { address: { ...address, ...(locale !== undefined && { locale }) } });
      expect(bot.screens.told[0]).toContain(words);
    },
  );
});

test('only tools that exist are offered to the model', async () => {
  const bot = startBot(say('FINISH', 'Hi.'));
  await bot.hears('hello');
  expect(bot.requests[0]?.tools.map(({ name }) => name)).toEqual(['ask_user']);
});

test('a bare sum is computed before the model is asked, which may call no tool', async () => {
  const bot = startBot(say('FINISH', '12 · 7 = 84'));
  await bot.hears('12*7');
  expect(bot.requests[0]?.toolChoice).toBe('none');
  expect(JSON.stringify(bot.requests[0]?.messages.at(-1)?.content)).toContain('the result is 84');
});

test('a model that could not hold the protocol in two turns is asked natively from then on', async () => {
  const broken = [plain('a'), plain('b'), plain('c'), plain('closing')];
  const bot = startBot(...broken, ...broken, plain('Hello.'));
  await bot.hears('one');
  await bot.hears('two');
  await bot.hears('three');
  expect(bot.screens.answers().at(-1)).toBe('Hello.');
  expect(textOf(bot.requests.at(-1)?.messages[0]?.content ?? '')).not.toContain('``FINISH``');
});

test('who writes too much is told when it goes on, and nothing reaches the model', async () => {
  const bot = startBot(say('FINISH', 'Hi.'));
  bot.allow(0);
  expect(await bot.hears('hello')).toBe('idle');
  expect(bot.requests).toEqual([]);
  expect(bot.screens.told).toEqual([expect.stringContaining('00:01 UTC')]);
});

describe('a question', () => {
  const open = async (...questions: object[]) => {
    const bot = startBot(
      asks(...(questions.length > 0 ? questions : [topic])),
      say('FINISH', 'Equations it is.'),
    );
    await bot.hears('help me practise');
    return bot;
  };

  test('is stored before its card is shown, with its time', async () => {
    const bot = await open();
    expect(bot.screens.cards).toEqual([{ callId: 'q', state: 'open', answers: 0 }]);
    expect(await bot.conversations.pauseOf(talk)).toMatchObject({
      callId: 'q',
      asker: ann,
      card: { id: 'card-q' },
    });
    expect(bot.timers).toEqual([{ callId: 'q', at: 14 * 24 * 3600 * 1000 }]);
  });

  test('a typed number answers it; the same turn goes on with exactly one result', async () => {
    const bot = await open();
    await bot.hears('2');
    expect(bot.screens.answers()).toEqual(['Equations it is.']);
    const result = bot.requests[1]?.messages.at(-1);
    expect(result).toMatchObject({ role: 'tool', callId: 'q', status: 'answered' });
    expect(JSON.parse(textOf(result?.content ?? ''))).toEqual({
      answers: [{ id: 'q1', selected: ['equations'], text: '', status: 'answered' }],
      by: 'test:ann',
      at: '1970-01-01T00:00:00.000Z',
    });
    expect(bot.screens.cards).toEqual([{ callId: 'q', state: 'answered', answers: 1 }]);
    expect(await bot.conversations.pauseOf(talk)).toBeUndefined();
  });

  test('plain messages answer several questions one after the other', async () => {
    const bot = await open(topic, { prompt: 'How many?' });
    await bot.hears('sums');
    expect(bot.screens.cards).toEqual([{ callId: 'q', state: 'open', answers: 1 }]);
    expect(bot.requests).toHaveLength(1);
    await bot.hears('five please');
    const result = JSON.parse(textOf(bot.requests[1]?.messages.at(-1)?.content ?? ''));
    expect(result.answers).toEqual([
      { id: 'q1', selected: ['sums'], text: '', status: 'answered' },
      { id: 'q2', selected: [], text: 'five please', status: 'answered' },
    ]);
  });

  test('a message that is no option gets a hint, and the question stays open', async () => {
    const bot = await open({ ...topic, allow_free_text: false });
    await bot.hears('bananas');
    expect(bot.screens.told).toEqual(['Please choose one of the options.']);
    expect(bot.requests).toHaveLength(1);
    await bot.hears('2');
    expect(bot.screens.answers()).toEqual(['Equations it is.']);
  });

  test('other people are notes for the model; who addresses the bot is told once whom it waits for', async () => {
    const bot = await open();
    await bot.hears('I would take sums', ben);
    expect(bot.screens.told).toEqual([]);
    await bot.hears('hey @bot', ben, { mentioned: true });
    await bot.hears('@bot hello?', ben, { mentioned: true });
    expect(bot.screens.told).toEqual(['I am waiting for ann to answer first.']);
    await bot.hears('2');
    const said = bot.requests[1]?.messages.map((message) => textOf(message.content)) ?? [];
    expect(said.slice(-3)).toEqual(['I would take sums', 'hey @bot', '@bot hello?']);
  });

  test('anyone may answer where the card says so', async () => {
    const bot = startBot(
      calling('``TOOL``\nI ask.', call('ask_user', { questions: [topic], answerers: 'anyone' }, 'q')),
      say('FINISH', 'Sums.'),
    );
    await bot.hears('help us');
    await bot.hears('1', ben);
    expect(bot.screens.answers()).toEqual(['Sums.']);
  });

  const closing = (kind: 'timeout' | 'supersede'): InboxItem => ({
    kind,
    id: EventId(kind),
    callId: CallId('q'),
    address,
  });

  test('it runs out: the card says so, the turn ends, no model call', async () => {
    const bot = await open();
    await bot.append(closing('timeout'));
    await bot.run();
    expect(bot.requests).toHaveLength(1);
    expect(bot.screens.cards[0]?.state).toBe('expired');
    expect(bot.screens.events.at(-1)).toEqual({ type: 'turn.ended', outcome: { kind: 'no_reply' } });
  });

  test('it is superseded: the turn goes on with what the other person said', async () => {
    const bot = await open();
    await bot.hears('I would rather know why', ben, { mentioned: true });
    await bot.append(closing('supersede'));
    await bot.run();
    expect(bot.requests[1]?.messages.find((message) => message.role === 'tool')).toMatchObject({
      status: 'superseded',
    });
    expect(bot.screens.cards[0]?.state).toBe('closed');
  });

  test('a stop closes it', async () => {
    const bot = await open();
    await bot.append({ kind: 'stop', id: EventId('s'), author: ann, address });
    await bot.run();
    expect(bot.requests).toHaveLength(1);
    expect(bot.screens.events.at(-1)).toMatchObject({ type: 'turn.ended', outcome: { kind: 'aborted' } });
    await bot.hears('hello again');
    expect(bot.requests[1]?.messages.find((message) => message.role === 'tool')).toMatchObject({
      status: 'aborted',
    });
  });

  test('a process that died before the question was stored: the next one stores and shows it', async () => {
    const bot = await open();
    const claim = await bot.conversations.claim(talk);
    await claim.closePause(CallId('q'));
    bot.screens.cards.length = 0;
    await bot.hears('I would take sums', ben);
    expect(bot.screens.cards).toEqual([{ callId: 'q', state: 'open', answers: 0 }]);
    expect(await bot.conversations.pauseOf(talk)).toMatchObject({ callId: 'q', asker: ann });
  });
});

test('a stop that was stored while nobody listened ends the turn at its next boundary', async () => {
  const bot = startBot(say('THINK', 'hm'), say('FINISH', 'never shown'));
  const stop: InboxItem = { kind: 'stop', id: EventId('s'), author: ann, address };
  const asked = bot.services.model;
  const services: TurnServices = {
    ...bot.services,
    model: {
      name: 'scripted',
      async *stream(request, signal) {
        await bot.append(stop);
        yield* asked.stream(request, signal);
      },
    },
  };
  await bot.append(bot.said('hello'));
  await runTurn(services, talk, new AbortController().signal);
  expect(bot.requests).toHaveLength(1);
  expect(bot.screens.events.at(-1)).toMatchObject({ type: 'turn.ended', outcome: { kind: 'aborted' } });
});

test('a message that came right before a crash behind turn/start is not lost', async () => {
  const bot = startBot(say('FINISH', 'Hi.'));
  await bot.append(bot.said('hello'));
  const dead = await bot.conversations.claim(talk);
  await dead.append([{ type: 'turn/start', turn: 't0' as never, protocol: 'label', address, asker: ann }]);
  await bot.run();
  expect(bot.requests[0]?.messages.map((message) => textOf(message.content))).toContain('hello');
  expect(bot.screens.answers()).toEqual(['Hi.']);
});

describe('a file', () => {
  const withFile = (bot: ReturnType<typeof startBot>, text: string, id = 'm') =>
    bot.said(text, ann, { id: EventId(id), files: [{ id: 'f1', name: 'sums.md', source: 'here' }] });
  const told = (bot: ReturnType<typeof startBot>, request = 0) =>
    (bot.requests[request]?.messages ?? []).map(({ content }) => textOf(content)).slice(1);

  test('that came before the turn is read with its message', async () => {
    const bot = startBot(say('FINISH', 'Yes.'));
    const message = withFile(bot, 'is this right?');
    await bot.append(message);
    await bot.received(message, '1 + 1 = 2');
    await bot.run();
    expect(told(bot)).toEqual([
      expect.stringMatching(/^is this right\?\n\n\[The file "sums.md".*\n1 \+ 1 = 2\n/),
    ]);
    expect(bot.sent).toEqual([]);
  });

  test('that is on its way is waited for, and sent for by whoever waits', async () => {
    const bot = startBot(say('FINISH', 'Yes.'));
    const message = withFile(bot, 'is this right?');
    await bot.append(message);
    const running = bot.run();
    await bot.clock.untilWaiting();
    await bot.clock.advance(19_000);
    expect(bot.sent).toEqual(['sums.md']);
    expect(bot.requests).toEqual([]);
    await bot.received(message, '1 + 1 = 2');
    await bot.clock.advance(100);
    await running;
    expect(told(bot).join()).toContain('1 + 1 = 2');
  });

  test('that does not come in 20 s is said to be missing, and the turn goes on', async () => {
    const bot = startBot(say('FINISH', 'I have not seen it.'));
    await bot.append(withFile(bot, 'is this right?'));
    const running = bot.run();
    await bot.clock.untilWaiting();
    await bot.clock.advance(20_000);
    await running;
    expect(told(bot)).toEqual([
      'is this right?\n\n[The file "sums.md" has not arrived yet. Say so; go on without it.]',
    ]);
    expect(bot.screens.answers()).toEqual(['I have not seen it.']);
  });

  test('does not hold up a stop', async () => {
    const bot = startBot();
    await bot.append(withFile(bot, 'is this right?'));
    const stopper = new AbortController();
    const running = bot.run(stopper.signal);
    await bot.clock.untilWaiting();
    stopper.abort('user');
    await running;
    expect(bot.requests).toEqual([]);
    expect(bot.screens.events.at(-1)).toMatchObject({ outcome: { kind: 'aborted' } });
  });

  test('is waited for anew by the next process when this one ends', async () => {
    const bot = startBot(say('FINISH', 'Yes.'));
    const message = withFile(bot, 'is this right?');
    await bot.append(message);
    const ending = new AbortController();
    const parked = bot.run(ending.signal);
    await bot.clock.untilWaiting();
    ending.abort(new TurnParkedError('this process ends'));
    await expect(parked).rejects.toThrow(TurnParkedError);
    await bot.received(message, '1 + 1 = 2');
    await bot.run();
    expect(told(bot).join()).toContain('1 + 1 = 2');
    expect(bot.screens.answers()).toEqual(['Yes.']);
  });

  test('that comes with the answer to a question is read too', async () => {
    const bot = startBot(asks(topic), say('FINISH', 'Equations it is.'));
    await bot.hears('help me practise');
    const message = withFile(bot, '2');
    await bot.append(message);
    await bot.received(message, '2x = 4');
    await bot.run();
    const messages = bot.requests[1]?.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
    expect(textOf(messages.at(-1)?.content ?? '')).toContain('2x = 4');
  });

  test('on its own answers no question and is kept for the model', async () => {
    const bot = startBot(asks(topic), say('FINISH', 'Equations it is.'));
    await bot.hears('help me practise');
    const message = withFile(bot, '');
    await bot.append(message);
    await bot.received(message, '2x = 4');
    await bot.run();
    expect(bot.requests).toHaveLength(1);
    await bot.hears('2');
    expect(told(bot, 1).at(-1)).toContain('2x = 4');
  });
});

describe('the newest answer, anew', () => {
  const again = (id: string, turn = 'id-2', author = ann): InboxItem => ({
    kind: 'again',
    id: EventId(id),
    author,
    address,
    turn: TurnId(turn),
  });

  test('is asked for with the same words, and not shown the old answer; that stays in the journal', async () => {
    const bot = startBot(say('FINISH', 'x = 5'), say('FINISH', 'x = 4'), say('FINISH', 'Because.'));
    await bot.hears('solve 2x = 8');
    expect(await bot.append(again('a1'))).toBe('wake');
    expect(await bot.run()).toBe('idle');
    expect(bot.requests[1]?.messages).toEqual(bot.requests[0]?.messages);
    const { records } = await bot.conversations.claim(talk);
    expect(records.filter(({ type }) => type === 'assistant/message')).toMatchObject([
      { content: '``FINISH``\nx = 5' },
      { content: '``FINISH``\nx = 4' },
    ]);
    expect(records.filter(({ type }) => type === 'turn/start')).toMatchObject([
      { turn: 'id-2' },
      { turn: 'id-2', again: 'a1', asker: ann },
    ]);
    await bot.hears('why?');
    expect(bot.requests[2]?.messages.map(({ role, content }) => [role, content]).slice(1)).toEqual([
      ['user', 'solve 2x = 8'],
      ['assistant', '``FINISH``\nx = 4'],
      ['user', 'why?'],
    ]);
  });

  test('goes on after a crash, once', async () => {
    const bot = startBot(say('FINISH', 'x = 5'), say('FINISH', 'x = 4'));
    await bot.hears('solve 2x = 8');
    await bot.append(again('a1'));
    const lost = await bot.conversations.claim(talk);
    const start = {
      type: 'turn/start',
      turn: TurnId('id-2'),
      protocol: 'label',
      address,
      asker: ann,
    } as const;
    await lost.append([{ ...start, again: EventId('a1') }]);
    expect(await bot.run()).toBe('idle');
    expect(bot.requests).toHaveLength(2);
    expect(bot.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'solve 2x = 8' });
  });

  test.each([
    ['of an older turn', again('a1', 'id-1')],
    ['by somebody else', again('a1', 'id-2', ben)],
  ])('%s is refused with a line', async (_what, item) => {
    const bot = startBot(say('FINISH', 'x = 4'));
    await bot.hears('solve 2x = 8');
    await bot.append(item);
    expect(await bot.run()).toBe('idle');
    expect(bot.requests).toHaveLength(1);
    expect(bot.screens.told).toEqual([expect.stringContaining('I do not repeat this one')]);
  });

  test('is refused when something was done on the way', async () => {
    const bot = startBot(calling('``TOOL``\n', call('write_memory', {}, 'w')), say('FINISH', 'Kept.'));
    const keep = defineTool({
      name: 'write_memory',
      description: 'Keeps it.',
      args: z.object({}),
      mode: 'exclusive',
      effect: 'idempotent',
      run: async () => ({ kind: 'text', text: 'Kept.' }),
    });
    Object.assign(bot.services, { tools: new Map([['write_memory', keep]]) });
    await bot.hears('remember that');
    await bot.append(again('a1'));
    await bot.run();
    expect(bot.requests).toHaveLength(2);
    expect(bot.screens.told).toEqual([expect.stringContaining('I do not repeat this one')]);
  });

  test('gives way to what was said meanwhile', async () => {
    const bot = startBot(say('FINISH', 'x = 4'), say('FINISH', 'You are welcome.'));
    await bot.hears('solve 2x = 8');
    await bot.append(again('a1'));
    await bot.append(bot.said('thanks'));
    expect(await bot.run()).toBe('idle');
    expect(bot.requests).toHaveLength(2);
    expect(bot.requests[1]?.messages.at(-1)).toMatchObject({ content: 'thanks' });
  });

  test('is late while a turn runs or a question is open', async () => {
    const bot = startBot(asks(topic), say('FINISH', 'Sums it is.'));
    await bot.append(bot.said('help me'));
    expect(await bot.append(again('a1'))).toBe('late');
    await bot.run();
    expect(await bot.append(again('a2'))).toBe('late');
  });
});

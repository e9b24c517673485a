// The messages of a turn: an answer as a chain of pages, its retraction, its end, and what does not fit.

import { expect, test } from 'vitest';
import { localRateBudgets } from '../../src/delivery/local-rate-budgets.ts';
import { CallId, ConversationId, TurnId } from '../../src/domain/ids.ts';
import type { TurnEvent } from '../../src/domain/turn.ts';
import type { RateBudgets } from '../../src/ports/rate-budget.ts';
import { MessageScreen } from '../../src/render/message-screen.ts';
import { wordsFor } from '../../src/render/notices.ts';
import { memoryConversations } from '../../src/store/memory.ts';
import { manualClock } from '../support/clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { everythingIn } from '../support/surface/everything-in.ts';
import { inProcessSurface } from '../support/surface/in-process.ts';
import { FakePlatform } from '../support/surface/platform.ts';
import type { PlatformLimit, PlatformRules } from '../support/surface/platform-calls.ts';

async function startScreen(rules: Partial<PlatformRules> = {}) {
  const clock = manualClock();
  const platform = new FakePlatform(() => clock.now(), { maxChars: 200, ...rules });
  const conversations = memoryConversations(clock);
  const local = localRateBudgets(clock);
  const asked: string[] = [];
  const budgets: RateBudgets = {
    budget(named) {
      const budget = local.budget(named);
      return {
        ...budget,
        async ask(want) {
          asked.push(want.importance);
          return budget.ask(want);
        },
      };
    },
  };
  const talk = ConversationId('fake:room');
  /** Of a process that claims the turn. */
  const open = async () =>
    new MessageScreen({
      ...everythingIn(inProcessSurface(platform, clock)('room')),
      budgets,
      ledger: (await conversations.claim(talk)).ledger(TurnId('t')),
      clock,
      log: quietLog,
      signal: new AbortController().signal,
      key: 'fake:room:t',
      words: wordsFor('en'),
    });
  const visible = () => platform.state().messages.filter(({ isDeleted }) => !isDeleted);
  return {
    clock,
    screen: await open(),
    open,
    /** Lets time pass until the platform shows what was wanted. */
    async passing(done: Promise<unknown>): Promise<void> {
      const over = new AbortController();
      const watched = done.finally(() => over.abort());
      watched.catch(() => {}); // awaited below
      while (!over.signal.aborted) await clock.advance(50);
      await watched;
    },
    /** What can be read, with all that stood there before, message by message. */
    messages: () => visible().map(({ versions }) => versions),
    now: () => visible().map(({ versions }) => versions.at(-1)?.text),
    platform,
    /** As what each write asked for its turn. */
    asked,
    calls: () => platform.state().calls.map((call) => `${call.do} ${call.status}`),
  };
}

const text = (piece: string): TurnEvent => ({ type: 'answer.delta', text: piece });
const sentences = (count: number) =>
  Array.from({ length: count }, (_, at) => `Sentence number ${at}. `).join('');

async function say(world: Awaited<ReturnType<typeof startScreen>>, whole: string): Promise<void> {
  for (let at = 0; at < whole.length; at += 20) {
    world.screen.show(text(whole.slice(at, at + 20)));
    await world.clock.advance(100);
  }
}

test('a long answer goes on in further messages, and a settled one is not edited again', async () => {
  const world = await startScreen();
  await say(world, sentences(25));
  const [first] = world.messages();
  await say(world, sentences(10));
  expect(world.messages()[0]).toEqual(first);
  await world.passing(world.screen.finish({ kind: 'finish', answer: '' }));
  expect(world.now().join(' ')).toBe(`${sentences(25)}${sentences(10)}`.trim());
  expect(world.messages().map((versions) => versions.at(-1)?.state)).toEqual(
    world.messages().map(() => 'final'),
  );
});

test('a page that is full takes its turn as growing text does: the answer goes on', async () => {
  const world = await startScreen();
  await say(world, sentences(25));
  expect(world.messages().map((versions) => versions.at(-1)?.state)).toEqual(['final', 'final', 'live']);
  expect([...new Set(world.asked)]).toEqual(['first', 'text']);
  await world.passing(world.screen.finish({ kind: 'finish', answer: '' }));
  expect(world.asked.at(-1)).toBe('final');
});

test('pages that are first shown together stand in order, whatever becomes of their posts', async () => {
  const world = await startScreen();
  world.platform.control({ control: 'fault', fault: { on: 'post', how: 'refused', times: 1 } });
  world.screen.show(text(sentences(30)));
  await world.passing(world.screen.finish({ kind: 'finish', answer: '' }));
  expect(world.now().length).toBeGreaterThan(2);
  expect(world.now().join(' ')).toBe(sentences(30).trim());
});

test('pages that are taken away go from the last one on, so that those that come back stand in order', async () => {
  const once: PlatformLimit = { calls: 1, perMs: 10_000, counted: 'window', per: 'place', tells: 'headers' };
  const world = await startScreen({ limits: { remove: once } });
  await say(world, sentences(25));
  world.screen.show({ type: 'answer.retracted', keep: 60, draft: '', why: 'repair' });
  await world.clock.advance(200);
  await say(world, sentences(30));
  await world.passing(world.screen.finish({ kind: 'finish', answer: '' }));
  expect(world.now().join(' ')).toBe(`${sentences(25).slice(0, 60)}${sentences(30)}`.trim());
});

test('the next answer of a turn stands below one that could not be posted at once', async () => {
  const world = await startScreen();
  world.platform.control({ control: 'fault', fault: { on: 'post', how: 'refused', times: 1 } });
  world.screen.show(text('First.'));
  world.screen.show({ type: 'answer.closed' });
  world.screen.show(text('Second.'));
  await world.passing(world.screen.finish({ kind: 'finish', answer: '' }));
  expect(world.now()).toEqual(['First.', 'Second.']);
});

test('beyond six messages the rest is attached as a file that is Markdown by itself', async () => {
  const world = await startScreen();
  await say(
    world,
    `\`\`\`js\n${Array.from({ length: 90 }, (_, at) => `let v${at} = ${at};`).join('\n')}\n\`\`\`\n`,
  );
  expect(world.messages()).toHaveLength(6);
  expect(
    world
      .messages()
      .flat()
      .some(({ file }) => file !== undefined),
  ).toBe(false);
  await world.passing(world.screen.finish({ kind: 'finish', answer: '' }));
  const file = world.messages()[5]?.at(-1)?.file;
  expect(file?.name).toBe('answer.md');
  expect(file?.text).toMatch(/^```js\nlet v\d+ = \d+;\n[^]*let v89 = 89;\n```$/);
  const shown = [...world.now(), file?.text].join('\n').match(/let v\d+/g);
  expect(shown).toEqual(Array.from({ length: 90 }, (_, at) => `let v${at}`));
});

test('text that is taken back leaves what is kept, and no message of the rest', async () => {
  const world = await startScreen();
  await say(world, sentences(25));
  expect(world.messages().length).toBeGreaterThan(2);
  world.screen.show({ type: 'answer.retracted', keep: 18, draft: '', why: 'repair' });
  await world.clock.advance(100);
  await world.passing(world.screen.finish({ kind: 'finish', answer: '' }));
  expect(world.now()).toEqual(['Sentence number 0.']);
});

test('a stopped answer says so below its text, outside of the code it was writing', async () => {
  const world = await startScreen();
  await say(world, 'Look:\n\n```js\nlet a = 1;');
  await world.passing(world.screen.finish({ kind: 'aborted', answer: '', cause: 'stop' }));
  expect(world.messages()[0]?.at(-1)).toEqual({
    by: 'this process',
    kind: 'answer',
    state: 'stopped',
    text: 'Look:\n\n```js\nlet a = 1;\n```\n\n⏹ Stopped.',
  });
});

const stopped = { kind: 'aborted', answer: '', cause: 'stop' } as const;

test('a turn that is stopped before any text says that there is no answer', async () => {
  const world = await startScreen();
  await world.passing(world.screen.finish(stopped));
  expect(world.now()).toEqual(['⏹ Stopped: there is no answer. Ask again any time.']);
});

test('a turn that is stopped behind an answer of it that stands adds nothing', async () => {
  const world = await startScreen();
  await say(world, 'The first answer.');
  world.screen.show({ type: 'answer.closed' });
  await world.passing(world.screen.finish(stopped));
  expect(world.now()).toEqual(['The first answer.']);
});

test('a turn that ends without any text shows why', async () => {
  const world = await startScreen();
  await world.passing(world.screen.finish({ kind: 'blocked', reason: 'Not here.' }));
  expect(world.now()).toEqual(['This was not let through: Not here.']);
});

test('an answer that is closed stays, and the next text opens another message', async () => {
  const world = await startScreen();
  await say(world, 'The first answer.');
  world.screen.show({ type: 'answer.closed' });
  await say(world, 'And the second.');
  await world.passing(world.screen.finish({ kind: 'finish', answer: '' }));
  expect(world.now()).toEqual(['The first answer.', 'And the second.']);
});

test('after a crash the same messages are edited, and those that are too many go', async () => {
  const world = await startScreen();
  await say(world, sentences(25));
  expect(world.messages().length).toBeGreaterThan(2);
  const next = await world.open();
  next.show({ type: 'turn.resumed', by: 'crash', closedAnswers: [], work: [] });
  next.show(text('A shorter answer.'));
  await world.passing(next.finish({ kind: 'finish', answer: '' }));
  expect(world.now()).toEqual(['A shorter answer.']);
  expect(world.messages()[0]?.[0]?.text).toMatch(/^Sentence number 0/);
});

test('an answer that was closed before the crash keeps its pages, and loses those that it does not need', async () => {
  const world = await startScreen();
  await say(world, sentences(25));
  const next = await world.open();
  next.show({ type: 'turn.resumed', by: 'crash', closedAnswers: ['The first answer.'], work: [] });
  next.show(text('And the second.'));
  await world.passing(next.finish({ kind: 'finish', answer: '' }));
  expect(world.now()).toEqual(['The first answer.', 'And the second.']);
});

test('an answer that was whole before the crash needed no more thought, however slowly it is shown', async () => {
  const { open, clock, passing, now } = await startScreen();
  const screen = await open();
  screen.show({ type: 'turn.resumed', by: 'crash', closedAnswers: ['The answer.'], work: [] });
  await clock.advance(3_000);
  await passing(screen.finish({ kind: 'finish', answer: 'The answer.' }));
  expect(now()).toEqual(['The answer.']);
});

test('an answer of which nothing is left at the end has no message', async () => {
  const world = await startScreen();
  await say(world, 'Let me look that up.');
  world.screen.show({ type: 'answer.retracted', keep: 0, draft: 'Let me look that up.', why: 'narration' });
  await world.clock.advance(1_000);
  expect(world.now()).toEqual(['…']);
  await world.passing(world.screen.finish({ kind: 'no_reply' }));
  expect(world.now()).toEqual([]);
});

test('text that goes on behind the output limit joins without a break', async () => {
  const world = await startScreen();
  await say(world, 'The **deriv');
  world.screen.show({ type: 'notice', notice: 'continuing' });
  await say(world, 'ative** of a sum is the sum of the derivatives.');
  await world.passing(world.screen.finish({ kind: 'finish', answer: '' }));
  expect(world.now()[0]).toBe('The **derivative** of a sum is the sum of the derivatives.');
});

test('thoughts wait for rows of calls, and those for everything else', async () => {
  const world = await startScreen();
  const thought: TurnEvent = { type: 'thinking.delta', text: 'Hm. ' };
  world.screen.show(thought);
  await world.clock.advance(2_000);
  const call = { id: CallId('c1'), name: 'web_fetch', args: '{}' };
  world.screen.show({ type: 'tool.started', call });
  world.screen.show(thought);
  await world.clock.advance(2_000);
  expect([...new Set(world.asked)]).toEqual(['thinking', 'tools']);
});

test('after a crash the trace goes on with what was thought and done before', async () => {
  const world = await startScreen();
  const call = { id: CallId('c1'), name: 'web_fetch', args: '{"url":"x"}' };
  const work: TurnEvent[] = [
    { type: 'thinking.delta', text: 'Look it up.' },
    { type: 'tool.started', call },
    { type: 'tool.finished', callId: call.id, name: call.name, status: 'ok', ms: 0 },
  ];
  for (const event of work) world.screen.show(event);
  await world.clock.advance(2_000);
  const before = world.now()[0];
  expect(before).toMatch(/^🧠 Look it up\.\n✓ reading a page x\n/);
  const next = await world.open();
  next.show({ type: 'turn.resumed', by: 'crash', closedAnswers: [], work });
  next.show({ type: 'thinking.delta', text: 'So it is.' });
  await world.clock.advance(2_000);
  expect(world.now()).toEqual([
    expect.stringMatching(/^🧠 Look it up\.\n✓ reading a page x\n🧠 So it is\.\n/),
  ]);
  await world.passing(next.finish({ kind: 'no_reply' }));
  expect(world.now()).toEqual(['🧠 Thought for 2 s · 1 tool']);
});

test('a trace goes on in a second message, and one line is left of both', async () => {
  const world = await startScreen({ maxChars: 300 });
  for (let at = 0; at < 12; at += 1) {
    const call = { id: CallId(`c${at}`), name: 'web_fetch', args: `{"url":"u${at}"}` };
    world.screen.show({ type: 'tool.started', call });
    await world.clock.advance(1_000);
    const { id: callId, name } = call;
    world.screen.show({ type: 'tool.finished', callId, name, status: 'ok', ms: 1_000 });
    await world.clock.advance(1_000);
  }
  const [first, second] = world.now();
  expect(first?.split('\n')[0]).toBe('✓ reading a page u0 · 1.0 s');
  expect(second?.split('\n').slice(-2)).toEqual(['✓ reading a page u11 · 1.0 s', '⏳ reading a page… 1 s']);
  await say(world, 'That is it.');
  await world.passing(world.screen.finish({ kind: 'finish', answer: '' }));
  expect(world.now()).toEqual(['🧠 Thought for 24 s · 12 tools', 'That is it.']);
});

test('a surface that counts code points gets as many as it takes', async () => {
  const world = await startScreen({ unit: 'code points' });
  await say(world, '🙂'.repeat(250));
  await world.passing(world.screen.finish({ kind: 'finish', answer: '' }));
  expect(world.now().map((page) => [...(page ?? '')].length)).toEqual([200, 50]);
});

const stream = { livesMs: 300_000, maxMs: 240_000 };

test('where messages grow, markup that is closed for display is not appended', async () => {
  const world = await startScreen({ stream });
  await say(
    world,
    'Some **bold text that goes on** and `code` as well.\n\n```js\nlet a = 1;\nlet b = 2;\n```\n',
  );
  expect(new Set(world.calls())).toEqual(new Set(['start 200', 'append 200']));
  const grown = world.messages()[0]?.map((version) => version.text) ?? [];
  expect(grown).toEqual([
    'Some **bold text tha',
    'Some **bold text that goes on** and `cod',
    'Some **bold text that goes on** and `code` as well.\n\n```js\nlet a = 1;\nlet b = 2;',
  ]);
  await world.passing(world.screen.finish({ kind: 'finish', answer: '' }));
  expect(world.calls().at(-1)).toBe('stop 200');
  expect(world.now()).toEqual([
    'Some **bold text that goes on** and `code` as well.\n\n```js\nlet a = 1;\nlet b = 2;\n```',
  ]);
});

test('where messages grow, a page that is full ends its stream and the next one begins another', async () => {
  const world = await startScreen({ stream });
  await say(world, sentences(25));
  await world.passing(world.screen.finish({ kind: 'finish', answer: '' }));
  expect(world.now().join(' ')).toBe(sentences(25).trim());
  expect(world.calls().filter((call) => call === 'start 200')).toHaveLength(world.now().length);
  expect(world.calls().filter((call) => call === 'post 200')).toEqual([]);
});

test('the end of an answer says on how many sources it rests, also when another process found them', async () => {
  const world = await startScreen();
  const found = (name: string): TurnEvent => ({
    type: 'tool.finished',
    callId: CallId(name),
    name: 'web_fetch',
    status: 'ok',
    ms: 5,
    sources: [{ title: name, url: `https://example.org/${name}` }],
  });
  const second = await world.open();
  second.show({
    type: 'turn.resumed',
    by: 'crash',
    closedAnswers: [],
    work: [found('ohm'), found('ohm'), found('kirchhoff')],
  });
  second.show(text('So it is.'));
  await world.passing(second.finish({ kind: 'finish', answer: 'So it is.' }));
  const [answer] = world.platform.state().messages;
  expect(answer?.versions.at(-1)).toMatchObject({ text: 'So it is.', sources: 2 });
});

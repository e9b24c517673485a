// The messages of a turn: an answer as a chain of pages, its retraction, its end, and what does not fit.
import { expect, test } from 'vitest';
import { ConversationId, TurnId } from '../../src/domain/ids.ts';
import type { SurfaceMessage } from '../../src/domain/surface-message.ts';
import type { TurnEvent } from '../../src/domain/turn.ts';
import type { Surface } from '../../src/ports/surface.ts';
import { MessageScreen } from '../../src/render/message-screen.ts';
import { wordsFor } from '../../src/render/notices.ts';
import { memoryConversations } from '../../src/store/memory.ts';
import { manualClock } from '../support/clock.ts';
import { quietLog } from '../support/quiet-log.ts';

/** A surface that remembers what every message said. */
function recordingSurface(maxChars: number): { surface: Surface; messages: SurfaceMessage[][] } {
  const messages: SurfaceMessage[][] = [];
  const surface: Surface = {
    limits: { maxChars, minEditGapMs: 0 },
    post: async (message) => {
      messages.push([message]);
      return { surface: 'fake', place: 'room', id: String(messages.length - 1) };
    },
    find: async () => undefined,
    edit: async ({ id }, message) => {
      messages[Number(id)]?.push(message);
    },
  };
  return { surface, messages };
}

async function startScreen(maxChars = 200) {
  const clock = manualClock();
  const claimed = await memoryConversations(clock).claim(ConversationId('fake:room'));
  const { surface, messages } = recordingSurface(maxChars);
  const open = () =>
    new MessageScreen({
      surface,
      ledger: claimed.ledger(TurnId('t')),
      clock,
      log: quietLog,
      signal: new AbortController().signal,
      key: 'fake:room:t',
      words: wordsFor('en'),
    });
  return {
    clock,
    messages,
    screen: open(),
    open,
    now: () => messages.map((versions) => versions.at(-1)?.text),
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
  const [first] = world.messages;
  const writes = first?.length;
  await say(world, sentences(10));
  expect(first).toHaveLength(writes ?? -1);
  await world.screen.finish({ kind: 'finish', answer: '' });
  expect(world.now().join(' ')).toBe(`${sentences(25)}${sentences(10)}`.trim());
  expect(world.messages.map((versions) => versions.at(-1)?.state)).toEqual(world.messages.map(() => 'final'));
});

test('beyond six messages the rest is attached as a file that is Markdown by itself', async () => {
  const world = await startScreen();
  await say(
    world,
    `\`\`\`js\n${Array.from({ length: 90 }, (_, at) => `let v${at} = ${at};`).join('\n')}\n\`\`\`\n`,
  );
  expect(world.messages).toHaveLength(6);
  expect(world.messages.flat().some(({ file }) => file !== undefined)).toBe(false);
  await world.screen.finish({ kind: 'finish', answer: '' });
  const file = world.messages[5]?.at(-1)?.file;
  expect(file?.name).toBe('answer.md');
  expect(file?.text).toMatch(/^```js\nlet v\d+ = \d+;\n[^]*let v89 = 89;\n```$/);
  const shown = [...world.now(), file?.text].join('\n').match(/let v\d+/g);
  expect(shown).toEqual(Array.from({ length: 90 }, (_, at) => `let v${at}`));
});

test('text that is taken back leaves what is kept, and no message of the rest', async () => {
  const world = await startScreen();
  await say(world, sentences(25));
  expect(world.messages.length).toBeGreaterThan(2);
  world.screen.show({ type: 'answer.retracted', keep: 18, draft: '', why: 'repair' });
  await world.clock.advance(100);
  await world.screen.finish({ kind: 'finish', answer: '' });
  expect(world.now()[0]).toBe('Sentence number 0.');
  expect(new Set(world.now().slice(1))).toEqual(new Set(['⤴']));
});

test('a stopped answer says so below its text, outside of the code it was writing', async () => {
  const world = await startScreen();
  await say(world, 'Look:\n\n```js\nlet a = 1;');
  await world.screen.finish({ kind: 'aborted', answer: '', cause: 'stop' });
  expect(world.messages[0]?.at(-1)).toEqual({
    kind: 'answer',
    state: 'stopped',
    text: 'Look:\n\n```js\nlet a = 1;\n```\n\n⏹ Stopped.',
  });
});

test('a turn that ends without any text shows why', async () => {
  const world = await startScreen();
  await world.screen.finish({ kind: 'blocked', reason: 'Not here.' });
  expect(world.now()).toEqual(['This was not let through: Not here.']);
});

test('an answer that is closed stays, and the next text opens another message', async () => {
  const world = await startScreen();
  await say(world, 'The first answer.');
  world.screen.show({ type: 'answer.closed' });
  await say(world, 'And the second.');
  await world.screen.finish({ kind: 'finish', answer: '' });
  expect(world.now()).toEqual(['The first answer.', 'And the second.']);
});

test('after a crash the same messages are edited, and those that are too many say so', async () => {
  const world = await startScreen();
  await say(world, sentences(25));
  const count = world.messages.length;
  const next = world.open();
  next.show({ type: 'turn.resumed', by: 'crash', closedAnswers: [] });
  next.show(text('A shorter answer.'));
  await next.finish({ kind: 'finish', answer: '' });
  expect(world.now()).toEqual(['A shorter answer.', ...Array.from({ length: count - 1 }, () => '⤴')]);
});

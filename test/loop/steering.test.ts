// What people write while a turn runs.
import { expect, test } from 'vitest';
import { call, calling, Dialogue, say, tool } from '../support/dialogue.ts';

/** A tool during whose run somebody writes. */
function during(write: () => void) {
  return tool('look_up', () => {
    write();
    return { kind: 'text', text: 'found' };
  });
}

test('a message during a tool is used in the next step of the same turn and shown as used', async () => {
  const bot: Dialogue = new Dialogue(
    [calling('``TOOL``\nLooking.', call('look_up', {}, 'a')), say('FINISH', 'Hecho.')],
    {
      tools: [during(() => bot.steer('in Spanish please'))],
    },
  );
  await bot.hears();
  expect(bot.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'in Spanish please' });
  expect(bot.events).toContainEqual({ type: 'steer.used', count: 1 });
});

test('at most five messages are taken at a boundary and ten in a turn; the rest wait for the next turn', async () => {
  const sevens = () => Array.from({ length: 7 }, (_, n) => bot.steer(`message ${n}`));
  const bot: Dialogue = new Dialogue(
    [
      calling('``TOOL``\n1', call('look_up', { n: 1 }, 'a')),
      calling('``TOOL``\n2', call('look_up', { n: 2 }, 'b')),
      say('FINISH', 'All read.'),
    ],
    { tools: [during(sevens)] },
  );
  await bot.hears();
  const taken = bot.records.filter((record) => record.type === 'user/message' && record.source === 'steer');
  expect(taken).toHaveLength(10);
  expect(bot.waiting).toHaveLength(4);
});

test('a note alone does not make a finished model speak again; it waits', async () => {
  const bot: Dialogue = new Dialogue([
    async function* () {
      bot.inject('it is nine');
      yield* say('FINISH', 'Done.');
    },
  ]);
  await bot.hears();
  expect(bot.answer()).toEqual(['Done.']);
  expect(bot.waiting.map((item) => item.kind)).toEqual(['note']);
});

test('a message during the answer opens another step; the first answer stays as a message of its own', async () => {
  const bot: Dialogue = new Dialogue([
    async function* () {
      bot.steer('and the integral?');
      yield* say('FINISH', 'The derivative is 2x.');
    },
    say('FINISH', 'The integral is x³/3.'),
  ]);
  const { outcome } = await bot.hears();
  expect(bot.answer()).toEqual(['The derivative is 2x.', 'The integral is x³/3.']);
  expect(outcome).toEqual({ kind: 'finish', answer: 'The integral is x³/3.' });
});

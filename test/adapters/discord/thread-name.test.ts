import { expect, test } from 'vitest';
import { threadName } from '../../../src/adapters/discord/thread-name.ts';

test.each([
  ['why is **ln x** so _odd_?', 'why is ln x so odd?'],
  ["<@123> <@&4> Explain Bayes' theorem", "Explain Bayes' theorem"],
  ['# Title\n\n- one\n- two', 'Title one two'],
  ['```python\nprint(1)\n```', 'print(1)'],
  ['a_b and 2*3*4 stay', 'a_b and 2*3*4 stay'],
  ['see [the book](https://example.org/x)', 'see the book'],
  ['<:blob:123> hello <t:123:R>', 'hello'],
  ['@everyone look', 'everyone look'],
  ['   \n ', 'Question'],
  ['\u200b\u2060', 'Question'],
  ['👩‍🏫 teaches', '👩‍🏫 teaches'],
])('%j is called %j', (text, name) => {
  expect(threadName(text)).toBe(name);
});

test('it is cut to 60 characters, not in the middle of one', () => {
  const name = threadName('😀'.repeat(200));
  expect(Array.from(name)).toHaveLength(60);
  expect(name).toBe(`${'😀'.repeat(59)}…`);
});

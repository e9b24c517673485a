// What a person sees while a labelled reply arrives, and that nothing else ever reaches the answer.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelChunk } from '../../src/ports/model.ts';
import { call, calling, Dialogue, plain, say, shownBy, tool } from '../support/dialogue.ts';

const done: ModelChunk[] = [
  { type: 'finish', reason: 'stop' },
  { type: 'usage', usage: { prompt: 1, completion: 1 } },
];

test('final text is shown while it arrives', async () => {
  const bot = new Dialogue([say('FINISH', 'The derivative of x² is 2x.', 9)]);
  await bot.hears();
  const { states } = shownBy(bot.events);
  expect(states.length).toBeGreaterThan(2);
  expect(states.at(-1)).toBe('The derivative of x² is 2x.');
  for (const state of states) expect('The derivative of x² is 2x.'.startsWith(state)).toBe(true);
});

test('thoughts and tool prose go to the trace, the answer holds final text only', async () => {
  const bot = new Dialogue([
    say('THINK', 'Isolate x first.'),
    calling('``TOOL``\nI look it up.', call('look_up', {})),
    [
      { type: 'reasoning', text: 'secret plan' },
      { type: 'text', text: '<think>hm' },
      { type: 'text', text: '</think>``FINISH``\nx = 4' },
      ...done,
    ],
  ]);
  const { outcome } = await bot.hears();
  expect(outcome).toEqual({ kind: 'finish', answer: 'x = 4' });
  expect(bot.answer()).toEqual(['x = 4']);
  expect(bot.thinking()).toBe('Isolate x first.I look it up.secret planhm');
});

test('a body that begins with a minus keeps it', async () => {
  const bot = new Dialogue([say('FINISH', '-5', 1)]);
  await bot.hears();
  expect(bot.answer()).toEqual(['-5']);
});

test('a pause text stands first, the next final text follows after a blank line', async () => {
  const bot = new Dialogue([say('PAUSE', 'While I compute: think about units.'), say('FINISH', '12 m/s.')]);
  const { outcome } = await bot.hears();
  expect(bot.answer()).toEqual(['While I compute: think about units.\n\n12 m/s.']);
  expect(outcome).toEqual({ kind: 'finish', answer: '12 m/s.' });
});

test('final text that turns out to carry calls is taken back and repaired; the text before it stays', async () => {
  const bot = new Dialogue([
    say('PAUSE', 'First this.'),
    calling('``FINISH``\nIt is 7.', call('look_up', {})),
    say('FINISH', 'It is 8.'),
  ]);
  await bot.hears();
  expect(bot.answer()).toEqual(['First this.\n\nIt is 8.']);
  expect(bot.events.find((event) => event.type === 'answer.retracted')).toEqual({
    type: 'answer.retracted',
    keep: 'First this.'.length,
    draft: 'It is 7.',
    why: 'repair',
  });
});

test('native: text beside calls is narration and leaves the answer when the response ends', async () => {
  const bot = new Dialogue([calling('Let me look.', call('look_up', {})), plain('It is 8.')], {
    protocol: 'native',
  });
  await bot.hears();
  expect(bot.answer()).toEqual(['It is 8.']);
  expect(bot.events).toContainEqual({
    type: 'answer.retracted',
    keep: 0,
    draft: 'Let me look.',
    why: 'narration',
  });
});

test('calls without any text are read as the tool label', async () => {
  const bot = new Dialogue([calling('', call('look_up', {}, 'a')), say('FINISH', 'Found.')]);
  await bot.hears();
  expect(bot.log()).toContain('tool/result a');
  expect(bot.records.find((record) => record.type === 'assistant/message')).toMatchObject({
    content: '``TOOL``\n',
  });
});

test('the journal writes a label in double backticks on a line of its own, think blocks kept, call markup gone', async () => {
  const markup = '<tool_calls><invoke name="look_up"><parameter name="q">x</parameter></invoke></tool_calls>';
  const bot = new Dialogue([
    [...plainPieces(`<think>plan</think>TOOL: I search. ${markup}`), ...done],
    [...plainPieces('FINISH: found'), ...done],
  ]);
  await bot.hears();
  const contents = bot.records.flatMap((record) =>
    record.type === 'assistant/message' ? [record.content] : [],
  );
  expect(contents).toEqual(['<think>plan</think>``TOOL``\nI search. ', '``FINISH``\nfound']);
  expect(bot.records).toContainEqual(
    expect.objectContaining({ type: 'tool/result', name: 'look_up', status: 'ok' }),
  );
});

test('an answer cut by the output limit goes on in the next response, whose repeated label is taken off', async () => {
  const bot = new Dialogue([plain('``FINISH``\nOne, two, ', 'length'), say('FINISH', 'three.')]);
  const { outcome } = await bot.hears();
  expect(bot.answer()).toEqual(['One, two, three.']);
  expect(outcome).toEqual({ kind: 'finish', answer: 'One, two, three.' });
});

test('a continuation without a label goes on with the answer', async () => {
  const bot = new Dialogue([plain('``FINISH``\nOne, two, ', 'length'), plain('three.')]);
  await bot.hears();
  expect(bot.answer()).toEqual(['One, two, three.']);
});

test('an empty continuation means that nothing was missing', async () => {
  const bot = new Dialogue([plain('``FINISH``\nAll of it.', 'length'), plain('')]);
  const { outcome } = await bot.hears();
  expect(outcome).toEqual({ kind: 'finish', answer: 'All of it.' });
});

test('a stream cut in the answer is continued once; a second cut ends visibly', async () => {
  async function* cut(text: string): AsyncGenerator<ModelChunk> {
    yield { type: 'text', text };
  }
  const continued = new Dialogue([() => cut('``FINISH``\nOne, '), say('FINISH', 'two.')]);
  expect((await continued.hears()).outcome).toEqual({ kind: 'finish', answer: 'One, two.' });
  const twice = new Dialogue([() => cut('``FINISH``\nOne, '), () => cut('``FINISH``\ntwo, ')]);
  expect((await twice.hears()).outcome).toEqual({ kind: 'interrupted', answer: 'One, two, ' });
  expect(twice.answer()).toEqual(['One, two, ']);
});

test('three broken replies in a row close the turn, and the closing text is the answer', async () => {
  const bot = new Dialogue([
    plain('no label'),
    plain('again none'),
    plain('still none'),
    plain('Then like this.'),
  ]);
  const result = await bot.hears();
  expect(result.outcome).toEqual({ kind: 'budget', answer: 'Then like this.' });
  expect(result.repairsExhausted).toBe(true);
  expect(bot.requests).toHaveLength(4);
});

test('a capability can refuse a terminal reply once and comment on an intermediate one', async () => {
  const bot = new Dialogue(
    [say('THINK', 'hm'), say('FINISH', 'too short'), say('FINISH', 'long enough now')],
    {
      rules: {
        validateTerminal: (_label, text) =>
          text.length < 12 ? { problem: 'too_short', note: 'At least 12 characters.' } : undefined,
        onIntermediate: () => 'noted',
      },
    },
  );
  const { outcome } = await bot.hears();
  expect(outcome).toEqual({ kind: 'finish', answer: 'long enough now' });
  expect(bot.log().filter((line) => line.startsWith('user/message('))).toEqual([
    'user/message(feedback)',
    'user/message(repair:too_short)',
  ]);
  expect(JSON.stringify(bot.requests.at(-1)?.messages)).toContain('At least 12 characters.');
});

test('a call without a name is repaired, nothing of it is stored', async () => {
  const bot = new Dialogue([calling('``TOOL``\nhm', call('', {}, 'a')), say('FINISH', 'ok')]);
  await bot.hears();
  expect(bot.log()).toContain('user/message(repair:no_name)');
  expect(bot.log().some((line) => line.includes('(a)') || line.startsWith('tool/'))).toBe(false);
});

test('thirty calls in one reply: eight run, all thirty are answered', async () => {
  let ran = 0;
  const counting = tool('count', () => {
    ran += 1;
    return { kind: 'text', text: String(ran) };
  });
  const calls = Array.from({ length: 30 }, (_, n) => call('count', { n }, `c${n}`));
  const bot = new Dialogue([calling('``TOOL``\nAll.', ...calls), say('FINISH', 'ok')], { tools: [counting] });
  await bot.hears();
  expect(ran).toBe(8);
  expect(bot.log().filter((line) => line.startsWith('tool/result'))).toHaveLength(30);
});

const spellings = [
  '``FINISH``\n',
  '`FINISH`\n',
  '```FINISH```',
  'FINISH\n',
  'FINISH: ',
  'FINISH – ',
  '\u200B ``FINISH``\n',
  '``\nFINISH\n``\n',
];

test('in any tolerated spelling and cut anywhere, the last text is complete to the byte and grows only by appending', async () => {
  const body = fc.stringMatching(/^[a-z0-9(][a-z0-9 ,.*_`#()\n-]{0,60}[a-z0-9)]$/u);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...spellings),
      body,
      fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 30 }),
      async (label, text, cuts) => {
        fc.pre(!/^\s*(```|~~~)/mu.test(text) && !text.includes('``'));
        const bot = new Dialogue([[...cutAt(`<think>secret</think>${label}${text}`, cuts), ...done]]);
        await bot.hears();
        const { states, messages } = shownBy(bot.events);
        expect(messages).toEqual([text]);
        for (const state of states) expect(text.startsWith(state)).toBe(true);
        expect(bot.thinking()).toBe('secret');
      },
    ),
    { numRuns: 300 },
  );
});

function plainPieces(text: string): ModelChunk[] {
  return [...text].map((character) => ({ type: 'text', text: character }));
}

/** The text in pieces whose lengths are taken from `cuts` in turn; 0 gives an empty piece. */
function cutAt(text: string, cuts: readonly number[]): ModelChunk[] {
  const chunks: ModelChunk[] = [];
  let at = 0;
  for (let n = 0; at < text.length; n += 1) {
    const length = n < cuts.length ? (cuts[n] ?? 1) : 5;
    chunks.push({ type: 'text', text: text.slice(at, at + length) });
    at += length;
  }
  return chunks;
}

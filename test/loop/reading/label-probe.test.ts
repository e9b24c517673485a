import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LabelProbe, probeLabel } from '../../../src/loop/reading/label-probe.ts';
import cases from '../../fixtures/vectors/labels.json' with { type: 'json' };
import { cutsOf } from './random-cuts.ts';

const allowed = ['FINISH', 'TOOL', 'THINK', 'PAUSE'];

/** What a probe says of a whole stream. */
function read(chunks: readonly string[], labels: readonly string[] = allowed) {
  const probe = new LabelProbe(labels);
  const pieces = [...chunks.flatMap((chunk) => probe.feed(chunk)), ...probe.end()];
  return {
    label: probe.label,
    text: pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join(''),
    labels: pieces.flatMap((piece) => (piece.kind === 'label' ? [piece.label] : [])),
  };
}

test('the label comes first, then text as it arrives', () => {
  const probe = new LabelProbe(allowed);
  expect(probe.feed('``FIN')).toEqual([]);
  expect(probe.label).toBeUndefined();
  expect(probe.feed('ISH``\nThe slope')).toEqual([
    { kind: 'label', label: 'FINISH' },
    { kind: 'text', text: 'The slope' },
  ]);
  expect(probe.label).toBe('FINISH');
  expect(probe.feed(' is 3.')).toEqual([{ kind: 'text', text: ' is 3.' }]);
  expect(probe.end()).toEqual([]);
});

test('a reply without a label gives back every character', () => {
  const probe = new LabelProbe(allowed);
  expect(probe.feed('\n `')).toEqual([]);
  expect(probe.feed('x` is')).toEqual([
    { kind: 'label', label: 'UNKNOWN' },
    { kind: 'text', text: '\n `x` is' },
  ]);
  expect(probe.feed(' 3.')).toEqual([{ kind: 'text', text: ' 3.' }]);
});

test('a bare label at the end of the stream is a label', () => {
  const probe = new LabelProbe(allowed);
  expect(probe.feed('TOOL')).toEqual([]);
  expect(probe.end()).toEqual([{ kind: 'label', label: 'TOOL' }]);
});

test('an empty stream has no label', () => {
  expect(new LabelProbe(allowed).end()).toEqual([{ kind: 'label', label: 'UNKNOWN' }]);
});

test('a text that begins like a label is given back when the stream ends there', () => {
  const probe = new LabelProbe(allowed);
  probe.feed('``FIN');
  expect(probe.end()).toEqual([
    { kind: 'label', label: 'UNKNOWN' },
    { kind: 'text', text: '``FIN' },
  ]);
});

test('separators are taken off although they arrive after the label', () => {
  expect(read(['``FINISH``', ' ', ':', '\n', '\n', 'Hello'])).toMatchObject({
    label: 'FINISH',
    text: 'Hello',
  });
});

test('a third backtick that arrives late makes the wrapper wrong and does not leak', () => {
  expect(read(['``FINISH``', '`\nbody'])).toEqual({
    label: 'UNKNOWN',
    text: '``FINISH```\nbody',
    labels: ['UNKNOWN'],
  });
});

describe('what a body may begin with', () => {
  test.each([
    ['``FINISH``\n-5', '-5'],
    ['``FINISH``: -5', '-5'],
    ['``FINISH`` -5', '-5'],
    ['FINISH -5 °C', '-5 °C'],
    ['FINISH: \n- 5 apples', '- 5 apples'],
    ['FINISH - 5 apples', '5 apples'],
    ['FINISH -', ''],
    ['``FINISH``—– the result', 'the result'],
    ['``FINISH``: : twice', ': twice'],
    ['``FINISH``\n\n---', '---'],
    ['``FINISH``\u00a0wide', '\u00a0wide'],
    ['``FINISH``\n😀', '😀'],
  ])('%j has the body %j', (reply, body) => {
    expect(read([reply])).toMatchObject({ label: 'FINISH', text: body });
    expect(read(reply.split(''))).toMatchObject({ label: 'FINISH', text: body });
  });
});

test('a label that goes on as a longer one waits, and counts if the longer one does not come', () => {
  const labels = ['PLAN', 'PLAN-B'];
  expect(read(['PLAN-', 'B: two'], labels)).toMatchObject({ label: 'PLAN-B', text: 'two' });
  expect(read(['PLAN-', 'A'], labels)).toMatchObject({ label: 'PLAN', text: 'A' });
});

test('blanks before the label may arrive one by one, more than the limit of a buffer', () => {
  expect(read([...' '.repeat(80).split(''), 'TOOL\nlook'])).toMatchObject({ label: 'TOOL', text: 'look' });
});

describe('labels.json', () => {
  test.each(cases)('$name', ({ buffer, allowed: labels, ended, expected }) => {
    const answer = typeof expected === 'string' ? { kind: expected } : { kind: 'label', ...expected };
    expect(probeLabel(buffer, labels, ended)).toEqual(answer);
  });
});

describe('any cut of the stream', () => {
  const blank = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\u3000', '\r\n'), maxLength: 4 });
  const lead = fc.string({ unit: fc.constantFrom(' ', '\n', '\uFEFF', '\u200B', '\u00a0'), maxLength: 5 });
  const anyLabel = fc.constantFrom(...allowed);
  const wrapped = fc
    .tuple(lead, fc.integer({ min: 1, max: 4 }), blank, anyLabel, blank)
    .map(([before, ticks, left, word, right]) => ({
      word,
      head: `${before}${'`'.repeat(ticks)}${left}${word}${right}${'`'.repeat(ticks)}`,
    }));
  const separator = fc.constantFrom('\n', '\r\n', ' ', '\t', ': ', '：', ' - ', '—', ':\n', ' – \n\n');
  const bare = fc.tuple(lead, anyLabel).map(([before, word]) => ({ word, head: before + word }));
  // A body begins with something that is no separator; what follows is free.
  const body = fc
    .tuple(
      fc.constantFrom('a', '题', '😀', '<', '*', '-5', '7', '。'),
      fc.string({ unit: 'binary', maxLength: 12 }),
    )
    .map((parts) => parts.join(''));

  test('gives the same label and body, in any tolerated spelling', () => {
    const reply = fc.tuple(fc.oneof(wrapped, bare), separator, body);
    const cutReply = reply.chain(([{ word, head }, sep, text]) =>
      cutsOf(fc.constant(head + sep + text)).map(({ chunks }) => ({ word, text, chunks })),
    );
    fc.assert(
      fc.property(cutReply, ({ word, text, chunks }) => {
        expect(read(chunks)).toEqual({ label: word, text, labels: [word] });
      }),
      { numRuns: 500 },
    );
  });

  test('agrees with a look at the whole text, whatever it is', () => {
    const part = fc.constantFrom(
      ...allowed,
      'PLAN',
      'PLAN-B',
      'FIN',
      '`',
      '``',
      '```',
      ' ',
      '\n',
      ':',
      '-',
      '5',
      '—',
      '\u200B',
      'x',
    );
    const text = fc.array(part, { maxLength: 9 }).map((parts) => parts.join(''));
    const labels = [...allowed, 'PLAN', 'PLAN-B'];
    fc.assert(
      fc.property(cutsOf(text), ({ text: whole, chunks }) => {
        const probe = probeLabel(whole, labels, true);
        const { label, text: rest } = read(chunks, labels);
        expect(probe.kind === 'label' ? [probe.label, probe.rest] : ['UNKNOWN', whole]).toEqual([
          label,
          rest,
        ]);
        expect(inOneLook(whole, labels)).toEqual([label, rest]);
      }),
      { numRuns: 3000 },
    );
  });
});

/** The rules of labels.json once more, as one expression over the whole text. */
function inOneLook(text: string, labels: readonly string[]): [string, string] {
  const words = labels.toSorted((a, b) => b.length - a.length).join('|');
  const start = '^[\\p{White_Space}\\uFEFF\\u200B-\\u200D]*';
  const wrapped = '(`+)\\p{White_Space}*(WORDS)\\p{White_Space}*\\1(?!`)';
  const bare = '(WORDS)(?=[ \\t\\r\\n:：\\-–—]|$)';
  const separators = '[ \\t]*(?:[:：–—]|-(?!\\d))*[ \\t\\r\\n]*';
  const pattern = `${start}(?:${wrapped}|${bare})${separators}`.replaceAll('WORDS', words);
  const match = new RegExp(pattern, 'u').exec(text);
  const label = match?.[2] ?? match?.[3];
  return match === null || label === undefined ? ['UNKNOWN', text] : [label, text.slice(match[0].length)];
}

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stripThinking, ThinkFilter, type ThinkPiece } from '../../../src/loop/reading/think-tags.ts';
import cases from '../../fixtures/vectors/think-filter.json' with { type: 'json' };
import { cutsOf } from './random-cuts.ts';

function split(chunks: readonly string[]) {
  const filter = new ThinkFilter();
  const pieces = [...chunks.flatMap((chunk) => filter.feed(chunk)), ...filter.end()];
  return { visible: joined(pieces, 'visible'), thinking: joined(pieces, 'thinking'), raw: rawOf(pieces) };
}

function joined(pieces: readonly ThinkPiece[], kind: ThinkPiece['kind']): string {
  return pieces.map((piece) => (piece.kind === kind ? piece.text : '')).join('');
}

function rawOf(pieces: readonly ThinkPiece[]): string {
  return pieces.map((piece) => piece.raw).join('');
}

test('thinking and answer flow as they arrive; only the start of a tag is held', () => {
  const filter = new ThinkFilter();
  expect(filter.feed('<think>add the si')).toEqual([
    { kind: 'thinking', text: '', raw: '<think>' },
    { kind: 'thinking', text: 'add the si', raw: 'add the si' },
  ]);
  expect(filter.feed('des</th')).toEqual([{ kind: 'thinking', text: 'des', raw: 'des' }]);
  expect(filter.feed('ink>9')).toEqual([
    { kind: 'thinking', text: '', raw: '</think>' },
    { kind: 'visible', text: '9', raw: '9' },
  ]);
  expect(filter.feed(' < 10')).toEqual([{ kind: 'visible', text: ' < 10', raw: ' < 10' }]);
  expect(filter.end()).toEqual([]);
});

test('a whole text is stripped at once', () => {
  expect(stripThinking('A<think>x</think> B</think>')).toBe('A B');
  expect(stripThinking('plain')).toBe('plain');
});

describe('odd tags', () => {
  test.each([
    ['<think\u3000>a</think>b', 'b', 'a'],
    ['<think / >b', 'b', ''],
    ['<think src=a/>b', 'b', ''],
    ['<think a="<think>x</think>y', '<think a="y', 'x'],
    ['<think>a</think b>c</think>d', 'd', 'a</think b>c'],
    ['<think>a<think>b</think>c', 'c', 'a<think>b'],
    ['</ thinking >x', 'x', ''],
    ['<thin\u212A>x', '<thin\u212A>x', ''],
    ['<think', '<think', ''],
    ['<<<think>a', '<<', 'a'],
  ])('%j shows %j and thinks %j', (text, visible, thinking) => {
    expect(split([text])).toEqual({ visible, thinking, raw: text });
    expect(split(text.split(''))).toEqual({ visible, thinking, raw: text });
  });
});

/** A think tag of that many code points. */
const tagOf = (codePoints: number, char: string) => `<think ${char.repeat(codePoints - 8)}>`;

describe('long tags', () => {
  test.each(['x', '😀'])('a tag of 200 characters (%s) is recognised however it is cut', (char) => {
    const text = `${tagOf(200, char)}a</think>b`;
    expect(split([text])).toMatchObject({ visible: 'b', thinking: 'a' });
    expect(split(text.split(''))).toMatchObject({ visible: 'b', thinking: 'a' });
  });

  test.each(['x', '😀'])('a longer one (%s) is text however it is cut', (char) => {
    const text = `${tagOf(201, char)}a`;
    expect(split([text])).toMatchObject({ visible: text });
    expect(split(text.split(''))).toMatchObject({ visible: text });
  });

  test('a text that might be a tag is released when it grows too long', () => {
    const filter = new ThinkFilter();
    expect(filter.feed(`<think ${'x'.repeat(192)}`)).toEqual([]);
    expect(filter.feed('x')).toEqual([
      { kind: 'visible', text: `<think ${'x'.repeat(193)}`, raw: `<think ${'x'.repeat(193)}` },
    ]);
  });
});

test.each(['<x', '<thinker', '</x', '<think-', '< 5', '<think/x', '</think x'])(
  '%j is not held: it cannot become a think tag',
  (text) => {
    expect(new ThinkFilter().feed(text)).toEqual([{ kind: 'visible', text, raw: text }]);
  },
);

describe('think-filter.json', () => {
  test.each(cases)('$name', ({ chunks, expected }) => {
    expect(split(chunks)).toEqual({ ...expected, raw: chunks.join('') });
    expect(split(chunks.join('').split(''))).toEqual({ ...expected, raw: chunks.join('') });
  });
});

test('any cut gives the same parts, and the raw pieces give back the input', () => {
  const part = fc.constantFrom(
    '<think>',
    '</think>',
    '<Thinking a="b">',
    '</ think >',
    '<think/>',
    '<th',
    '<think ',
    '/',
    '>',
    '<',
    ' ',
    'answer',
    '😀',
    '\n',
  );
  const text = fc.array(fc.oneof(part, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 10 });
  fc.assert(
    fc.property(cutsOf(text.map((parts) => parts.join(''))), ({ text: whole, chunks }) => {
      const result = split(chunks);
      expect(result).toEqual(split([whole]));
      expect(result.raw).toBe(whole);
      expect(stripThinking(whole)).toBe(result.visible);
    }),
    { numRuns: 2000 },
  );
});

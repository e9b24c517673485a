import { expect, test } from 'vitest';
import { cutText } from '../../src/domain/cut-text.ts';

test.each([
  ['short text stays', 'abc', 3, 'abc'],
  ['one too many', 'abcd', 3, 'ab…'],
  ['an astral character counts once', '😀😀😀', 3, '😀😀😀'],
  ['a pair is never split', '😀😀😀', 2, '😀…'],
  ['room for nothing but the ellipsis', 'ab', 1, '…'],
  ['empty', '', 1, ''],
])('%s', (_what, text, max, expected) => {
  expect(cutText(text, max)).toBe(expected);
});

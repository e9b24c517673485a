import { describe, expect, test } from 'vitest';
import { advance, fitLine, textWidth } from '../../src/adapters/terminal/text-width.ts';
import { harmless } from '../../src/render/harmless.ts';

test.each([
  ['abc', 3],
  ['漢字', 4],
  ['ｶﾅ', 2],
  ['한국', 4],
  ['전', 2],
  ['ＡＢ', 4],
  ['e\u0301', 1],
  ['🧠👀', 4],
  ['👍🏽', 2],
  ['👩‍🔬', 2],
  ['🇩🇪', 2],
  ['✓ ✗ ⏭', 5],
  ['⏳', 2],
  ['a\u200Bb', 2],
  ['', 0],
])('%s takes %d columns', (text, columns) => {
  expect(textWidth(text)).toBe(columns);
});

describe('where the cursor stands afterwards', () => {
  test.each([
    ['abc', 0, 10, { rows: 0, column: 3 }],
    ['abc', 8, 10, { rows: 1, column: 1 }],
    ['ab', 8, 10, { rows: 0, column: 10 }],
    ['漢', 9, 10, { rows: 1, column: 2 }],
    ['a\nb', 5, 10, { rows: 1, column: 1 }],
    ['abcdefghij\n', 0, 10, { rows: 1, column: 0 }],
    ['a\tb', 0, 20, { rows: 0, column: 9 }],
    ['\t\t\t', 0, 10, { rows: 0, column: 9 }],
  ])('%j from column %d on %d columns', (text, column, width, place) => {
    expect(advance(text, column, width)).toEqual(place);
  });
});

test.each([
  ['short', 10, 'short'],
  ['exactly', 7, 'exactly'],
  ['too long', 7, 'too lo…'],
  ['漢字漢字', 7, '漢字漢…'],
  ['漢字漢字', 6, '漢字…'],
  ['👩‍🔬👩‍🔬', 3, '👩‍🔬…'],
])('%s is fitted into %d columns', (text, width, fitted) => {
  expect(fitLine(text, width)).toBe(fitted);
  expect(textWidth(fitted)).toBeLessThanOrEqual(width);
});

describe('text is made harmless', () => {
  test.each([
    ['colour and cursor', 'a\u001B[31mb\u001B[2Jc', 'a␛[31mb␛[2Jc'],
    ['a window title', '\u001B]0;evil\u0007', '␛]0;evil␇'],
    ['the one-byte form of an escape', '\u009B31m', '\uFFFD31m'],
    ['backspace and delete', 'a\u0008\u007F', 'a␈␡'],
    ['carriage returns', 'safe\rEVIL\r\n', 'safeEVIL\n'],
    ['reversed reading order', 'a\u202Eb\u2066c', 'abc'],
    ['half a surrogate pair', 'a\uD83Db', 'a\uFFFDb'],
    ['ordinary text', 'e\u0301 漢字 👩‍🔬\tx\n', 'e\u0301 漢字 👩‍🔬\tx\n'],
  ])('%s', (_what, text, safe) => {
    expect(harmless(text)).toBe(safe);
  });
});

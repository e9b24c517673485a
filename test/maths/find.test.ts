import { expect, test } from 'vitest';
import { findMaths } from '../../src/maths/find.ts';

test.each([
  ['Solve 2x + 3 = 11 for x please', ['equation: 2x + 3 = 11']],
  ['解方程 2x+3=11', ['equation: 2x+3=11']],
  ['I think x = 4', ['equation: x = 4']],
  ['Is 2x = 4 a linear equation?', ['equation: 2x = 4']],
  ['a 12*7 sum', ['sum: 12*7']],
  ['12*7 a day', ['sum: 12*7']],
  ['mia: 3/4 + 1/6', ['sum: 3/4 + 1/6']],
  ['(that is 3 + 4) ok', ['sum: 3 + 4']],
  ['{"expression":"12 × 7","value":"84"}', ['sum: 12 * 7']],
  ['x + y = 5 and x - y = 1', ['equation: x + y = 5', 'equation: x - y = 1']],
  ['2x+3=11; y=2', ['equation: 2x+3=11', 'equation: y=2']],
  ['one\n12*7\n3*4', ['sum: 12*7', 'sum: 3*4']],
  ['is 3x < 5', ['inequality: 3x < 5']],
  ['simplify 2x + 3x', ['algebra: 2x + 3x']],
  ['xy = 6', ['equation: xy = 6']],
  ['step-by-step 12*7', ['sum: 12*7']],
  ['see https://example.org/?x=1 or a@b.co', []],
  ['the 2nd one, room C4', []],
  ['solve it', []],
  ['4', []],
])('in %j it finds %j', (text, expected) => {
  expect(findMaths(text).found.map((each) => `${each.kind}: ${each.text}`)).toEqual(expected);
});

test.each(['(', '1+', '√', 'a ', '12*7 ', '1,', '2x='])(
  'only the beginning of 200,000 characters of %j is searched',
  (part) => {
    const { plain, found } = findMaths(part.repeat(200_000 / part.length));
    expect(plain.length).toBeLessThan(20_000);
    expect(found.length).toBeLessThan(2_000);
  },
);

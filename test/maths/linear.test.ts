import * as fc from 'fast-check';
import { Fraction } from 'fraction.js';
import { describe, expect, test } from 'vitest';
import { isCannot } from '../../src/maths/cannot.ts';
import { solveLinear } from '../../src/maths/linear.ts';

/** The lines a reader sees, or the reason why there are none. */
function lines(text: string, letter?: string): readonly string[] {
  const solved = solveLinear(text, letter);
  if (isCannot(solved)) return [`${solved.reason} ${solved.detail}`.trim()];
  const steps = solved.steps.map((step) => `${step.equation}   | ${`${step.action} ${step.amount}`.trim()}`);
  const { kind } = solved;
  const end =
    kind === 'solved'
      ? `${solved.letter} = ${solved.value}, ${solved.check.left.value} = ${solved.check.right.value}`
      : kind;
  return [solved.equation, ...steps, end];
}

test('an equation is solved line by line, and the solution put back in', () => {
  expect(lines('3(x-2)=2(x+1)')).toEqual([
    '3(x - 2) = 2(x + 1)',
    '3x - 6 = 2x + 2   | simplify',
    'x - 6 = 2   | subtract 2x',
    'x = 8   | add 6',
    'x = 8, 18 = 18',
  ]);
});

test('the check shows the solution in its place', () => {
  expect(solveLinear('3(x-2)=2x/5 + 1')).toMatchObject({
    value: '35/13',
    check: {
      left: { written: '3(35/13 - 2)', value: '27/13' },
      right: { written: '2(35/13) / 5 + 1', value: '27/13' },
    },
  });
});

test('a solution with other letters is put in as a whole', () => {
  expect(solveLinear('2x + 3y = 7', 'y')).toMatchObject({
    check: { left: { written: '2x + 3(-2x/3 + 7/3)', value: '7' } },
  });
});

test('fractions are multiplied away first, decimals stay', () => {
  expect(lines('x/2 + 1/3 = 5/6')).toEqual([
    'x/2 + 1/3 = 5/6',
    '3x + 2 = 5   | multiply 6',
    '3x = 3   | subtract 2',
    'x = 1   | divide 3',
    'x = 1, 5/6 = 5/6',
  ]);
  expect(lines('0,5x + 1,2 = 3')).toEqual([
    '0.5x + 1.2 = 3',
    '0.5x = 1.8   | subtract 1.2',
    'x = 3.6   | divide 0.5',
    'x = 3.6, 3 = 3',
  ]);
});

test('with two letters it asks for which, and then solves for that one', () => {
  expect(lines('2x + 3y = 7')).toEqual(['which_letter x, y']);
  expect(lines('2x + 3y = 7', 'y')).toEqual([
    '2x + 3y = 7',
    '3y = -2x + 7   | subtract 2x',
    'y = -2x/3 + 7/3   | divide 3',
    'y = -2x/3 + 7/3, 7 = 7',
  ]);
});

test('an equation without a solution, and one that every number solves', () => {
  expect(lines('2x = 2x + 1')).toEqual(['2x = 2x + 1', '0 = 1   | subtract 2x', 'none']);
  expect(lines('2(x+1) = 2x+2')).toEqual([
    '2(x + 1) = 2x + 2',
    '2x + 2 = 2x + 2   | simplify',
    '2 = 2   | subtract 2x',
    'all',
  ]);
});

describe('odd equations', () => {
  test.each([
    ['x = 4', ['x = 4', 'x = 4, 4 = 4']],
    ['4 = x', ['4 = x', 'x = 4   | swap', 'x = 4, 4 = 4']],
    ['-x = 3', ['-x = 3', 'x = -3   | divide -1', 'x = -3, 3 = 3']],
    ['0x = 3', ['0x = 3', '0 = 3   | simplify', 'none']],
    ['x - x = 0', ['x - x = 0', '0 = 0   | simplify', 'all']],
    ['10% x = 5', ['10% × x = 5', '0.1x = 5   | simplify', 'x = 50   | divide 0.1', 'x = 50, 5 = 5']],
    [
      'Solve 2n+3=11 for n, please',
      ['2n + 3 = 11', '2n = 8   | subtract 3', 'n = 4   | divide 2', 'n = 4, 11 = 11'],
    ],
    ['x·3 = 6', ['x × 3 = 6', '3x = 6   | simplify', 'x = 2   | divide 3', 'x = 2, 6 = 6']],
  ])('%s', (text, expected) => {
    expect(lines(text)).toEqual(expected);
  });

  test.each([
    ['x^2 = 4', 'quadratic power'],
    ['x(x-1) = 0', 'quadratic product'],
    ['x³ = 8', 'not_linear power'],
    ['xy = 6', 'not_linear product'],
    ['1/x = 2', 'not_linear quotient'],
    ['√x = 2', 'not_linear root'],
    ['2^x = 8', 'not_linear power'],
    ['x+y=5 and x-y=1', 'system'],
    ['2x+3=11; y=2', 'system'],
    ['x=1\ny=2', 'system'],
    ['3x < 5', 'inequality'],
    ['2x = 4 = y', 'several_equals 2x = 4 = y'],
    ['12*7 = 84', 'no_letter'],
    ['x + y = x + 2', 'which_letter x, y'],
    ['x/0 = 3', 'division_by_zero'],
    ['hello', 'no_equation'],
    ['2x + 3', 'no_equation'],
    ['x =', 'no_equation'],
    ['9^9^9 x = 3', 'too_large exponent 387420489'],
    [`x = ${'1+'.repeat(300)}1`, 'too_long 500 characters'],
  ])('%s cannot be solved here', (text, reason) => {
    expect(lines(text)).toEqual([reason]);
  });

  test('a letter that cancels out cannot be solved for', () => {
    expect(lines('x + y = x + 2', 'x')).toEqual(['letter_cancels x']);
    expect(lines('x + y = x + 2', 'z')).toEqual(['which_letter x, y']);
  });
});

// ---- Any linear equation ----

const rational = fc
  .tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: 1, max: 12 }))
  .map(([top, bottom]) => new Fraction(top, bottom));

/** `a(x + b) + c = d - e(f - x)`, the numbers written as fractions. */
const equation = fc.tuple(rational, rational, rational, rational, rational, rational);

/** What is wrong with the solution of an equation with these numbers; empty when nothing is. */
function faults(numbers: readonly Fraction[], letter: string): readonly string[] {
  const [a, b, c, d, e, f] = numbers.map((value) => `(${value.toFraction()})`);
  const solved = solveLinear(`${a}(${letter} + ${b}) + ${c} = ${d} - ${e}(${f} - ${letter})`);
  if (isCannot(solved)) return [`${solved.reason} ${solved.detail}`];
  const gap = (x: Fraction) => gapAt(numbers, x);
  if (solved.kind !== 'solved') {
    const [one, two] = [gap(new Fraction(1)), gap(new Fraction(2))];
    return one.equals(two) && one.equals(0) === (solved.kind === 'all') ? [] : [solved.kind];
  }
  const x = new Fraction(solved.value);
  if (!gap(x).equals(0)) return [`${letter} = ${solved.value}`];
  return solved.steps
    .map((step) => step.equation)
    .filter((line) => {
      const [left = '', right = ''] = line.split(' = ');
      return !valueOf(left, letter, x).equals(valueOf(right, letter, x));
    });
}

/** Left side minus right side of `a(x + b) + c = d - e(f - x)`. */
function gapAt(numbers: readonly Fraction[], x: Fraction): Fraction {
  const [a = x, b = x, c = x, d = x, e = x, f = x] = numbers;
  return a
    .mul(x.add(b))
    .add(c)
    .sub(d.sub(e.mul(f.sub(x))));
}

test('the stated solution of any linear equation satisfies it, and so does every line on the way', () => {
  fc.assert(
    fc.property(equation, fc.constantFrom('x', 'y', 'n', 'T'), (numbers, letter) => {
      expect(faults(numbers, letter)).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

/** `3x/2 - 5/4`, with a number for the letter: a reader for the tests, apart from the product's. */
function valueOf(form: string, letter: string, x: Fraction): Fraction {
  const terms = form.replaceAll(' - ', ' + -').split(' + ');
  return terms.reduce((sum, term) => {
    const [, sign, digits, name, bottom] = /^(-?)([\d.]*)([a-zA-Z]?)(?:\/(\d+))?$/.exec(term) ?? [];
    if (digits === undefined) throw new Error(`unexpected term ${term} in ${form}`);
    const factor = new Fraction(digits === '' ? 1 : digits).mul(sign === '-' ? -1 : 1).div(bottom ?? 1);
    return sum.add(name === letter ? factor.mul(x) : factor);
  }, new Fraction(0));
}

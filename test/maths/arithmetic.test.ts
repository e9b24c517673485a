import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arithmeticSteps } from '../../src/maths/arithmetic.ts';
import { isCannot } from '../../src/maths/cannot.ts';

/** The lines a reader sees: the expression, each line after a step, the value. */
function lines(text: string): readonly string[] {
  const worked = arithmeticSteps(text);
  if (isCannot(worked)) return [worked.reason];
  return [worked.expression, ...worked.steps.map((step) => step.after)];
}

test('a sum is worked in the order taught: brackets, powers, × and ÷, + and -, from the left', () => {
  expect(lines('2 + 3*(4 - 1)^2 / 9')).toEqual([
    '2 + 3 × (4 - 1)^2 / 9',
    '2 + 3 × 3^2 / 9',
    '2 + 3 × 9 / 9',
    '2 + 27/9',
    '2 + 3',
    '5',
  ]);
});

test('a step says which part was worked out, and fractions show their common denominator', () => {
  expect(arithmeticSteps('3/4 + 1/6')).toMatchObject({
    steps: [
      {
        before: '3/4 + 1/6',
        after: '11/12',
        part: '3/4 + 1/6',
        operands: ['3/4', '1/6'],
        result: '11/12',
        operation: '+',
        over: '9/12 + 2/12',
      },
    ],
    value: '11/12',
    decimal: '≈ 0.916667',
  });
});

describe('odd cases', () => {
  test.each([
    ['0.1 + 0.2', ['0.1 + 0.2', '0.3']],
    ['0.1 * 3 - 0.3', ['0.1 × 3 - 0.3', '0.3 - 0.3', '0']],
    ['3/4', ['3/4']],
    ['6/4', ['6/4', '3/2']],
    ['42', ['42']],
    ['--5', ['--5', '5']],
    ['2 - (3 - 5)', ['2 - (3 - 5)', '2 - (-2)', '4']],
    ['(1 - 3)^2', ['(1 - 3)^2', '(-2)^2', '4']],
    ['-2^2 + 1', ['-2^2 + 1', '-4 + 1', '-3']],
    ['2^(1-4)', ['2^(1 - 4)', '2^(-3)', '1/8']],
    ['1/3 * 3', ['1/3 × 3', '1']],
    ['(1/2 + 1/3) * 6', ['(1/2 + 1/3) × 6', '5/6 × 6', '5']],
    ['6 * (1/2 + 1/3)', ['6 × (1/2 + 1/3)', '6 × (5/6)', '5']],
    ['15% of 80', ['15% × 80', '0.15 × 80', '12']],
    ['√(9+16)', ['√(9 + 16)', '√25', '5']],
    ['0.5 + 1/3', ['0.5 + 1/3', '5/6']],
    ['1/0', ['division_by_zero']],
    ['5/(3-3)', ['division_by_zero']],
    ['√2', ['irrational']],
    ['2x + 1', ['has_letters']],
    ['9^9^9^9', ['too_large']],
    [`1${'+1'.repeat(100)}`, ['too_many_steps']],
  ])('%s', (text, expected) => {
    expect(lines(text)).toEqual(expected);
  });
});

// ---- Any sum, against an evaluator of our own on pairs of BigInt ----

type Sum = { readonly text: string; readonly value: Pair | 'none' };
type Pair = readonly [top: bigint, bottom: bigint];

const combine: Record<string, (a: Pair, b: Pair) => Pair> = {
  '+': ([a, b], [c, d]) => [a * d + c * b, b * d],
  '-': ([a, b], [c, d]) => [a * d - c * b, b * d],
  '*': ([a, b], [c, d]) => [a * c, b * d],
  '/': ([a, b], [c, d]) => [a * d, b * c],
};

const number: fc.Arbitrary<Sum> = fc.oneof(
  fc.nat(99).map((n): Sum => ({ text: `${n}`, value: [BigInt(n), 1n] })),
  fc.nat(999).map((n): Sum => ({ text: `${Math.floor(n / 10)}.${n % 10}`, value: [BigInt(n), 10n] })),
  fc
    .tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: 1, max: 12 }))
    .map(([top, bottom]): Sum => ({ text: `(${top}/${bottom})`, value: [BigInt(top), BigInt(bottom)] })),
);

const { sum } = fc.letrec<{ sum: Sum }>((tie) => ({
  sum: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'sum' },
    number,
    fc.tuple(tie('sum'), fc.constantFrom('+', '-', '*', '/'), tie('sum')).map(([a, sign, b]): Sum => {
      const text = `(${a.text} ${sign} ${b.text})`;
      if (a.value === 'none' || b.value === 'none') return { text, value: 'none' };
      const value = combine[sign]?.(a.value, b.value);
      return { text, value: value === undefined || value[1] === 0n ? 'none' : value };
    }),
    tie('sum').map(
      (a): Sum => ({
        text: `-(${a.text})`,
        value: a.value === 'none' ? 'none' : [-a.value[0], a.value[1]],
      }),
    ),
    fc.tuple(tie('sum'), fc.integer({ min: 1, max: 3 })).map(
      ([a, power]): Sum => ({
        text: `(${a.text})^${power}`,
        value: a.value === 'none' ? 'none' : [a.value[0] ** BigInt(power), a.value[1] ** BigInt(power)],
      }),
    ),
  ),
}));

/** The value of one written line, by the same independent arithmetic: recursive descent over our own notation. */
function valueOf(line: string): Pair {
  const tokens = line.match(/\d+(?:\.\d+)?|[-+×/^()%]/g) ?? [];
  let at = 0;
  const atom = (): Pair => {
    const token = tokens[at++];
    if (token === '(') {
      const inner = sums();
      at++;
      return inner;
    }
    const [whole = '0', places = ''] = (token ?? '').split('.');
    return [BigInt(whole + places), 10n ** BigInt(places.length)];
  };
  const signed = (): Pair => {
    if (tokens[at] === '-') {
      at++;
      const [top, bottom] = signed();
      return [-top, bottom];
    }
    const base = atom();
    if (tokens[at] !== '^') return base;
    at++;
    const [power] = signed();
    return [base[0] ** power, base[1] ** power];
  };
  const products = (): Pair => {
    let value = signed();
    while (tokens[at] === '×' || tokens[at] === '/') {
      const sign = tokens[at++] === '×' ? '*' : '/';
      value = combine[sign]?.(value, signed()) ?? value;
    }
    return value;
  };
  const sums = (): Pair => {
    let value = products();
    while (tokens[at] === '+' || tokens[at] === '-') {
      const sign = tokens[at++] ?? '';
      value = combine[sign]?.(value, products()) ?? value;
    }
    return value;
  };
  return sums();
}

const equal = ([a, b]: Pair, [c, d]: Pair) => b !== 0n && d !== 0n && a * d === c * b;

/** What is wrong with a worked sum; empty when nothing is. */
function faults({ text, value }: Sum): readonly string[] {
  const result = arithmeticSteps(text, { maxChars: 5_000 });
  if (isCannot(result)) {
    const allowed = value === 'none' ? ['division_by_zero'] : ['too_large', 'too_many_steps', 'too_deep'];
    return allowed.includes(result.reason) ? [] : [result.reason];
  }
  if (value === 'none') return ['a value where there is none'];
  const shown = [result.expression, ...result.steps.map((step) => step.after), result.value];
  return shown.filter((line) => !equal(valueOf(line), value));
}

test('every line of any worked sum has the exact value of the whole', () => {
  fc.assert(
    fc.property(sum, (any) => {
      expect(faults(any)).toEqual([]);
    }),
    { numRuns: 1_500 },
  );
});

test('most of those sums are worked, not refused', () => {
  const worked = fc
    .sample(sum, 200)
    .filter(({ text }) => !isCannot(arithmeticSteps(text, { maxChars: 5_000 })));
  expect(worked.length).toBeGreaterThan(100);
});

import { describe, expect, test } from 'vitest';
import { isCannot } from '../../src/maths/cannot.ts';
import { evaluate } from '../../src/maths/evaluate.ts';
import { write } from '../../src/maths/expression.ts';
import { parseExpression } from '../../src/maths/parse.ts';
import { fractionText } from '../../src/maths/rational.ts';

/** `expression = value` in our notation, or the reason why not. */
function read(text: string): string {
  const parsed = parseExpression(text);
  if (isCannot(parsed)) return parsed.reason;
  const value = evaluate(parsed.expression);
  return `${write(parsed.expression, parsed.style)} = ${isCannot(value) ? value.reason : fractionText(value)}`;
}

describe('the ways people write one and the same thing', () => {
  test.each([
    ['12×7', '12 × 7 = 84'],
    ['12·7', '12 × 7 = 84'],
    ['12 x 7', '12 × 7 = 84'],
    ['12 * 7 =', '12 × 7 = 84'],
    ['12 * 7 = ?', '12 × 7 = 84'],
    ['１２＊７', '12 × 7 = 84'],
    ['12 \\* 7', '12 × 7 = 84'],
    ['12 times 7', '12 × 7 = 84'],
    ['12 mal 7', '12 × 7 = 84'],
    ['12乘以7', '12 × 7 = 84'],
    ['12÷4', '12/4 = 3'],
    ['12 : 4', '12/4 = 3'],
    ['12 geteilt durch 4', '12/4 = 3'],
    ['5−3', '5 - 3 = 2'],
    ['5–3', '5 - 3 = 2'],
    ['3²+4²', '3^2 + 4^2 = 25'],
    ['2**3', '2^3 = 8'],
    ['2⁻³', '2^(-3) = 1/8'],
    ['3(4+1)', '3(4 + 1) = 15'],
    ['(2)(3)', '2 × 3 = 6'],
    ['(1+2)3', '(1 + 2) × 3 = 9'],
    ['[1+{2*3}]', '1 + 2 × 3 = 7'],
    ['½ + ¼', '1/2 + 1/4 = 3/4'],
    ['3½', '3 + 1/2 = 7/2'],
    ['√16', '√16 = 4'],
    ['sqrt(9/4)', '√(9/4) = 3/2'],
    ['sqrt 49', '√49 = 7'],
    ['square root of 49', '√49 = 7'],
    ['15% of 80', '15% × 80 = 12'],
    ['15 Prozent von 80', '15% × 80 = 12'],
    ['80的15%', '80 × 15% = 12'],
    ['1/2 of 80', '1/2 × 80 = 40'],
  ])('%s is %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe('what binds first', () => {
  test.each([
    ['2+3*4', '2 + 3 × 4 = 14'],
    ['10-2-3', '10 - 2 - 3 = 5'],
    ['10-(2-3)', '10 - (2 - 3) = 11'],
    ['2^3^2', '2^(3^2) = 512'],
    ['(2^3)^2', '(2^3)^2 = 64'],
    ['-2^2', '-2^2 = -4'],
    ['(-2)^2', '(-2)^2 = 4'],
    ['2^-3^2', '2^(-3^2) = 1/512'],
    ['2*-3', '2 × (-3) = -6'],
    ['5--3', '5 - (-3) = 8'],
    ['(1/2)(3/4)', '1/2 × (3/4) = 3/8'],
    ['8/(1/2)', '8 / (1/2) = 16'],
    ['6/2(1+2)', '6/2 × (1 + 2) = 9'],
    ['2^10%', '2^(10%) = fractional_power'],
    ['4^(1/2)', '4^(1/2) = 2'],
  ])('%s is %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test('an implied product after a division has two readings, and says so', () => {
    const usual = parseExpression('6/2(1+2)');
    const tight = parseExpression('6/2(1+2)', { implied: 'tight' });
    if (isCannot(usual) || isCannot(tight)) throw new Error('both can be read');
    expect(usual.ambiguities).toEqual(['product_after_division']);
    expect(write(tight.expression, 'fraction')).toBe('6 / (2(1 + 2))');
    expect(evaluate(tight.expression).valueOf()).toBe(1);
  });

  test('a percent added to a number that is none has two meanings, two percents have one', () => {
    expect(parseExpression('80 + 10%')).toMatchObject({ ambiguities: ['percent_added'] });
    expect(parseExpression('5% + 10%')).toMatchObject({ ambiguities: [] });
    const share = parseExpression('80 + 10%', { percentAdded: 'of_left' });
    expect(isCannot(share) ? share : write(share.expression, 'decimal')).toBe('80 + 10% × 80');
  });
});

describe('commas and points in numbers', () => {
  test.each([
    ['3,5', '3.5', [{ written: '3,5', plain: '3.5' }]],
    ['0,125', '0.125', [{ written: '0,125', plain: '0.125' }]],
    ['1,000', '1000', [{ written: '1,000', plain: '1000' }]],
    ['1,000,000', '1000000', [{ written: '1,000,000', plain: '1000000' }]],
    ['1,234.56', '1234.56', [{ written: '1,234.56', plain: '1234.56' }]],
    ['1.234,56', '1234.56', [{ written: '1.234,56', plain: '1234.56' }]],
    ['1.000.000', '1000000', [{ written: '1.000.000', plain: '1000000' }]],
    ['1.000', '1', []],
    ['.5', '0.5', []],
    ['12,34', '12.34', [{ written: '12,34', plain: '12.34' }]],
  ])('%s is read as %s', (text, value, readings) => {
    const parsed = parseExpression(text);
    if (isCannot(parsed)) throw new Error(parsed.reason);
    expect(write(parsed.expression, 'decimal')).toBe(value);
    expect(parsed.readings).toEqual(readings);
  });

  test.each(['1.2.3', '1,2,3', '1,0000,000', '1,23.4'])('%s is no number', (text) => {
    expect(read(text)).toBe('unclear_number');
  });
});

describe('what cannot be read or has no value', () => {
  test.each([
    ['', 'empty'],
    ['=', 'empty'],
    ['(', 'unfinished'],
    ['()', 'unfinished'],
    ['1+', 'unfinished'],
    ['*3', 'unfinished'],
    ['(1+2', 'unfinished'],
    ['1+2)', 'unfinished'],
    ['√', 'unfinished'],
    ['2 3', 'adjacent_numbers'],
    ['x2', 'adjacent_numbers'],
    ['17 % 5', 'unclear_percent'],
    ['5!', 'unknown_sign'],
    ['1, 2', 'unknown_sign'],
    ['constructor', 'unknown_word'],
    ['this', 'unknown_word'],
    ['"a"', 'unknown_sign'],
    ['a.b', 'unknown_sign'],
    ['2\ud800', 'unknown_sign'],
    ['1/0', '1/0 = division_by_zero'],
    ['0^0', '0^0 = undefined_power'],
    ['0^(-1)', '0^(-1) = division_by_zero'],
    ['√2', '√2 = irrational'],
    ['√(-4)', '√(-4) = negative_root'],
    ['2x', '2x = has_letters'],
  ])('%j gives %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

// Quickly: one of these would otherwise run into the time limit of the test.
describe('hostile texts are refused quickly', () => {
  test.each([
    ['a tower of powers', '9^9^9^9', '9^(9^(9^9)) = too_large'],
    ['a huge power', '(10^1000)^1000', '(10^1000)^1000 = too_large'],
    ['a long tower', `2${'^2'.repeat(249)}`, /too_large$/],
    ['100,000 brackets', '('.repeat(100_000), 'too_long'],
    ['60 brackets', `${'('.repeat(60)}1${')'.repeat(60)}`, 'too_deep'],
    ['490 signs', `${'-'.repeat(490)}1`, /= 1$/],
    ['240 roots', '√'.repeat(480), 'unfinished'],
    ['a number of 501 digits', '9'.repeat(501), 'too_long'],
    ['products beyond 2,000 digits', '7^900*7^900*7^900*7^900', /too_large$/],
    ['signs that grow when normalised', 'ﷺ'.repeat(500), 'unknown_word'],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toMatch(expected);
  });
});

/** Exact numbers: what fraction.js lacks for us, which is bounds, exact roots and how a number is written. */
import { Fraction } from 'fraction.js';
import { type Cannot, cannot } from './cannot.ts';

/** An exact number, for those outside this folder. */
export type Rational = Fraction;

/** Longest numerator or denominator. Unit: decimal digits. */
export const MAX_DIGITS = 2_000;
/** Largest exponent, without its sign. */
export const MAX_EXPONENT = 1_000;
/** Decimals beyond this are not written out exactly. */
const EXACT_PLACES = 12;
const ROUNDED_PLACES = 6;

/** `fraction`: 3/4. `decimal`: 0.75 wherever that is exact and short, else as a fraction. */
export type NumberStyle = 'fraction' | 'decimal';

export function integer(value: number | bigint): Fraction {
  return new Fraction(value, 1);
}

/** The numerator with its sign. */
export function numerator(value: Fraction): bigint {
  return value.s * value.n;
}

export function isInteger(value: Fraction): boolean {
  return value.d === 1n;
}

export function isZero(value: Fraction): boolean {
  return value.n === 0n;
}

export function isNegative(value: Fraction): boolean {
  return value.s < 0n && value.n !== 0n;
}

/** The four operations and the power. Never throws; see `CannotReason` for what can go wrong. */
export function applyOperator(
  operator: '+' | '-' | '*' | '/' | '^',
  left: Fraction,
  right: Fraction,
): Fraction | Cannot {
  switch (operator) {
    case '+':
      return bounded(left.add(right));
    case '-':
      return bounded(left.sub(right));
    case '*':
      return bounded(left.mul(right));
    case '/':
      return isZero(right) ? cannot('division_by_zero') : bounded(left.div(right));
    case '^':
      return power(left, right);
    default:
      return operator satisfies never;
  }
}

/** The exact square root, when it is a rational number. */
export function squareRoot(value: Fraction): Fraction | Cannot {
  if (isNegative(value)) return cannot('negative_root', fractionText(value));
  const top = integerRoot(value.n);
  const bottom = integerRoot(value.d);
  if (top === undefined || bottom === undefined) return cannot('irrational', `√${fractionText(value)}`);
  return new Fraction(top, bottom);
}

/** An integer, or `3/4`. */
export function fractionText(value: Fraction): string {
  return isInteger(value) ? `${numerator(value)}` : `${numerator(value)}/${value.d}`;
}

export function numberText(value: Fraction, style: NumberStyle): string {
  if (style === 'fraction') return fractionText(value);
  return terminatingText(value, EXACT_PLACES) ?? fractionText(value);
}

/** The decimal form of a number that is not an integer: exact where it ends soon, else rounded to six places. */
export function decimalText(value: Fraction): { readonly text: string; readonly exact: boolean } {
  const exact = terminatingText(value, EXACT_PLACES);
  if (exact !== undefined) return { text: exact, exact: true };
  const scale = 10n ** BigInt(ROUNDED_PLACES);
  const rounded = (2n * value.n * scale + value.d) / (2n * value.d);
  return { text: placed(rounded, ROUNDED_PLACES, isNegative(value)), exact: false };
}

/** Reads plain decimal notation such as `12` or `0.5`. */
export function fromDecimal(text: string): Fraction {
  const [whole = '', places = ''] = text.split('.');
  return new Fraction(BigInt(`${whole}${places}`), 10n ** BigInt(places.length));
}

/** The least common multiple of the denominators: what all of them can be multiplied away with. */
export function commonDenominator(values: readonly Fraction[]): bigint {
  return values.reduce((sum, value) => (sum / gcd(sum, value.d)) * value.d, 1n);
}

function gcd(left: bigint, right: bigint): bigint {
  let [a, b] = [left, right];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

function power(base: Fraction, exponent: Fraction): Fraction | Cannot {
  if (!isInteger(exponent)) {
    if (exponent.d !== 2n)
      return cannot('fractional_power', `${fractionText(base)}^(${fractionText(exponent)})`);
    const root = squareRoot(base);
    return 'kind' in root ? root : power(root, integer(numerator(exponent)));
  }
  if (exponent.n > BigInt(MAX_EXPONENT)) return cannot('too_large', `exponent ${fractionText(exponent)}`);
  if (isZero(base)) {
    if (isZero(exponent)) return cannot('undefined_power', '0^0');
    return isNegative(exponent) ? cannot('division_by_zero') : base;
  }
  const times = Number(exponent.n);
  const largest = Math.max(digits(base.n), digits(base.d));
  if (largest > 1 && (largest - 1) * times > MAX_DIGITS) return cannot('too_large', `${MAX_DIGITS} digits`);
  const top = numerator(base) ** exponent.n;
  const bottom = base.d ** exponent.n;
  return bounded(isNegative(exponent) ? new Fraction(bottom, top) : new Fraction(top, bottom));
}

function bounded(value: Fraction): Fraction | Cannot {
  return digits(value.n) > MAX_DIGITS || digits(value.d) > MAX_DIGITS
    ? cannot('too_large', `${MAX_DIGITS} digits`)
    : value;
}

/** Number of decimal digits, at most one too many: read off the hexadecimal form, which is cheap to write. */
function digits(value: bigint): number {
  return value < 10n ? 1 : Math.ceil(value.toString(16).length * Math.log10(16));
}

function integerRoot(value: bigint): bigint | undefined {
  if (value < 2n) return value;
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const better = (guess + value / guess) / 2n;
    if (better >= guess) break;
    guess = better;
  }
  return guess * guess === value ? guess : undefined;
}

/** The decimal form when it ends within `maxPlaces`. */
function terminatingText(value: Fraction, maxPlaces: number): string | undefined {
  for (let places = 0, scale = 1n; places <= maxPlaces; places++, scale *= 10n) {
    if (scale % value.d === 0n) return placed((value.n * scale) / value.d, places, isNegative(value));
  }
  return undefined;
}

function placed(scaled: bigint, places: number, negative: boolean): string {
  const text = scaled.toString().padStart(places + 1, '0');
  const whole = text.slice(0, text.length - places);
  const sign = negative && scaled !== 0n ? '-' : '';
  return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${text.slice(text.length - places)}`;
}

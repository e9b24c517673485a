/**
 * Works an arithmetic expression step by step as it is taught: brackets, then powers, then × and ÷, then + and -, from
 * the left. Every line is read back and must have the value of the whole, or nothing is returned.
 */
import type { Fraction } from 'fraction.js';
import { type Cannot, cannot, isCannot } from './cannot.ts';
import { applySign, evaluate } from './evaluate.ts';
import { type Expression, needsBrackets, type Operator, write } from './expression.ts';
import { MAX_CHARS, type Parsed, type ParseOptions, parseExpression } from './parse.ts';
import { applyOperator, commonDenominator, decimalText, type NumberStyle, numberText } from './rational.ts';

/** More operations than this are not a lesson any more. */
export const MAX_STEPS = 60;

export interface ArithmeticStep {
  /** The whole line before and after. */
  readonly before: string;
  readonly after: string;
  /** What was worked out in it, such as `3 × 4`, and its result. */
  readonly part: string;
  /** The one or two numbers in it. */
  readonly operands: readonly string[];
  readonly result: string;
  readonly operation: Operator | 'negative' | 'percent' | 'root';
  /** For sums of fractions: the same part over one denominator, such as `9/12 + 2/12`. */
  readonly over?: string;
}

export interface WorkedSum {
  readonly kind: 'worked';
  /** The expression in our notation: how it was understood. */
  readonly expression: string;
  readonly steps: readonly ArithmeticStep[];
  /** Exact: an integer, a fraction, or a decimal when decimals or percents were written and it ends. */
  readonly value: string;
  /** The decimal form of a value that is a fraction, with `≈ ` in front when rounded. */
  readonly decimal?: string;
  readonly exact: Fraction;
  readonly readings: Parsed['readings'];
  readonly ambiguities: Parsed['ambiguities'];
}

/** The worked expression, or why it cannot be worked. No operation at all is worked in no steps. */
export function arithmeticSteps(text: string, options: ParseOptions = {}): WorkedSum | Cannot {
  const parsed = parseExpression(text, options);
  if (isCannot(parsed)) return parsed;
  const { expression, style, readings, ambiguities } = parsed;
  const expected = evaluate(expression);
  if (isCannot(expected)) return expected;

  const steps: ArithmeticStep[] = [];
  let current = expression;
  let line = write(current, style);
  for (let rounds = 0; current.kind !== 'number'; rounds++) {
    if (rounds > MAX_STEPS) return cannot('too_many_steps', `${MAX_STEPS}`);
    const next = nextOperation(current, style);
    const value = operate(next);
    if (isCannot(value)) return value;
    current = replaced(current, next, { kind: 'number', value });
    const after = write(current, style);
    // A fraction such as 3/4 is a division on paper, and its own result.
    if (after === line) continue;
    if (!hasValue(after, expected)) return cannot('check_failed', after);
    steps.push({ before: line, after, ...describe(next, value, style) });
    line = after;
  }
  if (!current.value.equals(expected)) return cannot('check_failed', line);
  return {
    kind: 'worked',
    expression: write(expression, style),
    steps,
    ...valueTexts(expected, style),
    exact: expected,
    readings,
    ambiguities,
  };
}

/** How a value is told: `value`, and `decimal` where that is another way of saying it. */
export function valueTexts(
  value: Fraction,
  style: NumberStyle,
): { readonly value: string; readonly decimal?: string } {
  const text = numberText(value, style);
  if (!text.includes('/')) return { value: text };
  const { text: decimal, exact } = decimalText(value);
  return { value: text, decimal: exact ? decimal : `≈ ${decimal}` };
}

type Work = Exclude<Expression, { kind: 'number' | 'letter' }>;

/** The operation to do next: the deepest brackets first, then the strongest sign, then the leftmost. */
function nextOperation(root: Expression, style: NumberStyle): Work {
  let best: { readonly work: Work; readonly depth: number; readonly rank: number } | undefined;
  const look = (part: Expression, depth: number): void => {
    if (part.kind === 'number' || part.kind === 'letter') return;
    if (part.kind === 'binary') {
      look(part.left, depth + (needsBrackets(part, 'left', style) ? 1 : 0));
      look(part.right, depth + (needsBrackets(part, 'right', style) ? 1 : 0));
      if (part.left.kind !== 'number' || part.right.kind !== 'number') return;
    } else {
      look(part.of, depth + (part.kind === 'root' ? 1 : 0));
      if (part.of.kind !== 'number') return;
    }
    const rank = rankOf(part);
    if (best === undefined || depth > best.depth || (depth === best.depth && rank > best.rank)) {
      best = { work: part, depth, rank };
    }
  };
  look(root, 0);
  if (best === undefined) throw new Error('an expression without letters has an operation left');
  return best.work;
}

function rankOf(work: Work): number {
  if (work.kind !== 'binary') return 3;
  if (work.operator === '^') return 3;
  return work.operator === '*' || work.operator === '/' ? 2 : 1;
}

function operate(work: Work): Fraction | Cannot {
  const operands = operandsOf(work);
  const [left, right] = operands;
  if (left === undefined) throw new Error('only an operation on numbers can be done');
  if (work.kind !== 'binary') return applySign(work.kind, left);
  if (right === undefined) throw new Error('an operator has two operands');
  return applyOperator(work.operator, left, right);
}

function operandsOf(work: Work): readonly Fraction[] {
  const parts = work.kind === 'binary' ? [work.left, work.right] : [work.of];
  return parts.flatMap((part) => (part.kind === 'number' ? [part.value] : []));
}

function replaced(tree: Expression, part: Expression, by: Expression): Expression {
  if (tree === part) return by;
  if (tree.kind === 'number' || tree.kind === 'letter') return tree;
  if (tree.kind !== 'binary') {
    const of = replaced(tree.of, part, by);
    return of === tree.of ? tree : { ...tree, of };
  }
  const left = replaced(tree.left, part, by);
  const right = left === tree.left ? replaced(tree.right, part, by) : tree.right;
  return left === tree.left && right === tree.right ? tree : { ...tree, left, right };
}

function describe(work: Work, value: Fraction, style: NumberStyle): Omit<ArithmeticStep, 'before' | 'after'> {
  const operation = work.kind === 'binary' ? work.operator : work.kind;
  const over = overOneDenominator(work, style);
  return {
    part: write(work, style),
    operands: operandsOf(work).map((each) => numberText(each, style)),
    result: numberText(value, style),
    operation,
    ...(over !== undefined && { over }),
  };
}

function overOneDenominator(work: Work, style: NumberStyle): string | undefined {
  if (work.kind !== 'binary' || (work.operator !== '+' && work.operator !== '-')) return undefined;
  const operands = operandsOf(work);
  const shown = operands.map((each) => numberText(each, style));
  if (!shown.some((text) => text.includes('/'))) return undefined;
  const bottom = commonDenominator(operands);
  const raised = operands.map((each) => `${(each.s * each.n * bottom) / each.d}/${bottom}`);
  if (raised.every((text, index) => text === shown[index])) return undefined;
  const [left = '', right = ''] = raised;
  return `${left} ${work.operator} ${right.startsWith('-') ? `(${right})` : right}`;
}

/** Reads a line back. Lines longer than a person could send are left to the check of the last value. */
function hasValue(line: string, expected: Fraction): boolean {
  if (line.length > MAX_CHARS) return true;
  const parsed = parseExpression(line);
  if (isCannot(parsed)) return false;
  const value = evaluate(parsed.expression);
  return !isCannot(value) && value.equals(expected);
}

/** Worked sums and equations as Markdown. Every number in them comes from `src/maths`, which checked it. */
import { type ArithmeticStep, arithmeticSteps, type WorkedSum } from '../../maths/arithmetic.ts';
import { isCannot } from '../../maths/cannot.ts';
import { approximate } from '../../maths/evaluate.ts';
import { write } from '../../maths/expression.ts';
import { type SolvedEquation, solveLinear } from '../../maths/linear.ts';
import { type ParseOptions, parseExpression } from '../../maths/parse.ts';
import type { Words } from './words.ts';

/** More steps than this are shortened: the first ones, the last one. */
const MAX_SHOWN = 12;

/** A sum with its steps and a check; or, when there is no exact result, what can be said. */
export function workedSum(text: string, words: Words, options: ParseOptions = {}): string {
  const worked = arithmeticSteps(text, options);
  if (!isCannot(worked)) return writeSum(worked, words);
  const said = words.cannot(worked.reason, worked.detail);
  const parsed = parseExpression(text, options);
  if (isCannot(parsed)) return said;
  const inexact = worked.reason === 'irrational' || worked.reason === 'fractional_power';
  const about = inexact || worked.reason === 'too_many_steps' ? approximate(parsed.expression) : Number.NaN;
  if (!Number.isFinite(about)) return said;
  // 10 digits are all right in floating point; more would only show its rounding.
  return `${said} ${words.onlyAbout(write(parsed.expression, parsed.style), `${Number(about.toPrecision(10))}`)}`;
}

/** Is `left = right`? The sum is worked and compared. */
export function workedClaim(left: string, right: string, words: Words): string {
  const [one, other] = [arithmeticSteps(left), arithmeticSteps(right)];
  if (isCannot(one)) return words.cannot(one.reason, one.detail);
  if (isCannot(other)) return words.cannot(other.reason, other.detail);
  const line = `${one.expression} = ${one.value}`;
  if (one.exact.equals(other.exact)) return words.claimRight(`${one.expression} = ${other.expression}`);
  return [words.claimWrong(line, other.expression), stepLines(one).join('\n')].join('\n\n').trim();
}

/** An equation with its steps and its check, or why it cannot be solved. */
export function workedEquation(text: string, letter: string | undefined, words: Words): string {
  const solved = solveLinear(text, letter);
  return isCannot(solved) ? words.cannot(solved.reason, solved.detail) : writeEquation(solved, words);
}

export function writeSum(worked: WorkedSum, words: Words): string {
  const { expression, value, decimal, steps } = worked;
  // A fraction that is its own result, such as 3/4, is told as a decimal.
  const result = steps.length === 0 && decimal !== undefined ? decimal.replace('≈ ', '') : value;
  const sign = steps.length === 0 && decimal?.startsWith('≈') ? '≈' : '=';
  const parts = [
    steps.length === 0 && decimal === undefined ? `**${value}**` : `**${expression} ${sign} ${result}**`,
  ];
  if (worked.readings.length > 0) parts.push(words.readAs(worked.readings));
  const lines = stepLines(worked);
  if (lines.length > 0) parts.push(lines.join('\n'));
  if (decimal !== undefined && steps.length > 0) parts.push(words.roundedTo(decimal));
  const check = steps.length > 1 ? words.linesChecked : inverse(steps[0], words);
  if (check !== undefined) parts.push(check);
  return parts.join('\n\n');
}

export function writeEquation(solved: SolvedEquation, words: Words): string {
  const parts = solved.steps.length === 0 && solved.kind === 'solved' ? [] : [`**${solved.equation}**`];
  if (solved.readings.length > 0) parts.push(words.readAs(solved.readings));
  const lines = solved.steps.map((step, at) => `${at + 1}. ${words.equationStep(step)}: ${step.equation}`);
  if (lines.length > 0) parts.push(shortened(lines).join('\n'));
  if (solved.kind === 'solved') {
    const solution = `${solved.letter} = ${solved.value}`;
    parts.push(`**${solution}**${solved.decimal === undefined ? '' : ` (${solved.decimal})`}`);
    const { left, right } = solved.check;
    const [l, r] = [left, right].map(({ written, value }) =>
      written === value ? value : `${written} = ${value}`,
    );
    parts.push(words.putBack(solution, l ?? '', r ?? ''));
  } else {
    parts.push(solved.kind === 'none' ? words.noSolution(solved.letter) : words.everySolution(solved.letter));
  }
  return parts.join('\n\n');
}

function stepLines({ steps }: WorkedSum): readonly string[] {
  const lines = steps.map((step, at) => {
    const between = [splitProduct(step), step.over].filter((text) => text !== undefined);
    // A single step without anything between is the bold line once more.
    if (steps.length === 1 && between.length === 0) return undefined;
    const line = at === steps.length - 1 ? '' : ` → ${step.after}`;
    return `${at + 1}. ${[step.part, ...between, step.result].join(' = ')}${line}`;
  });
  return shortened(lines.filter((line) => line !== undefined));
}

function shortened(lines: readonly string[]): readonly string[] {
  return lines.length <= MAX_SHOWN ? lines : [...lines.slice(0, MAX_SHOWN - 1), '…', ...lines.slice(-1)];
}

/** 17 × 23 is 17 × 20 + 17 × 3: how a product of larger whole numbers is worked in the head. */
function splitProduct({ part, result }: ArithmeticStep): string | undefined {
  const match = /^(\d{1,4}) × (\d{1,4})$/.exec(part);
  const [a, b] = [Number(match?.[1]), Number(match?.[2])];
  if (!(a > 10 || b > 10) || a < 2 || b < 2) return undefined;
  // The factor with something behind its first digit is the one to split.
  const [keep, split] = tail(b) > 0 && b > 10 ? [a, b] : [b, a];
  const rest = tail(split);
  if (rest === 0 || split < 11) return undefined;
  const head = split - rest;
  if (keep * head + keep * rest !== Number(result)) return undefined;
  return `${keep} × ${head} + ${keep} × ${rest} = ${keep * head} + ${keep * rest}`;
}

/** What stands behind the first digit: 3 of 23, 7 of 107. */
function tail(value: number): number {
  return value % 10 ** (`${value}`.length - 1);
}

const inverses: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*' };

/** The check of a single operation: the other way round. */
function inverse(step: ArithmeticStep | undefined, words: Words): string | undefined {
  const sign = inverses[step?.operation ?? ''];
  const [left, right] = step?.operands ?? [];
  if (step === undefined || sign === undefined || left === undefined || right === undefined) return undefined;
  const back = arithmeticSteps(`(${step.result}) ${sign} (${right})`);
  const expected = arithmeticSteps(left);
  if (isCannot(back) || isCannot(expected) || !back.exact.equals(expected.exact)) return undefined;
  return words.inverseCheck(`${back.expression} = ${back.value}`);
}

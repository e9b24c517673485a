/**
 * Solves a linear equation in one letter, step by step. The solution is put back into the equation as it was written
 * and into every line on the way; a line that does not hold is never returned.
 */
import type { Fraction } from 'fraction.js';
import { valueTexts } from './arithmetic.ts';
import { type Cannot, cannot, isCannot } from './cannot.ts';
import { type Expression, substitute, write } from './expression.ts';
import { findMaths } from './find.ts';
import {
  addForms,
  constantForm,
  factorOf,
  type LinearForm,
  scaleForm,
  toLinearForm,
  writeForm,
} from './linear-form.ts';
import { MAX_CHARS, type Parsed, type ParseOptions, parseExpression, type Reading } from './parse.ts';
import { commonDenominator, integer, isZero, type NumberStyle, numberText } from './rational.ts';

export interface EquationStep {
  /**
   * What was done to reach `equation`: both sides tidied up, both multiplied, added to or reduced by `amount`, divided
   * by it, or exchanged.
   */
  readonly action: 'simplify' | 'multiply' | 'add' | 'subtract' | 'divide' | 'swap';
  /** `2x`, `3`, `-1/2`; empty for simplify and swap. */
  readonly amount: string;
  readonly equation: string;
}

export interface PutIn {
  /** `2 × 4 + 3`. */
  readonly written: string;
  readonly value: string;
}

interface Worked {
  readonly letter: string;
  /** The equation in our notation: how it was understood. */
  readonly equation: string;
  readonly steps: readonly EquationStep[];
  readonly readings: readonly Reading[];
  readonly ambiguities: Parsed['ambiguities'];
}

export type SolvedEquation =
  | ({
      readonly kind: 'solved';
      /** A number, or an expression of the other letters. */
      readonly value: string;
      /** The decimal form of a fraction, with `≈ ` in front when rounded. */
      readonly decimal?: string;
      /** The solution as a number; absent when it depends on other letters. */
      readonly exact?: Fraction;
      /** The two sides with the solution put in, as written and as worked out. */
      readonly check: { readonly left: PutIn; readonly right: PutIn };
    } & Worked)
  /** `none`: no number fits. `all`: every number does. The last step shows why. */
  | ({ readonly kind: 'none' | 'all' } & Worked);

/**
 * Solves the equation in `text` for its letter. With several letters `letter` says which one; without it the answer is
 * `which_letter` with the letters to choose from. Systems, inequalities and powers are named as what cannot be done.
 */
export function solveLinear(
  text: string,
  letter?: string,
  options: ParseOptions = {},
): SolvedEquation | Cannot {
  const sides = splitEquation(text);
  if (isCannot(sides)) return sides;
  const left = parseExpression(sides.left, options);
  if (isCannot(left)) return left;
  const right = parseExpression(sides.right, options);
  if (isCannot(right)) return right;

  const letters = [...new Set([...left.letters, ...right.letters])].toSorted();
  const unknown = letter ?? (letters.length === 1 ? letters[0] : undefined);
  if (letters.length === 0) return cannot('no_letter');
  const leftForm = toLinearForm(left.expression);
  if (isCannot(leftForm)) return leftForm;
  const rightForm = toLinearForm(right.expression);
  if (isCannot(rightForm)) return rightForm;
  if (unknown === undefined || !letters.includes(unknown)) return cannot('which_letter', letters.join(', '));

  const style = left.style === 'decimal' || right.style === 'decimal' ? 'decimal' : 'fraction';
  const equation = `${write(left.expression, style)} = ${write(right.expression, style)}`;
  const made = transform({ left: leftForm, right: rightForm }, unknown, equation, style);
  const worked: Worked = {
    letter: unknown,
    equation,
    steps: made.steps,
    readings: [...left.readings, ...right.readings],
    ambiguities: [...new Set([...left.ambiguities, ...right.ambiguities])],
  };
  if (made.solution === undefined) {
    const rest = addForms(made.last.left, made.last.right, integer(-1));
    if (rest.factors.size > 0) return cannot('letter_cancels', unknown);
    return { kind: isZero(rest.constant) ? 'all' : 'none', ...worked };
  }

  const { solution } = made;
  const values = new Map([[unknown, solution]]);
  for (const line of [sides, ...made.steps.map((step) => step.equation)]) {
    if (!holds(line, values)) return cannot('check_failed', typeof line === 'string' ? line : equation);
  }
  const number = solution.factors.size === 0 ? solution.constant : undefined;
  const inPlace = formExpression(solution, style);
  if (isCannot(inPlace)) return inPlace;
  const putIn = (side: Expression): PutIn | Cannot => {
    const form = toLinearForm(side, values);
    if (isCannot(form)) return form;
    return { written: write(substitute(side, unknown, inPlace), style), value: writeForm(form, style) };
  };
  const leftCheck = putIn(left.expression);
  if (isCannot(leftCheck)) return leftCheck;
  const rightCheck = putIn(right.expression);
  if (isCannot(rightCheck)) return rightCheck;
  return {
    kind: 'solved',
    ...worked,
    ...(number === undefined
      ? { value: writeForm(solution, style) }
      : { ...valueTexts(number, style), exact: number }),
    check: { left: leftCheck, right: rightCheck },
  };
}

interface Sides {
  readonly left: string;
  readonly right: string;
}

/** The two sides of the one equation in `text`; prose around it is left out. */
function splitEquation(text: string): Sides | Cannot {
  if (text.length > MAX_CHARS) return cannot('too_long', `${MAX_CHARS} characters`);
  const { found } = findMaths(text);
  if (found.some((each) => each.kind === 'inequality')) return cannot('inequality');
  const equations = found.filter((each) => each.kind === 'equation');
  const [first] = equations;
  if (first === undefined) return cannot('no_equation');
  if (equations.length > 1) return cannot('system');
  const [left, right, ...more] = first.text.split('=');
  if (left === undefined || right === undefined || more.length > 0)
    return cannot('several_equals', first.text);
  return { left, right };
}

/** The solution as a tree, to be written where the letter stood. */
function formExpression(form: LinearForm, style: NumberStyle): Expression | Cannot {
  if (form.factors.size === 0) return { kind: 'number', value: form.constant };
  const parsed = parseExpression(writeForm(form, style), { maxChars: Number.POSITIVE_INFINITY });
  return isCannot(parsed) ? parsed : parsed.expression;
}

interface Line {
  readonly left: LinearForm;
  readonly right: LinearForm;
}

/** The steps from the tidied equation to `letter = solution`, or to a line without the letter. */
function transform(
  start: Line,
  letter: string,
  equation: string,
  style: NumberStyle,
): { readonly steps: readonly EquationStep[]; readonly last: Line; readonly solution?: LinearForm } {
  const steps: EquationStep[] = [];
  let line = start;
  let shown = equation;
  const reach = (action: EquationStep['action'], amount: string, next: Line) => {
    line = next;
    const written = `${writeForm(line.left, style)} = ${writeForm(line.right, style)}`;
    if (written === shown) return;
    shown = written;
    steps.push({ action, amount, equation: written });
  };
  /** Takes `form` from both sides; a form that begins with a minus is added instead. */
  const takeAway = (form: LinearForm) => {
    const text = writeForm(form, style);
    const positive = !text.startsWith('-');
    reach(positive ? 'subtract' : 'add', positive ? text : writeForm(scaleForm(form, integer(-1)), style), {
      left: addForms(line.left, form, integer(-1)),
      right: addForms(line.right, form, integer(-1)),
    });
  };

  reach('simplify', '', line);
  const bottom = style === 'fraction' ? commonDenominator(numbersOf(line)) : 1n;
  if (bottom > 1n) {
    const by = integer(bottom);
    reach('multiply', `${bottom}`, { left: scaleForm(line.left, by), right: scaleForm(line.right, by) });
  }
  if (isZero(factorOf(line.left, letter)) && !isZero(factorOf(line.right, letter))) {
    reach('swap', '', { left: line.right, right: line.left });
  }
  if (!isZero(factorOf(line.right, letter))) takeAway(only(line.right, letter));
  const factor = factorOf(line.left, letter);
  if (isZero(factor)) return { steps, last: line };
  for (const other of [...line.left.factors.keys()].toSorted()) {
    if (other !== letter) takeAway(only(line.left, other));
  }
  if (!isZero(line.left.constant)) takeAway(constantForm(line.left.constant));
  if (!factor.equals(1)) {
    const by = factor.inverse();
    reach('divide', numberText(factor, style), {
      left: scaleForm(line.left, by),
      right: scaleForm(line.right, by),
    });
  }
  return { steps, last: line, solution: line.right };
}

function only(form: LinearForm, letter: string): LinearForm {
  return { constant: integer(0), factors: new Map([[letter, factorOf(form, letter)]]) };
}

function numbersOf(line: Line): readonly Fraction[] {
  return [line.left, line.right].flatMap((form) => [form.constant, ...form.factors.values()]);
}

/** Reads a line back and puts the solution in: are both sides equal? */
function holds(line: string | Sides, values: ReadonlyMap<string, LinearForm>): boolean {
  const [left = '', right = ''] = typeof line === 'string' ? line.split('=') : [line.left, line.right];
  const forms = [left, right].map((side) => {
    const parsed = parseExpression(side, { maxChars: Number.POSITIVE_INFINITY });
    return isCannot(parsed) ? parsed : toLinearForm(parsed.expression, values);
  });
  const [leftForm, rightForm] = forms;
  if (!leftForm || !rightForm || isCannot(leftForm) || isCannot(rightForm)) return false;
  const difference = addForms(leftForm, rightForm, integer(-1));
  return difference.factors.size === 0 && isZero(difference.constant);
}

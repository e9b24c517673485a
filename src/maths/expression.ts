/** An expression as a tree, and how it is written. What `write` gives, `parseExpression` reads back to the same value. */
import type { Fraction } from 'fraction.js';
import { isInteger, isNegative, type NumberStyle, numberText } from './rational.ts';

export type Operator = '+' | '-' | '*' | '/' | '^';

export type Expression =
  | { readonly kind: 'number'; readonly value: Fraction }
  | { readonly kind: 'letter'; readonly name: string }
  | { readonly kind: 'negative' | 'percent' | 'root'; readonly of: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
      /** A product written without a sign, such as 2x. */
      readonly implicit?: true;
    };

export type Binary = Extract<Expression, { kind: 'binary' }>;

const SUM = 1;
const PRODUCT = 2;
const POWER = 3;
const ATOM = 4;

/** One line of text. Multiplication is ×, or nothing where a number stands before a letter or a bracket. */
export function write(expression: Expression, style: NumberStyle): string {
  switch (expression.kind) {
    case 'number':
      return numberText(expression.value, style);
    case 'letter':
      return expression.name;
    case 'negative':
      return `-${bracketed(expression.of, strength(expression.of, style) < PRODUCT, style)}`;
    case 'percent':
      return `${bracketed(expression.of, strength(expression.of, style) < ATOM, style)}%`;
    case 'root':
      return `√${bracketed(expression.of, !isPlainAtom(expression.of, style), style)}`;
    case 'binary':
      return writeBinary(expression, style);
    default:
      return expression satisfies never;
  }
}

/** Would `child` stand in brackets there? Decides the order of work too: brackets first. */
export function needsBrackets(parent: Binary, side: 'left' | 'right', style: NumberStyle): boolean {
  const child = parent[side];
  const own = strength(child, style);
  switch (parent.operator) {
    case '+':
      return side === 'right' && startsWithMinus(child, style);
    case '-':
      return side === 'right' && (own <= SUM || startsWithMinus(child, style));
    case '*':
    case '/':
      if (own < PRODUCT) return true;
      return side === 'right' && (own === PRODUCT || startsWithMinus(child, style));
    case '^':
      return side === 'left' ? own < ATOM || startsWithMinus(child, style) : !isPlainAtom(child, style);
    default:
      return parent.operator satisfies never;
  }
}

function writeBinary(expression: Binary, style: NumberStyle): string {
  const left = bracketed(expression.left, needsBrackets(expression, 'left', style), style);
  const right = bracketed(expression.right, needsBrackets(expression, 'right', style), style);
  switch (expression.operator) {
    case '+':
    case '-':
      return `${left} ${expression.operator} ${right}`;
    case '^':
      return `${left}^${right}`;
    case '/':
      return isCompact(expression.left, style) && isPlainAtom(expression.right, style)
        ? `${left}/${right}`
        : `${left} / ${right}`;
    case '*':
      return expression.implicit && standsBefore(expression, right, style)
        ? `${left}${right}`
        : `${left} × ${right}`;
    default:
      return expression.operator satisfies never;
  }
}

/** A plain number before a letter or a bracket needs no sign between them: 2x, -3(x + 1). */
function standsBefore(product: Binary, right: string, style: NumberStyle): boolean {
  const number = product.left.kind === 'negative' ? product.left.of : product.left;
  return number.kind === 'number' && isPlainAtom(number, style) && /^[a-z(√]/i.test(right);
}

function bracketed(expression: Expression, brackets: boolean, style: NumberStyle): string {
  const text = write(expression, style);
  return brackets ? `(${text})` : text;
}

/** A letter, or a number that is written with digits (and a point) only. */
function isPlainAtom(expression: Expression, style: NumberStyle): boolean {
  if (expression.kind === 'letter') return true;
  if (expression.kind !== 'number' || isNegative(expression.value)) return false;
  return isInteger(expression.value) || !numberText(expression.value, style).includes('/');
}

/** A number or a letter with its factor and sign, such as -2x: written without spaces before a slash. */
function isCompact(expression: Expression, style: NumberStyle): boolean {
  if (expression.kind === 'negative') return isCompact(expression.of, style);
  if (expression.kind === 'number') return !numberText(expression.value, style).includes('/');
  if (expression.kind !== 'binary') return expression.kind === 'letter';
  const { implicit, left, right } = expression;
  return implicit === true && isCompact(left, style) && right.kind === 'letter';
}

function strength(expression: Expression, style: NumberStyle): number {
  switch (expression.kind) {
    case 'number':
      return numberText(expression.value, style).includes('/') ? PRODUCT : ATOM;
    case 'letter':
    case 'percent':
    case 'root':
      return ATOM;
    case 'negative':
      return PRODUCT;
    case 'binary':
      if (expression.operator === '^') return POWER;
      return expression.operator === '*' || expression.operator === '/' ? PRODUCT : SUM;
    default:
      return expression satisfies never;
  }
}

/** Decided on the tree, not on the text: writing every part again at every level would take for ever. */
function startsWithMinus(expression: Expression, style: NumberStyle): boolean {
  if (expression.kind === 'number') return isNegative(expression.value);
  if (expression.kind !== 'binary') return expression.kind === 'negative';
  if (expression.operator === '^') return false;
  return !needsBrackets(expression, 'left', style) && startsWithMinus(expression.left, style);
}

/** The same tree with another one in place of a letter. */
export function substitute(expression: Expression, letter: string, by: Expression): Expression {
  switch (expression.kind) {
    case 'number':
      return expression;
    case 'letter':
      return expression.name === letter ? by : expression;
    case 'binary': {
      const left = substitute(expression.left, letter, by);
      return { ...expression, left, right: substitute(expression.right, letter, by) };
    }
    case 'negative':
    case 'percent':
    case 'root':
      return { ...expression, of: substitute(expression.of, letter, by) };
    default:
      return expression satisfies never;
  }
}

/** Every letter in the tree, in alphabetical order, once. */
export function lettersOf(expression: Expression): readonly string[] {
  const found = new Set<string>();
  const look = (part: Expression): void => {
    if (part.kind === 'letter') found.add(part.name);
    else if (part.kind === 'binary') {
      look(part.left);
      look(part.right);
    } else if (part.kind !== 'number') look(part.of);
  };
  look(expression);
  return [...found].toSorted((a, b) => (a < b ? -1 : 1));
}

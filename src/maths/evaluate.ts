/** The exact value of an expression, in one recursive pass: independent of how the steps were made. */
import type { Fraction } from 'fraction.js';
import { type Cannot, cannot, isCannot } from './cannot.ts';
import type { Expression, Operator } from './expression.ts';
import { applyOperator, integer, squareRoot } from './rational.ts';

/** `letters` gives values to letters; one without a value makes the whole `has_letters`. */
export function evaluate(
  expression: Expression,
  letters: Readonly<Record<string, Fraction>> = {},
): Fraction | Cannot {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'letter':
      return letters[expression.name] ?? cannot('has_letters', expression.name);
    case 'binary': {
      const left = evaluate(expression.left, letters);
      if (isCannot(left)) return left;
      const right = evaluate(expression.right, letters);
      return isCannot(right) ? right : applyOperator(expression.operator, left, right);
    }
    case 'negative':
    case 'percent':
    case 'root': {
      const of = evaluate(expression.of, letters);
      return isCannot(of) ? of : applySign(expression.kind, of);
    }
    default:
      return expression satisfies never;
  }
}

/** What the three one-sided signs do to a value. */
export function applySign(sign: 'negative' | 'percent' | 'root', value: Fraction): Fraction | Cannot {
  if (sign === 'negative') return value.neg();
  return sign === 'root' ? squareRoot(value) : applyOperator('/', value, integer(100));
}

/** The value in floating point, for what has no exact one; NaN where there is none at all. */
export function approximate(expression: Expression): number {
  switch (expression.kind) {
    case 'number':
      return expression.value.valueOf();
    case 'letter':
      return Number.NaN;
    case 'negative':
      return -approximate(expression.of);
    case 'percent':
      return approximate(expression.of) / 100;
    case 'root':
      return Math.sqrt(approximate(expression.of));
    case 'binary':
      return approximateBinary(
        expression.operator,
        approximate(expression.left),
        approximate(expression.right),
      );
    default:
      return expression satisfies never;
  }
}

function approximateBinary(operator: Operator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '^':
      return left ** right;
    default:
      return operator satisfies never;
  }
}

/** `3x - 2y + 5`: a number times each letter, plus a constant. What both sides of a linear equation come down to. */
import type { Fraction } from 'fraction.js';
import { type Cannot, cannot, isCannot } from './cannot.ts';
import { applySign } from './evaluate.ts';
import type { Expression, Operator } from './expression.ts';
import { applyOperator, integer, isNegative, isZero, type NumberStyle, numberText } from './rational.ts';

export interface LinearForm {
  readonly constant: Fraction;
  /** Letters whose factor is not zero. */
  readonly factors: ReadonlyMap<string, Fraction>;
}

export function constantForm(value: Fraction): LinearForm {
  return { constant: value, factors: new Map() };
}

export function factorOf(form: LinearForm, letter: string): Fraction {
  return form.factors.get(letter) ?? integer(0);
}

/** `left + times · right`. */
export function addForms(left: LinearForm, right: LinearForm, times: Fraction = integer(1)): LinearForm {
  const factors = new Map(left.factors);
  for (const [letter, factor] of right.factors) {
    const sum = (factors.get(letter) ?? integer(0)).add(factor.mul(times));
    if (isZero(sum)) factors.delete(letter);
    else factors.set(letter, sum);
  }
  return { constant: left.constant.add(right.constant.mul(times)), factors };
}

export function scaleForm(form: LinearForm, by: Fraction): LinearForm {
  return addForms(constantForm(integer(0)), form, by);
}

/**
 * Brings an expression to its linear form. `letters` may stand for forms themselves, which is how a solution is put
 * back in. `not_linear` for products, powers, roots and quotients of letters; `quadratic` when it is just a square.
 */
export function toLinearForm(
  expression: Expression,
  letters: ReadonlyMap<string, LinearForm> = new Map(),
): LinearForm | Cannot {
  switch (expression.kind) {
    case 'number':
      return constantForm(expression.value);
    case 'letter':
      return (
        letters.get(expression.name) ?? {
          constant: integer(0),
          factors: new Map([[expression.name, integer(1)]]),
        }
      );
    case 'negative':
    case 'percent': {
      const of = toLinearForm(expression.of, letters);
      if (isCannot(of)) return of;
      const one = applySign(expression.kind, integer(1));
      return isCannot(one) ? one : bounded(scaleForm(of, one));
    }
    case 'root': {
      const of = toLinearForm(expression.of, letters);
      if (isCannot(of)) return of;
      if (of.factors.size > 0) return cannot('not_linear', 'root');
      const root = applySign('root', of.constant);
      return isCannot(root) ? root : constantForm(root);
    }
    case 'binary': {
      const left = toLinearForm(expression.left, letters);
      if (isCannot(left)) return left;
      const right = toLinearForm(expression.right, letters);
      if (isCannot(right)) return right;
      return combine(expression.operator, left, right);
    }
    default:
      return expression satisfies never;
  }
}

/** Written as `3x - 2y/3 + 5`; a factor of one is left out. Reads back to the same form. */
export function writeForm(form: LinearForm, style: NumberStyle): string {
  const terms: string[] = [...form.factors]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([letter, factor]) => {
      const [top = '', bottom] = numberText(factor.abs(), style).split('/');
      const product = `${top === '1' ? '' : top}${letter}${bottom === undefined ? '' : `/${bottom}`}`;
      return isNegative(factor) ? `-${product}` : product;
    });
  if (!isZero(form.constant) || terms.length === 0) terms.push(numberText(form.constant, style));
  return terms
    .map((term, index) => {
      if (index === 0) return term;
      return term.startsWith('-') ? ` - ${term.slice(1)}` : ` + ${term}`;
    })
    .join('');
}

function combine(operator: Operator, left: LinearForm, right: LinearForm): LinearForm | Cannot {
  const leftIsNumber = left.factors.size === 0;
  const rightIsNumber = right.factors.size === 0;
  switch (operator) {
    case '+':
      return bounded(addForms(left, right));
    case '-':
      return bounded(addForms(left, right, integer(-1)));
    case '*':
      if (leftIsNumber) return bounded(scaleForm(right, left.constant));
      if (rightIsNumber) return bounded(scaleForm(left, right.constant));
      return cannot(
        left.factors.size === 1 && sameLetter(left, right) ? 'quadratic' : 'not_linear',
        'product',
      );
    case '/': {
      if (!rightIsNumber) return cannot('not_linear', 'quotient');
      const inverse = applyOperator('/', integer(1), right.constant);
      return isCannot(inverse) ? inverse : bounded(scaleForm(left, inverse));
    }
    case '^': {
      if (leftIsNumber && rightIsNumber) {
        const value = applyOperator('^', left.constant, right.constant);
        return isCannot(value) ? value : constantForm(value);
      }
      if (!rightIsNumber) return cannot('not_linear', 'power');
      if (right.constant.equals(1)) return left;
      if (isZero(right.constant)) return constantForm(integer(1));
      return cannot(right.constant.equals(2) ? 'quadratic' : 'not_linear', 'power');
    }
    default:
      return operator satisfies never;
  }
}

function sameLetter(left: LinearForm, right: LinearForm): boolean {
  return right.factors.size === 1 && [...left.factors.keys()].every((letter) => right.factors.has(letter));
}

/** Applies the size limit of numbers to every part of a form. */
function bounded(form: LinearForm): LinearForm | Cannot {
  for (const value of [form.constant, ...form.factors.values()]) {
    const checked = applyOperator('+', value, integer(0));
    if (isCannot(checked)) return checked;
  }
  return form;
}

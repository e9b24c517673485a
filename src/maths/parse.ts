/**
 * Text to expression tree. A small reader of our own finds numbers, letters and signs and writes the products that are
 * only implied; jsep then builds the tree. Bounded in length and depth, so hostile text is refused quickly.
 */
import jsep from 'jsep';
import { type Cannot, cannot } from './cannot.ts';
import { type Expression, lettersOf, type Operator } from './expression.ts';
import { plainNotation, readNumber } from './notation.ts';
import { fromDecimal, type NumberStyle } from './rational.ts';

/** Longest text that is read. Unit: characters. */
export const MAX_CHARS = 500;
/** Deepest nesting of brackets. */
const MAX_DEPTH = 50;

export interface Parsed {
  readonly kind: 'parsed';
  readonly expression: Expression;
  /** Decimals or percents were written: answer in decimals. */
  readonly style: NumberStyle;
  readonly letters: readonly string[];
  /** Numbers whose marks could have been meant otherwise, and how they were read. */
  readonly readings: readonly Reading[];
  readonly ambiguities: readonly Ambiguity[];
}

export interface Reading {
  readonly written: string;
  readonly plain: string;
}

/**
 * `product_after_division`: 6/2(1+2) is (6/2)(1+2) to some and 6/(2(1+2)) to others.
 * `percent_added`: 80 + 10% is 80.1 to some and 88 to others.
 */
export type Ambiguity = 'product_after_division' | 'percent_added';

export interface ParseOptions {
  /** Does an implied product bind like × (`same`, the default) or tighter than ÷ (`tight`)? */
  readonly implied?: 'same' | 'tight';
  /** Is the 10% of `80 + 10%` a number of its own (`number`, the default) or 10% of the 80 (`of_left`)? */
  readonly percentAdded?: 'number' | 'of_left';
  /** Unit: characters. Only for text of our own; people get `MAX_CHARS`. */
  readonly maxChars?: number;
}

/** Reads one expression, letters allowed. A trailing `=`, `?` or full stop is left out. */
export function parseExpression(text: string, options: ParseOptions = {}): Parsed | Cannot {
  const maxChars = options.maxChars ?? MAX_CHARS;
  if (text.length > maxChars) return cannot('too_long', `${maxChars} characters`);
  const plain = plainNotation(text.trim())
    .replace(/[\s=?.。]+$/, '')
    .trim();
  if (plain === '') return cannot('empty');
  const read = readSigns(plain, options.implied === 'tight' ? TIGHT : IMPLIED);
  if ('kind' in read) return read;
  try {
    const ambiguities = new Set<Ambiguity>();
    const expression = toExpression(jsep(read.source), {
      ambiguities,
      percentOfLeft: options.percentAdded === 'of_left',
    });
    const { style, readings } = read;
    return {
      kind: 'parsed',
      expression,
      style,
      letters: lettersOf(expression),
      readings,
      ambiguities: [...ambiguities],
    };
  } catch {
    // jsep reports every mistake by throwing; all of them mean that something is missing or out of place.
    return cannot('unfinished', plain.length > 60 ? `${plain.slice(0, 59)}…` : plain);
  }
}

// jsep keeps its grammar in one place for the whole process; it is set here, once, and nothing else uses jsep.
const IMPLIED = '@';
const TIGHT = '#';
jsep.removeAllBinaryOps();
jsep.removeAllUnaryOps();
jsep.removeAllLiterals();
for (const sign of ['+', '-']) jsep.addUnaryOp(sign);
for (const sign of ['+', '-']) jsep.addBinaryOp(sign, 9);
for (const sign of ['*', '/', IMPLIED]) jsep.addBinaryOp(sign, 10);
jsep.addBinaryOp(TIGHT, 11);
jsep.hooks.add('gobble-token', function (env) {
  // Brackets are kept in the tree: (1/2)(3/4) must not look like 1/2(3/4). Numbers pass here so that ^ and % can follow.
  if (/\d/.test(this.char)) env.node = present(this.gobbleNumericLiteral());
  else if (this.char === '(') env.node = { type: 'Group', body: present(this.gobbleGroup()) };
});
jsep.hooks.add('after-token', function (env) {
  // Powers and percents bind tighter than a sign in front, -2^2 is -(2^2); jsep's own operators bind looser. The power
  // takes the next whole token, its own powers included, and so is right-associative.
  while (env.node) {
    this.gobbleSpaces();
    if (this.char === '%') {
      this.index++;
      env.node = { type: 'Percent', argument: env.node };
    } else if (this.char === '^') {
      this.index++;
      env.node = {
        type: 'BinaryExpression',
        operator: '^',
        left: env.node,
        right: present(this.gobbleToken()),
      };
    } else return;
  }
});

function present(node: jsep.PossibleExpression): jsep.Expression {
  if (!node) throw new Error('an operand is missing');
  return node;
}

type Sign = 'number' | 'letter' | 'root' | 'open' | 'close' | 'percent' | 'operator';

/** Text in jsep's grammar, with every product written out. */
function readSigns(
  plain: string,
  product: string,
): { readonly source: string; readonly style: NumberStyle; readonly readings: readonly Reading[] } | Cannot {
  const pattern =
    /\s*(?:(\d+(?:[.,]\d+)*|[.]\d+)|(sqrt|√)|(of|von|aus)(?![\p{L}])|([\p{L}]+)|([-+*/^])|([(])|([)])|(%)|(\S))/gu;
  const readings: Reading[] = [];
  let source = '';
  let style: NumberStyle = 'fraction';
  let last = 'operator' as Sign;
  let depth = 0;

  const put = (sign: Sign, text: string) => {
    const begins = sign === 'number' || sign === 'letter' || sign === 'root' || sign === 'open';
    const ended = last === 'number' || last === 'letter' || last === 'close' || last === 'percent';
    source += begins && ended ? product + text : text;
    last = sign;
  };

  for (const match of plain.matchAll(pattern)) {
    const [, number, root, of, letters, operator, open, close, percent, other] = match;
    if (number !== undefined) {
      if (last === 'number' || last === 'letter') return cannot('adjacent_numbers', match[0].trim());
      if (last === 'percent') return cannot('unclear_percent', match[0].trim());
      const read = readNumber(number);
      if (read === undefined) return cannot('unclear_number', number);
      if (read.reading !== undefined) readings.push({ written: number, plain: read.plain });
      if (read.plain.includes('.')) style = 'decimal';
      put('number', read.plain);
    } else if (root !== undefined) {
      const after = plain.slice(match.index + match[0].length);
      const operand = /^\s*(\d+(?:[.,]\d+)*|[a-z])/i.exec(after)?.[0];
      if (/^\s*\(/.test(after)) put('root', 'sqrt');
      else if (operand === undefined) return cannot('unfinished', root);
      else return readSigns(rootInBrackets(plain, match.index + match[0].length, operand), product);
    } else if (of !== undefined) {
      put('operator', '*');
    } else if (letters !== undefined) {
      if (!/^(?:[a-z]|[xyz]{2,3})$/i.test(letters)) return cannot('unknown_word', letters);
      for (const letter of letters) put('letter', letter);
    } else if (operator !== undefined) {
      put('operator', operator);
    } else if (open !== undefined) {
      if (++depth > MAX_DEPTH) return cannot('too_deep', `${MAX_DEPTH}`);
      put('open', '(');
    } else if (close !== undefined) {
      depth--;
      put('close', ')');
    } else if (percent !== undefined) {
      style = 'decimal';
      put('percent', '%');
    } else return cannot('unknown_sign', other ?? match[0]);
  }
  return { source, style, readings };
}

/** √16 and sqrt 16 are read as √(16). */
function rootInBrackets(plain: string, at: number, operand: string): string {
  return `${plain.slice(0, at)}(${operand.trim()})${plain.slice(at + operand.length)}`;
}

const operators: Readonly<Record<string, Operator>> = {
  '+': '+',
  '-': '-',
  '*': '*',
  '/': '/',
  '^': '^',
  [IMPLIED]: '*',
  [TIGHT]: '*',
};

interface Building {
  readonly ambiguities: Set<Ambiguity>;
  readonly percentOfLeft: boolean;
}

/** Throws on every node that maths does not have. */
function toExpression(node: jsep.Expression, building: Building): Expression {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- jsep types its nodes as open objects
  const core = node as jsep.CoreExpression | Group | Percent;
  switch (core.type) {
    case 'Literal':
      return { kind: 'number', value: fromDecimal(core.raw) };
    case 'Identifier':
      return { kind: 'letter', name: core.name };
    case 'Group':
      return toExpression(core.body, building);
    case 'Percent':
      return { kind: 'percent', of: toExpression(core.argument, building) };
    case 'CallExpression': {
      const [argument, ...more] = core.arguments;
      if (core.callee['name'] !== 'sqrt' || argument === undefined || more.length > 0) break;
      return { kind: 'root', of: toExpression(argument, building) };
    }
    case 'UnaryExpression': {
      const of = toExpression(core.argument, building);
      return core.operator === '-' ? { kind: 'negative', of } : of;
    }
    case 'BinaryExpression': {
      const operator = operators[core.operator];
      if (operator === undefined) break;
      const left = toExpression(core.left, building);
      const right = toExpression(core.right, building);
      const implied = core.operator === IMPLIED || core.operator === TIGHT;
      if (
        core.operator === IMPLIED &&
        core.left.type === 'BinaryExpression' &&
        core.left['operator'] === '/'
      ) {
        building.ambiguities.add('product_after_division');
      }
      if ((operator === '+' || operator === '-') && right.kind === 'percent' && !isPercentSum(left)) {
        building.ambiguities.add('percent_added');
        const share: Expression = { kind: 'binary', operator: '*', left: right, right: left };
        if (building.percentOfLeft) return { kind: 'binary', operator, left, right: share };
      }
      return { kind: 'binary', operator, left, right, ...(implied && { implicit: true as const }) };
    }
    case 'ArrayExpression':
    case 'Compound':
    case 'ConditionalExpression':
    case 'MemberExpression':
    case 'SequenceExpression':
    case 'ThisExpression':
    default:
  }
  throw new Error(`no maths: ${node.type}`);
}

interface Group extends jsep.Expression {
  type: 'Group';
  body: jsep.Expression;
}
interface Percent extends jsep.Expression {
  type: 'Percent';
  argument: jsep.Expression;
}

/** 5% + 3% adds percents; nobody takes 3% of the 5%. */
function isPercentSum(expression: Expression): boolean {
  if (expression.kind === 'percent') return true;
  return expression.kind === 'binary' && isPercentSum(expression.left) && isPercentSum(expression.right);
}

/** Finds the sums and equations in what a person wrote, prose around them included. */
import { isCannot } from './cannot.ts';
import { plainNotation } from './notation.ts';
import { MAX_CHARS, parseExpression } from './parse.ts';

export interface Finding {
  /** `sum`: numbers and at least one operation. `algebra`: the same with letters. `equation`: two sides. */
  readonly kind: 'sum' | 'algebra' | 'equation' | 'inequality';
  /** In plain notation; `parseExpression` and `solveLinear` read it. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Findings {
  /** The text the positions refer to. */
  readonly plain: string;
  readonly found: readonly Finding[];
}

/** Longest text that is searched. Unit: characters; what comes later is not looked at. */
const MAX_SEARCHED = 5_000;

const kinds = ['number', 'letter', 'sign', 'open', 'close', 'percent', 'relation', 'of', 'root'] as const;

interface Token {
  readonly kind: (typeof kinds)[number] | 'other';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const pattern = new RegExp(
  [
    String.raw`(?<number>(?:\d+(?:[.,]\d+)*|(?<![\d.])\.\d+)(?![\d.,]*[.,]?\d)(?!(?:st|nd|rd|th)\b))`,
    String.raw`(?<root>√|sqrt(?=\s*[(\d]))`,
    String.raw`(?<of>\b(?:of|von)(?=\s*[\d(√.]))`,
    String.raw`(?<letter>(?<!\p{L})(?:[xyz]{2,3}|[a-zA-Z])(?![\p{L}\d_'’]))`,
    String.raw`(?:[\p{L}_][\p{L}_]+(?:['’-]\p{L}+)*(?:(?<=[a-zA-Z_])\d+)?|[a-zA-Z]\d[\p{L}\d.]*|\n)`,
    String.raw`(?<relation>[<>≤≥]=?|=)`,
    String.raw`(?<sign>[-+*/^])`,
    String.raw`(?<open>\()`,
    String.raw`(?<close>\))`,
    String.raw`(?<percent>%)`,
    String.raw`\S`,
  ].join('|'),
  'gu',
);

/** Everything in `text` that can be read as a sum or an equation, in order. */
export function findMaths(text: string): Findings {
  const plain = plainNotation(
    text.slice(0, MAX_SEARCHED).replace(/\b(?:https?:\/\/|www\.)\S+|\S+@\S+\.\S+|<[@#:][^>\s]*>/gi, ' , '),
  );
  const found: Finding[] = [];
  let run: Token[] = [];
  const close = (endedByWord: boolean) => {
    const finding = toFinding(trimmed(run, endedByWord), plain);
    if (finding) found.push(finding);
    run = [];
  };
  for (const token of tokensOf(plain)) {
    if (token.kind === 'other') close(/^\p{L}/u.test(token.text));
    else run.push(token);
  }
  close(false);
  return { plain, found };
}

function* tokensOf(plain: string): Generator<Token> {
  for (const { groups = {}, index: start, 0: text } of plain.matchAll(pattern)) {
    const kind = kinds.find((each) => groups[each] !== undefined) ?? 'other';
    yield { kind, text, start, end: start + text.length };
  }
}

/** Leaves out what belongs to the sentence: signs at the ends, articles and initials, brackets without a partner. */
function trimmed(run: readonly Token[], endedByWord: boolean): readonly Token[] {
  let tokens = [...run];
  for (let before = -1; before !== tokens.length; ) {
    before = tokens.length;
    const [first, second] = tokens;
    const last = tokens.at(-1);
    const beforeLast = tokens.at(-2);
    const signOnly = first?.kind === 'sign' && first.text !== '-';
    if (first && (signOnly || first.kind === 'relation' || first.kind === 'of' || first.kind === 'close')) {
      tokens = tokens.slice(1);
    } else if (first?.kind === 'letter' && second && second.start > first.end && !joins(second)) {
      tokens = tokens.slice(1);
    } else if (last && (joins(last) || last.kind === 'open' || last.kind === 'root')) {
      tokens = tokens.slice(0, -1);
    } else if (
      endedByWord &&
      last?.kind === 'letter' &&
      beforeLast &&
      last.start > beforeLast.end &&
      !joins(beforeLast)
    ) {
      tokens = tokens.slice(0, -1);
    } else tokens = withoutLooseBracket(tokens);
  }
  return tokens;
}

/** Does this token need an operand on each side? */
function joins(token: Token): boolean {
  return token.kind === 'sign' || token.kind === 'relation' || token.kind === 'of';
}

/** "(that is 3 + 4)" leaves `3 + 4)`. */
function withoutLooseBracket(tokens: Token[]): Token[] {
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'open') depth++;
    if (token.kind === 'close') depth--;
    if (depth < 0) break;
  }
  if (depth > 0 && tokens[0]?.kind === 'open') return tokens.slice(1);
  return depth < 0 && tokens.at(-1)?.kind === 'close' ? tokens.slice(0, -1) : tokens;
}

function toFinding(tokens: readonly Token[], plain: string): Finding | undefined {
  const first = tokens[0];
  const last = tokens.at(-1);
  if (!first || !last) return undefined;
  const has = (kind: Token['kind']) => tokens.some((token) => token.kind === kind);
  const text = plain.slice(first.start, last.end);
  const at = { text, start: first.start, end: last.end };
  if (!has('number') && !(has('letter') && has('relation'))) return undefined;
  if (has('relation')) {
    const sided = !/^\s*[<>=≤≥]|[<>=≤≥]\s*$/.test(text);
    if (!sided) return undefined;
    return { kind: /[<>≤≥]/.test(text) ? 'inequality' : 'equation', ...at };
  }
  const worked =
    tokens.some((token, index) => index > 0 && token.kind === 'sign') ||
    has('root') ||
    has('of') ||
    has('percent');
  const product = /[\d)]\s*\(|\)\s*\d/.test(text);
  if (!worked && !product && !has('letter')) return undefined;
  if (text.length > MAX_CHARS) return { kind: has('letter') ? 'algebra' : 'sum', ...at };
  const parsed = parseExpression(text);
  if (isCannot(parsed)) return undefined;
  if (parsed.expression.kind === 'number' || parsed.expression.kind === 'letter') return undefined;
  if (parsed.expression.kind === 'percent' && parsed.expression.of.kind === 'number') return undefined;
  if (parsed.expression.kind === 'negative' && parsed.expression.of.kind === 'number') return undefined;
  return { kind: parsed.letters.length > 0 ? 'algebra' : 'sum', ...at };
}

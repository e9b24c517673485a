/** Recognises a message that is nothing but a sum to be computed, and computes it. */
import { valueTexts } from './arithmetic.ts';
import { isCannot } from './cannot.ts';
import { evaluate } from './evaluate.ts';
import { write } from './expression.ts';
import { findMaths } from './find.ts';
import { isLookalike } from './lookalikes.ts';
import { MAX_CHARS, parseExpression } from './parse.ts';

export interface BareSum {
  /** The sum in our notation: how it was understood. */
  readonly expression: string;
  /** Exact: an integer, a fraction, or a decimal when decimals or percents were written and it ends. */
  readonly value: string;
  /** The decimal form of a fraction, with `≈ ` in front when rounded. */
  readonly decimal?: string;
  /** What gave it away: the words that ask, then the signs of the sum. */
  readonly words: readonly string[];
}

/**
 * The sum a message consists of, with its value. Undefined when anything else is said, when the sum has no value or two
 * readings with different values, and for what only looks like a sum: dates, telephone numbers, ranges of years. A lone
 * `1-3` is a sum, `1–3` with the dash of a range is not.
 */
export function bareSum(text: string): BareSum | undefined {
  if (text.length > MAX_CHARS || /^\s*\d+[–—]\d+\s*$/.test(text)) return undefined;
  const { plain, found } = findMaths(text);
  const [sum, ...more] = found;
  if (sum?.kind !== 'sum' || more.length > 0) return undefined;

  const around = `${plain.slice(0, sum.start)} ${plain.slice(sum.end)}`;
  const words = askingWords(around);
  if (words === undefined) return undefined;
  if (isLookalike(sum.text, words.length > 0 || around.includes('='))) return undefined;

  const parsed = parseExpression(sum.text);
  if (isCannot(parsed) || parsed.ambiguities.includes('percent_added')) return undefined;
  const value = evaluate(parsed.expression);
  if (isCannot(value)) return undefined;
  if (parsed.ambiguities.includes('product_after_division')) {
    const other = parseExpression(sum.text, { implied: 'tight' });
    if (isCannot(other)) return undefined;
    const otherValue = evaluate(other.expression);
    if (isCannot(otherValue) || !otherValue.equals(value)) return undefined;
  }
  const expression = write(parsed.expression, parsed.style);
  const signs = expression.match(/[-+×/^%√]/g) ?? [];
  return { expression, ...valueTexts(value, parsed.style), words: [...words, ...new Set(signs)] };
}

const latin: ReadonlySet<string> = new Set(
  `what what's whats is are the result value of calculate compute evaluate solve find tell show me give work out how much does
  please pls could can would will you hey hi hello ok so and now equal equals make i need want to know for answer just quick
  was ist sind ergibt macht gibt wieviel wie viel berechne berechnen rechne rechnen aus bitte mir kannst du das ergebnis von
  löse und jetzt mal hallo gleich`.split(/\s+/),
);
const han =
  /^(?:请问|请|帮我|帮忙|计算|算出|算|一下|是多少|等于多少|等于几|等于|得多少|得几|多少|是几|几|求|结果|什么|是|的|呢|吗|吧|呀|啊)+$/;

/** The words in `text` when all of them only ask for a result; undefined as soon as one says more. */
function askingWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  for (const [piece] of text.matchAll(/\p{Script=Latin}[\p{Script=Latin}'’]*|\p{Script=Han}+|\S/gu)) {
    if (/^[=?!.,:;"'“”„`]$/.test(piece)) continue;
    const word = piece.toLowerCase().replace('’', "'");
    if (!latin.has(word) && !han.test(word)) return undefined;
    words.push(word);
  }
  return words;
}

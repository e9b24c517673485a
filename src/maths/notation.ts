/** The many ways people write maths, brought to one plain form: + - * / ^ ( ) and digits. Pure text to text. */

const superscripts: Readonly<Record<string, string>> = {
  '⁰': '0',
  '¹': '1',
  '²': '2',
  '³': '3',
  '⁴': '4',
  '⁵': '5',
  '⁶': '6',
  '⁷': '7',
  '⁸': '8',
  '⁹': '9',
  '⁻': '-',
};

/** Spoken operators; they count between numbers and brackets only, so that prose keeps its words. */
const spoken: readonly (readonly [RegExp, string])[] = [
  [/\b(?:divided by|over|geteilt durch|durch)\b|除以/gi, '/'],
  [/\b(?:multiplied by|times|mal)\b|乘以|乘/gi, '*'],
  [/\bplus\b|加上|加/gi, '+'],
  [/\bminus\b|减去|减/gi, '-'],
  [/\b(?:to the power of|hoch)\b/gi, '^'],
];

/** Brings tolerated spellings to the plain form. Words that are no maths stay as they are. */
export function plainNotation(text: string): string {
  let plain = text
    .replace(/(\d+)?([¼-¾⅐-⅞])/g, (_, whole: string | undefined, part: string) => {
      const fraction = part.normalize('NFKC').replace('⁄', '/');
      return whole === undefined ? `(${fraction})` : `(${whole}+${fraction})`;
    })
    .replace(/[⁰¹²³⁴-⁹⁻]+/g, (raised) => `^(${raised.replace(/./gu, (sign) => superscripts[sign] ?? '')})`)
    .normalize('NFKC')
    .replace(/\\([*_])/g, '$1')
    .replace(/\*\*/g, '^')
    .replace(/[×·⋅∙•✕✖∗⨯]/g, '*')
    .replace(/[÷∶⁄]/g, '/')
    .replace(/[−–—‐‑‒]/g, '-')
    .replace(/[{[]/g, '(')
    .replace(/[}\]]/g, ')')
    .replace(/(\d)\s*[xX]\s*(?=\d)/g, '$1*')
    .replace(/(\d) : (?=\d)/g, '$1 / ')
    .replace(/\b(?:percent|per cent|prozent)\b/gi, '%')
    .replace(/\b(?:square root of|root of|quadratwurzel (?:aus|von)|wurzel (?:aus|von))\s*/gi, '√')
    .replace(/(\d|\)) ?squared\b/gi, '$1^2')
    .replace(/(\d|\)) ?cubed\b/gi, '$1^3')
    .replace(/([\d)])的(?=\d+(?:\.\d+)?%)/g, '$1*');
  for (const [words, sign] of spoken) {
    plain = plain.replace(words, (word, at: number) => {
      const before = plain.slice(0, at).trimEnd();
      const after = plain.slice(at + word.length).trimStart();
      return /[\d)%]$/.test(before) && /^[-\d(√.]/.test(after) ? sign : word;
    });
  }
  return plain;
}

/** A number as it was written, and the plain decimal it was read as. */
export interface WrittenNumber {
  readonly plain: string;
  /** How marks in it were understood, where there was a choice. */
  readonly reading?: 'thousands' | 'decimal_comma';
}

/**
 * Reads one number. A point is a decimal point, a comma a decimal comma, except where the marks can only group
 * thousands or usually do: `1,000` and `1.000.000` are thousands (groups of exactly three, no leading zero), `0,125`
 * and `3,5` are decimals. The choice is reported. Returns undefined for what is no number, such as `1.2.3`.
 */
export function readNumber(written: string): WrittenNumber | undefined {
  if (/^\d+$/.test(written) || /^\d+\.\d+$/.test(written)) return { plain: written };
  if (/^\.\d+$/.test(written)) return { plain: `0${written}` };
  if (/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(written)) {
    return { plain: written.replaceAll(',', ''), reading: 'thousands' };
  }
  if (/^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/.test(written) || /^[1-9]\d{0,2}(?:\.\d{3}){2,}$/.test(written)) {
    return { plain: written.replaceAll('.', '').replace(',', '.'), reading: 'thousands' };
  }
  if (/^\d+,\d+$/.test(written)) return { plain: written.replace(',', '.'), reading: 'decimal_comma' };
  return undefined;
}

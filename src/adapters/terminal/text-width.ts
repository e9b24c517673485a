/** How many columns text takes on a terminal, and where it leaves the cursor. */

/** East Asian wide and fullwidth blocks. Source: Unicode EastAsianWidth W and F, joined where only gaps lie between. */
const WIDE =
  /[\u1100-\u115F\u2329\u232A\u2E80-\u303E\u3041-\u3247\u3250-\u4DBF\u4DC0-\uA4C6\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6B\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18DF2}\u{1AFF0}-\u{1B2FF}\u{1D300}-\u{1D376}\u{1F200}-\u{1F265}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;
/** Marks, joiners and other format characters; the medial letters of Hangul, which stand in the first one's cell. */
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11FF]/u;
const SKIN_TONE = /\p{Emoji_Modifier}/u;
const REGIONAL = /\p{Regional_Indicator}/u;
const ZERO_WIDTH_JOINER = '\u200D';
const SOFT_HYPHEN = '\u00AD';
const TAB_STOP = 8;

/** `rows` below the start. `column` may equal the width: the row is full and the next character opens another. */
export interface Place {
  readonly rows: number;
  readonly column: number;
}

/** Where the cursor stands after `text`, written from `column` on a terminal of `width` columns. */
export function advance(text: string, column: number, width: number): Place {
  let rows = 0;
  let at = column;
  let before = '';
  for (const char of text) {
    if (char === '\n') {
      rows += 1;
      at = 0;
    } else if (char === '\t') {
      at = Math.max(at, Math.min((Math.floor(at / TAB_STOP) + 1) * TAB_STOP, width - 1));
    } else {
      const columns = charWidth(char, before);
      if (at + columns > width) {
        rows += 1;
        at = 0;
      }
      at += columns;
    }
    before = char;
  }
  return { rows, column: at };
}

/** Columns of one line of text. */
export function textWidth(text: string): number {
  return advance(text, 0, Number.POSITIVE_INFINITY).column;
}

/** One line of at most `width` columns; what is longer ends in an ellipsis. */
export function fitLine(text: string, width: number): string {
  let used = 0;
  let units = 0;
  let before = '';
  for (const char of text) {
    used += charWidth(char, before);
    if (used > width) return `${cutBack(text.slice(0, units), width - 1)}…`;
    units += char.length;
    before = char;
  }
  return text;
}

function cutBack(text: string, width: number): string {
  let kept = text;
  while (kept !== '' && textWidth(kept) > width) kept = Array.from(kept).slice(0, -1).join('');
  return kept;
}

function charWidth(char: string, before: string): number {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x300) return code < 0x20 || (code >= 0x7f && code < 0xa0) ? 0 : 1;
  if (NO_WIDTH.test(char) && char !== SOFT_HYPHEN) return 0;
  if (before === ZERO_WIDTH_JOINER || (SKIN_TONE.test(char) && before !== '')) return 0;
  if (REGIONAL.test(char)) return 1;
  return WIDE.test(char) ? 2 : 1;
}

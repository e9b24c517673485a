/** Text that Discord shows as it is: its markup escaped where it would take effect, its mentions made harmless. */

export type TextPlace = 'text' | 'label' | 'maths';

/** What Discord itself writes so, and people want to see: custom emoji and times. */
const token = String.raw`<a?:\w{2,32}:\d{5,20}>|<t:-?\d{1,13}(?::[tTdDfFsSR])?>`;
const address = String.raw`https?:\/\/[^\s<>]+`;
const special = new RegExp(`${token}|${address}|\\\\|\`|\\*+|_+|~{2,}|\\|{2,}|[[\\]]`, 'g');
/** What makes a line a heading, quote, list or small print. */
const lineStart = /(^|\n)([ \t]*)(?:([-+*](?=\s|#|$)|>(?=\s|>|$)|#{1,3}(?=\s|$))|(\d{1,9})(?=\.(?:\s|$)))/g;

/**
 * `isLineStart`: the text begins a line. In a `label` brackets become parentheses, since Discord knows no escape there;
 * in `maths` and labels an address is left as it is, elsewhere it gets no preview.
 */
export function escapeText(text: string, place: TextPlace, isLineStart: boolean): string {
  const marks = lineMarksIn(text, isLineStart);
  let result = '';
  let from = 0;
  let next = 0;
  const plainTo = (to: number) => {
    for (let at = marks[next]; at !== undefined && at < to; next += 1, at = marks[next]) {
      result += `${text.slice(from, at)}\\`;
      from = at;
    }
    result += text.slice(from, to);
    from = to;
  };
  for (const { 0: found, index } of text.matchAll(special)) {
    plainTo(index);
    const around = [text.charAt(index - 1), text.charAt(index + found.length)] as const;
    if (marks[next] === index) {
      next += 1;
      result += `\\${found}`;
    } else result += escaped(found, around, place);
    from = index + found.length;
  }
  plainTo(text.length);
  return result;
}

/** Where a backslash has to stand: before a mark, behind a number. */
function lineMarksIn(text: string, isLineStart: boolean): number[] {
  return [...text.matchAll(lineStart)]
    .filter(({ 1: lineFeed, index }) => isLineStart || index > 0 || lineFeed !== '')
    .map(({ 0: all, 3: mark = '', index }) => index + all.length - mark.length);
}

function escaped(found: string, [before, after]: readonly [string, string], place: TextPlace): string {
  const isApart = isBlank(before) && isBlank(after);
  const every = () => found.replaceAll(/./g, String.raw`\$&`);
  switch (found.charAt(0)) {
    case '<':
      return found;
    case 'h':
      return place === 'text' ? bareAddress(found) : found;
    case '\\':
      return after === '' || /[^0-9A-Za-z\s]/.test(after) ? String.raw`\\` : found;
    case '*':
      return isApart && found.length === 1 ? found : every();
    case '_':
      return found.length === 1 && /\w/.test(before) && /\w/.test(after) ? found : every();
    case '|':
      // A pair around words is a spoiler, and meant so.
      return isApart || place === 'maths' ? every() : found;
    case '[':
      return place === 'label' ? '(' : found;
    case ']':
      if (place === 'label') return ')';
      return after === '(' || after === '' ? every() : found;
    default:
      return every();
  }
}

/** An address without a preview; marks that end a sentence stand behind it. */
export function bareAddress(text: string): string {
  const [end = ''] = /[.,:;!?'"*_~|)\]]*$/.exec(text) ?? [];
  // A parenthesis that was opened in the address belongs to it.
  const kept = end.startsWith(')') && /\([^()]*$/.test(text.slice(0, text.length - end.length)) ? 1 : 0;
  const at = text.length - end.length + kept;
  return `<${encodeAddress(text.slice(0, at))}>${escapeText(text.slice(at), 'text', false)}`;
}

/** As it stands in `<…>`: nothing in it can end it or mention anybody. */
export function encodeAddress(url: string): string {
  return url.replaceAll(/[\s<>\\`]|@(?=everyone|here)/g, (char) => encodeURIComponent(char));
}

/** Shown as written, and pinging nobody even where Discord is not told whom a message may ping. */
export function harmless(text: string): string {
  return text.replaceAll(/@(?=everyone|here)/g, '@\u200b').replaceAll(/<(?=(?:@[!&]?|#)\d{5,}>)/g, '<\\');
}

function isBlank(char: string): boolean {
  return /\s/.test(char);
}

/** The end of a growing text that cannot be shown yet: nobody knows what it will be. */

/** Markup that may go on or would run into what closes it, half an escape, character reference, address in angles or pair of surrogates. */
const unsureEnd =
  /(?:[*_~`]+\s*|\\\s*|&#?[\da-z]{0,31}|!|<(?:[a-z][a-z\d+.-]*(?::[^\s<>]*)?)?|[\uD800-\uDBFF])$/i;
const maxUnsure = 300;
const prefix = /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*[ \t>]*/;
/** All there is so far may be the marker of a list, heading, line, quote, task or block of code. */
const onlyMarker =
  /^(?:[-+*]|\d{1,9}[.)]?|#{1,6}|[-_*=+][-_*=+ \t]*|`{3,}[^`]*|~{3,}.*|[`~]{1,2}|\[[ xX]?\]?)?[ \t]*$/;
const maybeDelimiter = /^[|:\- \t]+$/;
const maybeClosingFence = /^[ \t>]*(?:`+|~+)[ \t]*$/;

/** What of a text that ends in code can be shown. */
export function sureCode(text: string): string {
  const lineStart = text.lastIndexOf('\n') + 1;
  return maybeClosingFence.test(text.slice(lineStart))
    ? text.slice(0, lineStart)
    : text.replace(/[\uD800-\uDBFF]$/, '');
}

/** What of any other text can be shown; of the rest that is before it, it has to be asked again. */
export function sureText(text: string, isTable: boolean): string {
  const unsure = unsureEnd.exec(text.slice(-maxUnsure))?.[0].length ?? 0;
  return text.slice(0, heldFrom(text.slice(0, text.length - unsure), isTable));
}

/** Where the lines begin that are held back; the length of the text when there are none. */
function heldFrom(text: string, isTable: boolean): number {
  const lastStart = text.lastIndexOf('\n') + 1;
  const last = text.slice(lastStart);
  const [beforeStart, before] = lineBefore(text, lastStart);
  // It may be the head of a table.
  if (last.trim() === '')
    return !isTable && last === '' && bare(before).startsWith('|') ? beforeStart : text.length;
  if (isTable)
    return maybeDelimiter.test(bare(last)) && isHead(text, beforeStart, before) ? beforeStart : lastStart;
  if (maybeDelimiter.test(bare(last)) && before.includes('|')) return beforeStart;
  return onlyMarker.test(bare(last)) || bare(last).startsWith('|') ? lastStart : text.length;
}

/** Not a row: the line before it belongs to no table. */
function isHead(text: string, start: number, line: string): boolean {
  const [, above] = lineBefore(text, start);
  return !maybeDelimiter.test(bare(line)) && !above.includes('|');
}

function lineBefore(text: string, lineStart: number): [number, string] {
  if (lineStart === 0) return [0, ''];
  const start = text.lastIndexOf('\n', lineStart - 2) + 1;
  return [lineStart === 1 ? 0 : start, text.slice(start, lineStart - 1)];
}

function bare(line: string): string {
  return line.slice(prefix.exec(line)?.[0].length ?? 0);
}

/** The parts of a text in which words stand. Pure. */

const sideChars = 400;

/**
 * Paragraphs in which `words` stand, in any case, each cut to what is near; in order, until `maxChars` are used. Where
 * the words never stand together, the paragraphs that hold all of them. Empty when there are none.
 */
export function around(text: string, words: string, maxChars: number): string {
  const wanted = words.toLowerCase().trim();
  const each = wanted.split(/\s+/);
  const paragraphs = text.split(/\n{2,}/);
  const together = paragraphs.filter((paragraph) => paragraph.toLowerCase().includes(wanted));
  const holding = (paragraph: string) => each.every((word) => paragraph.toLowerCase().includes(word));
  const found = together.length > 0 ? together : paragraphs.filter(holding);
  let left = maxChars;
  const shown: string[] = [];
  for (const paragraph of found) {
    const part = near(paragraph, together.length > 0 ? wanted : (each[0] ?? ''));
    if (part.length > left) break;
    left -= part.length;
    shown.push(part);
  }
  return shown.join('\n\n[…]\n\n');
}

function near(paragraph: string, word: string): string {
  const at = paragraph.toLowerCase().indexOf(word);
  const from = Math.max(0, at - sideChars);
  const to = Math.min(paragraph.length, at + word.length + sideChars);
  return `${from > 0 ? '…' : ''}${paragraph.slice(from, to)}${to < paragraph.length ? '…' : ''}`;
}

/**
 * At most `maxChars` code points: longer text is cut and ends in an ellipsis, which counts. Never splits a surrogate
 * pair, and looks at no more than it keeps.
 */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  let chars = 0;
  let units = 0;
  let lastFit = 0;
  for (const char of text) {
    chars += 1;
    if (chars > maxChars) return `${text.slice(0, lastFit)}…`;
    units += char.length;
    if (chars < maxChars) lastFit = units;
  }
  return text;
}

/** How much text a message holds. */

export interface PageLimit {
  /** At least 100. */
  readonly maxChars: number;
  /** What the surface counts as a character: UTF-16 units when not given. */
  readonly unit?: 'utf16' | 'code points';
}

export function lengthOf(text: string, { unit = 'utf16' }: PageLimit): number {
  if (unit === 'utf16') return text.length;
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const next = text.charCodeAt(at + 1);
    if (code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000) pairs += 1;
  }
  return text.length - pairs;
}

export function fits(text: string, limit: PageLimit): boolean {
  return lengthOf(text, limit) <= limit.maxChars;
}

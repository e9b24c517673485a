/** A long text as pages that a surface accepts, cut at line ends where there are any. Joined they are the text. */
export function pagesOf(text: string, maxChars: number): string[] {
  const pages: string[] = [];
  let rest = text;
  while (rest.length > maxChars) {
    const window = rest.slice(0, maxChars);
    const lineEnd = window.lastIndexOf('\n');
    const cut = lineEnd > maxChars / 2 ? lineEnd + 1 : wholeCharacters(window);
    pages.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  pages.push(rest);
  return pages;
}

/** Length without half a surrogate pair at the end. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}

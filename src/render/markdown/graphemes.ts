/** Where a text may be cut without cutting a character as people see it: marks, flags and families stay whole. */

/** The segmenter is slow on long texts, so it gets pieces. Also the longest "character" that is respected. */
const maxPiece = 200;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The last boundary in `text` that is after `from`, itself a boundary, and not after `max`; `undefined` if there is none. */
export function graphemeBoundary(text: string, from: number, max: number): number | undefined {
  if (max >= text.length) return text.length > from ? text.length : undefined;
  let at = sureBoundary(text, from, max);
  let last = at > from ? at : undefined;
  while (at < max) {
    const piece = text.slice(at, at + maxPiece);
    let end = 0;
    for (const { index, segment } of segmenter.segment(piece)) {
      // The last one of a piece may go on behind it.
      const isWhole = index + segment.length < piece.length || at + piece.length === text.length;
      if (!isWhole || at + index + segment.length > max) break;
      end = index + segment.length;
    }
    if (end === 0) return last ?? longCharacter(text, at, max);
    at += end;
    last = at;
  }
  return last;
}

/** Between two printable ASCII characters nothing can be joined. */
function sureBoundary(text: string, from: number, max: number): number {
  for (let at = max; at > from && at > max - maxPiece; at -= 1) {
    if (isAscii(text.charCodeAt(at - 1)) && isAscii(text.charCodeAt(at))) return at;
  }
  return from;
}

function isAscii(code: number): boolean {
  return code >= 0x20 && code < 0x7f;
}

/** Within a "character" that is longer than a piece: at least no pair of surrogates is cut. */
function longCharacter(text: string, from: number, max: number): number | undefined {
  if (max - from < maxPiece) return undefined;
  const code = text.charCodeAt(max);
  const isInPair = code >= 0xdc00 && code < 0xe000;
  return isInPair ? max - 1 : max;
}

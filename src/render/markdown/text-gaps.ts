/** Places where a line can be cut: behind a sentence, a word, a character. */
import type { Span } from './dialect.ts';
import { graphemeBoundary } from './graphemes.ts';
import type { PageLimit } from './limit.ts';

export interface TextGap {
  readonly end: number;
  /** The blanks before it belong to neither half. */
  readonly next: number;
  readonly kind: 'sentence' | 'word' | 'grapheme';
}

/** How far before the last possible place a character is looked for: what closes the markup needs room, too. */
const backSteps = [0, 4, 16, 64, 256];
/** Gaps between words that are looked at, the last ones. */
const maxGaps = 40;
const sentenceEnd = /(?:[.!?…:]["')\]*_~]*|[。！？；：][”』」）]*)$/u;
const wideEnd = /[。！？；：…][”』」）]*|[，、）」』”]/gu;

/** Those that end in `reach`, not at its beginning. In code nothing is left out. */
export function gapsIn(text: string, reach: Span, isCode: boolean): TextGap[] {
  const gaps: TextGap[] = [];
  const add = (end: number, next: number, kind: TextGap['kind']) => {
    if (end > reach.from && end <= reach.to && next < text.length) gaps.push({ end, next, kind });
  };
  const part = text.slice(reach.from, reach.to + 1);
  for (const { 0: blanks, index } of [...part.matchAll(/[ \t]+/g)].slice(-maxGaps)) {
    const end = reach.from + index;
    const next = end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? blanks.length);
    // Indentation is no gap between words.
    if (text.slice(0, end).trim() === '') continue;
    if (isCode) add(next, next, 'word');
    else
      add(end, next, sentenceEnd.test(text.slice(Math.max(reach.from, end - 6), end)) ? 'sentence' : 'word');
  }
  for (const { 0: mark, index } of isCode ? [] : [...part.matchAll(wideEnd)].slice(-maxGaps)) {
    const end = reach.from + index + mark.length;
    if (text.slice(end, end + 1).trim() !== '')
      add(end, end, /^[，、）」』”]/u.test(mark) ? 'word' : 'sentence');
  }
  for (const step of backSteps) {
    let end = graphemeBoundary(text, reach.from, Math.min(text.length - 1, reach.to - step));
    if (isCode) {
      if (end !== undefined) add(end, end, 'grapheme');
      continue;
    }
    while (end !== undefined && isInToken(text, end)) end = graphemeBoundary(text, reach.from, end - 1);
    if (end !== undefined) add(text.slice(0, end).trimEnd().length, end + blanksAt(text, end), 'grapheme');
  }
  return gaps;
}

/** An escape or a character reference goes over this place. */
export function isInToken(text: string, at: number): boolean {
  const slashes = /\\*$/.exec(text.slice(Math.max(0, at - 20), at))?.[0].length ?? 0;
  if (slashes % 2 === 1) return true;
  const amp = text.lastIndexOf('&', at - 1);
  if (amp === -1 || at - amp > 33) return false;
  const [reference = ''] =
    /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z\d]{1,31});/i.exec(text.slice(amp, amp + 34)) ?? [];
  return amp + reference.length > at;
}

/** As many characters behind `from` as the limit counts. */
export function placeAfter(text: string, from: number, chars: number, { unit }: PageLimit): number {
  if (unit !== 'code points') return from + chars;
  let at = from;
  for (let left = chars; left > 0 && at < text.length; left -= 1)
    at += (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1;
  return at;
}

function blanksAt(text: string, at: number): number {
  return /^[ \t]*/.exec(text.slice(at, at + 400))?.[0].length ?? 0;
}

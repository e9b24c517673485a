/** What is wrong with the pages of one random document, cut, streamed and limited at random. */
import { isDeepStrictEqual } from 'node:util';
import { AnswerPages, type Page } from '../../../src/render/answer-pages.ts';
import { type Chance, chance } from '../../support/chance.ts';
import { type RandomDocument, randomDocument } from './random-documents.ts';
import { faultsIn, isCodeKept, seenInPages, seenOf, textOf } from './seen.ts';

export function failuresOf(seed: number): string[] {
  const random = chance(seed + 1_000_000);
  const document = randomDocument(seed);
  const maxChars = 100 + random.upTo(random.percent(50) ? 300 : 3900);
  return failuresIn(document, maxChars, piecesOf(document.text, random));
}

function piecesOf(text: string, random: Chance): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 0)
    pieces.push(text.slice(at, at + 1 + random.upTo(Math.max(20, text.length >> 1))));
  return pieces;
}

/** `pieces`: the text of the document as it comes. */
export function failuresIn(document: RandomDocument, maxChars: number, pieces: readonly string[]): string[] {
  const { text } = document;
  const pages = new AnswerPages({ maxChars });
  const failures: string[] = [];
  let settled: readonly string[] = [];
  let at = 0;
  for (const piece of pieces) {
    pages.append(piece);
    at += piece.length;
    const now = pages.pages('growing');
    const before = settled;
    settled = now.filter(({ isSettled }) => isSettled).map((page) => page.text);
    if (before.some((page, index) => page !== settled[index])) failures.push('a settled page changed');
    const growing = now.filter(({ isSettled }) => !isSettled);
    failures.push(...faultsOn(growing, document, maxChars).map((each) => `at ${at}: ${each}`));
  }
  const last = pages.pages('final');
  failures.push(...faultsOn(last, document, maxChars), ...differencesOf(last, document));
  const atOnce = new AnswerPages({ maxChars });
  atOnce.append(text);
  const isSame = isDeepStrictEqual(textsOf(atOnce.pages('final')), textsOf(last));
  if (document.isWellFormed && !isSame) failures.push('the pieces it came in decide where it is cut');
  return failures;
}

function textsOf(pages: readonly Page[]): string[] {
  return pages.map(({ text }) => text);
}

function faultsOn(
  pages: readonly Page[],
  { text, isWellFormed }: RandomDocument,
  maxChars: number,
): string[] {
  // What is stray in the whole is stray on its page.
  const isTidy = isWellFormed && faultsIn(text, true).every((fault) => !fault.startsWith('open markup'));
  return pages.flatMap((page) => {
    const tooLong =
      page.text.length > maxChars ? [`${page.text.length} characters where ${maxChars} fit`] : [];
    const torn = page.text.isWellFormed() ? [] : ['half a character'];
    return [...tooLong, ...torn, ...faultsIn(page.text, isTidy)];
  });
}

function differencesOf(pages: readonly Page[], { text, isWellFormed }: RandomDocument): string[] {
  // Platforms refuse half characters: in a page they are replaced.
  const whole = text.replaceAll('\r\n', '\n').toWellFormed();
  const differences: string[] = [];
  const borders = [...pages.map(({ from }) => from), whole.length];
  const parts = pages.map((_, at) => whole.slice(borders[at], borders[at + 1]));
  if (pages.length > 0 && parts.join('') !== whole) differences.push('the parts are not the text');
  if (!isCodeKept(pages, whole)) differences.push('code changed');
  if (isWellFormed && textOf(seenInPages(pages, whole)) !== textOf(seenOf(whole)))
    differences.push('text changed');
  return differences;
}

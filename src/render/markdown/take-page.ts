/** Takes as many lines as a page holds, and cuts at the best place among the last ones. */
import { fits, lengthOf, type PageLimit } from './limit.ts';
import type { Block, Line } from './lines.ts';
import { closed, isInside, type Mark, marksAt, opened } from './marks.ts';
import { PageWriter } from './page-writer.ts';
import { gapsIn, isInToken, placeAfter } from './text-gaps.ts';

/** A line, and how much of its text stands on the page before. */
export interface Place {
  readonly index: number;
  readonly offset: number;
}

export interface TakenPage {
  readonly text: string;
  /** Without what closes its last line: text to come continues here. Unit: UTF-16 units. */
  readonly openChars: number;
  /** Where the next page begins; `undefined` when this is the last one. */
  readonly next: Place | undefined;
  /** The line that decided where it ends. */
  readonly decidedBy: number;
}

interface Cut {
  readonly text: string;
  readonly next: Place;
  readonly cost: number;
}

/** How bad a cut is. From `poor` on, something is cut that should stay whole. */
const costs = {
  block: 0,
  nested: 0.3,
  line: 1,
  sentence: 2,
  word: 3,
  grapheme: 4,
  inner: 4,
  poor: 5,
  stranded: 9,
  torn: 10,
};
/** How full a page has to be for a cut of such a cost. */
const minFill = [0.4, 0.5, 0.6, 0.7, 0.8];

export function takePage(lines: readonly Line[], from: Place, limit: PageLimit): TakenPage {
  const cuts: Cut[] = [];
  const writer = new PageWriter(limit);
  for (let index = from.index; index < lines.length; index += 1) {
    const line = index === from.index ? restOf(lines, from) : lines[index];
    if (line === undefined) break;
    const before = writer.copy();
    writer.add(line);
    const next = lines[index + 1];
    if (next === undefined && fits(endOf(writer, line), limit)) {
      return { text: endOf(writer, line), openChars: writer.openChars, next: undefined, decidedBy: index };
    }
    const marks = next?.block.key === line.block.key ? marksAt(line.block.marks, next.at) : [];
    const text = writer.text(closed(marks));
    if (next !== undefined && fits(text, limit)) {
      const cost = costBetween(line, next, marks);
      cuts.push({ text: shown(text, line), next: { index: index + 1, offset: 0 }, cost });
    } else {
      const place = { index, offset: index === from.index ? from.offset : 0 };
      cuts.push(...cutsWithin(line, lines[index] ?? line, before, place, limit));
      if (next === undefined || !fits(writer.text(), limit))
        return { ...best(cuts, limit), decidedBy: index };
    }
  }
  return { text: '', openChars: 0, next: undefined, decidedBy: lines.length };
}

/** What stands on this page of the line that the page before has begun, its markup opened again. */
function restOf(lines: readonly Line[], { index, offset }: Place): Line | undefined {
  const line = lines[index];
  if (line === undefined) return undefined;
  const isWithin = !line.isFirst || offset > 0;
  const marks = isWithin ? cuttable(line.block, line.at + offset) : [];
  const text = opened(marks) + line.text.slice(offset);
  const at = line.at + line.text.length - text.length;
  if (line.block.kind !== 'table' || offset === 0) return { ...line, text, at };
  // The rest of a row is text.
  return { ...line, text, at, isFirst: true, block: { ...line.block, kind: 'text', key: line.at + offset } };
}

/** Those that can be closed and opened again here. */
function cuttable({ marks }: Block, at: number): readonly Mark[] {
  return marksAt(marks, at).filter((mark) => !isInside(mark, at));
}

/** The end of the text closes what is open. */
function endOf(writer: PageWriter, line: Line): string {
  const end = line.at + line.text.length;
  return writer.text(
    closed(line.block.marks.filter(({ from, to }) => from < end && to === Number.POSITIVE_INFINITY)),
  );
}

/** A backslash at the end of a line is a line break, and none at the end of a page. */
function shown(text: string, { block, at, text: { length } }: Line): string {
  // Nor is one that ends an address.
  if (block.kind === 'code' || block.marks.some(({ to }) => to === at + length)) return text;
  const bare = text.trimEnd();
  const slashes = /\\*$/.exec(bare)?.[0].length ?? 0;
  return slashes % 2 === 1 ? bare.slice(0, -1).trimEnd() : bare;
}

function costBetween(line: Line, next: Line, marks: readonly Mark[]): number {
  if (line.block.key !== next.block.key) {
    if (line.block.kind === 'heading') return costs.stranded;
    return next.block.path.length === 0 ? costs.block : costs.nested;
  }
  switch (line.block.kind) {
    case 'code':
      return line.text.trim() === '' ? costs.line - 0.2 : costs.line;
    case 'table':
      // The head alone.
      return line.isFirst || line.block.opening.endsWith(`\n${line.text}`) ? costs.stranded : costs.line;
    case 'heading':
      return costs.stranded;
    default:
      return marks.some((mark) => isInside(mark, next.at)) ? costs.torn : costs.line;
  }
}

/** Within a line that does not fit: `line` is what is left of it, `before` the page without it. */
function cutsWithin(line: Line, whole: Line, before: PageWriter, from: Place, limit: PageLimit): Cut[] {
  const { block } = whole;
  const reopened = line.text.slice(0, line.text.length - (whole.text.length - from.offset));
  const pageWith = (text: string, marks: readonly Mark[]) => {
    const writer = before.copy();
    writer.add({ ...line, text: reopened + text });
    return writer.text(closed(marks));
  };
  const room = limit.maxChars - lengthOf(pageWith('', []), limit);
  const reach = placeAfter(whole.text, from.offset, room, limit);
  return gapsIn(whole.text, { from: from.offset, to: reach }, block.kind === 'code').flatMap((gap) => {
    const at = whole.at + gap.end;
    const marks = cuttable(block, at);
    const text = pageWith(whole.text.slice(from.offset, gap.end), marks);
    if (!fits(text, limit)) return [];
    const isInCode = marks.some(({ kind }) => kind === 'code');
    const next = { index: from.index, offset: isInCode ? gap.end : gap.next };
    const torn = Math.max(tornAt(whole, gap.end), tornAt(whole, next.offset)) * costs.torn;
    return { text, next, cost: costs[gap.kind] + torn + costWithin(block, marks) };
  });
}

/** How much goes over this place and cannot be closed here: markup, an escape or a character reference. */
function tornAt({ block, text, at }: Line, offset: number): number {
  if (block.kind === 'code') return 0;
  const marks = marksAt(block.marks, at + offset);
  // An e-mail address would take in the "_" that is opened again before it.
  const isAddress = /^[\w.+-]+@/.test(text.slice(offset, offset + 99));
  const isTakenIn = isAddress && marks.some(({ open }) => open.endsWith('_'));
  const torn = marks.filter((mark) => isInside(mark, at + offset)).length;
  return torn + Number(isInToken(text, offset) || isTakenIn);
}

/** What it costs beyond that of the gap. */
function costWithin({ kind }: Block, marks: readonly Mark[]): number {
  const isWhole = marks.every((mark) => mark.kind === 'emphasis') && kind !== 'table';
  return kind === 'code' || isWhole ? 0 : costs.inner;
}

/** The cheapest one of which the page is full enough; of emptier pages the fullest. */
function best(cuts: readonly Cut[], limit: PageLimit): Omit<TakenPage, 'decidedBy'> {
  const rank = ({ text, cost }: Cut) => {
    const fill = lengthOf(text, limit) / limit.maxChars;
    if (cost >= costs.poor) return 10 + cost;
    return fill >= (minFill[Math.floor(cost)] ?? 0) ? cost : 6 - fill + cost / 100;
  };
  const [first] = cuts.toSorted(
    (one, other) => rank(one) - rank(other) || other.text.length - one.text.length,
  );
  if (first === undefined)
    throw new RangeError(`a page of ${limit.maxChars} characters has no room for text`);
  return { text: first.text, next: first.next, openChars: first.text.length };
}

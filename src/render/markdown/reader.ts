/**
 * Reads a growing text into lines. What no text to come can change is read once: reading starts again at the last border
 * that is certain, so that growth costs the new text and the block that is being written, and never the whole answer.
 */
import { blockStart } from './block-content.ts';
import { sureCode, sureText } from './held-lines.ts';
import { type Block, beginning, type Line, linesOf, type Start } from './lines.ts';
import { openEndOf } from './open-end.ts';

/** Whether more text may come. Nothing is held back once it is final. */
export type Growth = 'growing' | 'final';

export interface Reading {
  /** Nothing can change them any more. */
  readonly certain: readonly Line[];
  readonly tail: readonly Line[];
}

export class Reader {
  readonly #certain: Line[] = [];
  #start: Start = beginning;
  /** From the start on. */
  #text = '';
  #readChars = 0;

  /** How much has been read so far, repetitions counted: what growth costs. Unit: characters. */
  get readChars(): number {
    return this.#readChars;
  }

  append(text: string): void {
    this.#text += text;
  }

  lines(growth: Growth): Reading {
    const all = this.#read(this.#text);
    const rest = this.#settle(all);
    return { certain: this.#certain, tail: growth === 'final' ? rest : this.#shown(rest) };
  }

  #read(text: string): Line[] {
    this.#readChars += text.length + this.#start.reopen.length;
    return linesOf(text, this.#start);
  }

  /** Moves the start on as far as it is certain; what is left of the lines. */
  #settle(lines: readonly Line[]): readonly Line[] {
    const next = this.#certainStart(lines);
    if (next === undefined) return lines;
    // The first line of code begins before its text, and the last may end in the line behind its container.
    const isInside = next.block !== undefined;
    const count = lines.findIndex((line) => (isInside ? line.at : line.from) >= next.at);
    const settled = count === -1 ? lines.length : count;
    this.#certain.push(...lines.slice(0, settled));
    this.#text = this.#text.slice(next.at - this.#start.at);
    this.#start = next;
    return lines.slice(settled);
  }

  #certainStart(lines: readonly Line[]): Start | undefined {
    const { at: start } = this.#start;
    const end = start + this.#text.length;
    const lastStart = start + this.#text.lastIndexOf('\n') + 1;
    const last = lines.at(-1);
    const inside = last === undefined ? undefined : this.#startInside(last, lines, lastStart);
    if (inside !== undefined) return inside;
    const begins = lines.findLast((line, at) => {
      if (at === 0 || !line.isFirst || line.from <= start) return false;
      const { block } = line;
      // It is text because of what stands before it: by itself it would be read as something else.
      if (block.kind === 'text' && blockStart.test(line.text)) return false;
      // A table is one once its second line is complete.
      const certainFrom = block.kind === 'table' ? (lines[at + 2]?.from ?? end) : line.from + 1;
      return certainFrom <= lastStart && line.from < lastStart && isOpenedOnItsLine(line);
    });
    if (begins === undefined) return undefined;
    return { at: begins.from, reopen: '', path: begins.block.path, isApart: begins.isApart };
  }

  /** In code and tables every complete line is certain. */
  #startInside({ block }: Line, lines: readonly Line[], at: number): Start | undefined {
    const isGoingOn = block.isOpen || block.kind === 'table';
    if (!isGoingOn || at <= this.#start.at || block.path.some(({ list }) => list !== -1)) return undefined;
    if (!goesOnBehind(this.#text.slice(0, at - this.#start.at), block)) return undefined;
    const own = lines.filter((line) => line.block.key === block.key);
    const isSame = this.#start.block?.key === block.key;
    const opening = isSame ? '' : this.#openingOf(own);
    if (at <= (own[0]?.from ?? at) + opening.length && block.kind === 'code') return undefined;
    const minLines = block.kind === 'table' && !isSame ? 2 : 1;
    if (own.filter((line) => line.at < at).length < minLines) return undefined;
    return {
      at,
      reopen: isSame ? this.#start.reopen : opening,
      path: block.path,
      block,
      isApart: false,
    };
  }

  /** The line that opens code, the two that open a table, as they stand in the source. */
  #openingOf([first]: readonly Line[]): string {
    const from = (first?.from ?? 0) - this.#start.at;
    const lineEnd = this.#text.indexOf('\n', from) + 1;
    return this.#text.slice(
      from,
      first?.block.kind === 'code' ? lineEnd : this.#text.indexOf('\n', lineEnd) + 1,
    );
  }

  /** Without what cannot be shown yet, its open markup known. */
  #shown(all: readonly Line[]): Line[] {
    let text = this.#text;
    for (let lines = all; ; lines = this.#read(text)) {
      const kind = lines.at(-1)?.block.kind;
      const sure = kind === 'code' ? sureCode(text) : sureText(text, kind === 'table');
      if (sure === text) return withOpenEnd(lines, text);
      text = sure;
    }
  }
}

/** The last line of the text is one of the block: its quotes do not end there, nor does a table. */
function goesOnBehind(text: string, { kind, path }: Block): boolean {
  const line = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
  const [prefix = ''] = new RegExp(`^(?:[ \\t]*>){0,${path.length}}`).exec(line) ?? [];
  const isQuoted = prefix.split('>').length > path.length;
  return isQuoted && (kind === 'code' || line.slice(prefix.length).trim() !== '');
}

/** All its containers are quotes, which every line repeats, or items that begin on this line. */
function isOpenedOnItsLine({ block, from }: Line): boolean {
  return block.path.every(({ list, key }) => list === -1 || key >= from);
}

function withOpenEnd(lines: readonly Line[], source: string): Line[] {
  const last = lines.at(-1);
  if (last === undefined) return [];
  const { block } = last;
  if (block.kind === 'code') {
    // A block of code without code, and blank lines that may be behind it.
    const count = lines.findLastIndex((line) => line.block !== block || line.text.trim() !== '') + 1;
    return block.isOpen ? lines.slice(0, count) : [...lines];
  }
  const isClosed = /\n[ \t>]*\n[ \t>]*$/.test(source) || (block.kind === 'heading' && source.endsWith('\n'));
  if ((block.kind !== 'text' && block.kind !== 'heading') || isClosed) return [...lines];
  const own = lines.filter((line) => line.block === block);
  const { heldFrom, marks } = openEndOf(own.map((line) => line.text).join('\n'));
  const open = marks.map((mark) => ({ ...mark, from: placeOf(mark.from, own) }));
  const end = placeOf(heldFrom, own);
  const marked = {
    ...block,
    marks: [...block.marks, ...open].toSorted((one, other) => one.from - other.from),
  };
  return lines.flatMap((line) => {
    if (line.block !== block) return line;
    const isLast = line === last || end <= line.at + line.text.length;
    const shown = line.text.slice(0, Math.max(0, end - line.at));
    const text = isLast ? shown.trimEnd() : shown;
    return text === '' && line.text !== '' ? [] : { ...line, block: marked, text };
  });
}

/** From an offset in the joined lines to one in the whole text. */
function placeOf(offset: number, lines: readonly Line[]): number {
  let left = offset;
  for (const { text, at } of lines) {
    if (left <= text.length) return at + left;
    left -= text.length + 1;
  }
  return Number.POSITIVE_INFINITY;
}

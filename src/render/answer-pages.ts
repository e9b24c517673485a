/**
 * An answer as the messages that show it, each valid Markdown by itself, while it grows. A page is settled once no text
 * to come can change it; from then on nobody reads or writes it again.
 */
import { fits, type PageLimit } from './markdown/limit.ts';
import type { Block, Line } from './markdown/lines.ts';
import { type Growth, Reader } from './markdown/reader.ts';
import { type Place, takePage } from './markdown/take-page.ts';

export interface Page {
  /** Markdown within the limit; never empty. */
  readonly text: string;
  /** What it shows begins here in the answer, whose line ends are line feeds, and goes on to the next page. */
  readonly from: number;
  readonly place: Place;
  /** So many characters of `text` stay as they are while the answer only grows; behind them it is closed. */
  readonly settledChars: number;
  /** It will not change while the text only grows. */
  readonly isSettled: boolean;
}

/** No page is as long. */
const everything: PageLimit = { maxChars: Number.MAX_SAFE_INTEGER };

export class AnswerPages {
  readonly #reader = new Reader();
  readonly #settled: Page[] = [];
  /** Where the first page begins that is not settled. */
  #place: Place = { index: 0, offset: 0 };
  #lines: readonly Line[] = [];
  /** Half a line end, or half a character. */
  #half = '';

  constructor(private readonly limit: PageLimit) {}

  /** See `Reader.readChars`. */
  get readChars(): number {
    return this.#reader.readChars;
  }

  append(text: string): void {
    const whole = this.#half + text;
    this.#half = /[\r\uD800-\uDBFF]$/.exec(whole)?.[0] ?? '';
    this.#reader.append(clean(whole.slice(0, whole.length - this.#half.length)));
  }

  /** None when there is nothing to show. `note`: a line below the answer, no part of it. */
  pages(growth: Growth, note?: string): readonly Page[] {
    if (growth === 'final') {
      this.#reader.append(clean(this.#half));
      this.#half = '';
    }
    const { certain, tail } = this.#reader.lines(growth);
    const isCertain = (index: number) => index < certain.length;
    const lines = [...certain, ...tail, ...(note === undefined ? [] : [noteLine(note)])];
    this.#lines = lines;
    const growing: Page[] = [];
    for (let place: Place | undefined = this.#place; place !== undefined; ) {
      const { text: taken, openChars, next, decidedBy } = takePage(lines, place, this.limit);
      const text = taken.trimEnd();
      const from = growing.length === 0 && this.#settled.length === 0 ? 0 : startOf(lines, place);
      const isSettled = next !== undefined && isCertain(decidedBy);
      const settledChars = Math.min(openChars, text.length);
      const page: Page = { text, from, place, settledChars, isSettled };
      if (isSettled) {
        this.#settled.push(page);
        this.#place = next;
      } else growing.push(page);
      place = next;
    }
    return [...this.#settled, ...growing].filter(({ text }) => text !== '');
  }

  /** All from one of the pages on, Markdown by itself. */
  from({ place }: Page): string {
    return takePage(this.#lines, place, everything).text.trimEnd();
  }

  hasRoomFor(text: string): boolean {
    return fits(text, this.limit);
  }
}

/** It stands in nothing that the answer has opened. */
function noteLine(text: string): Line {
  const at = Number.MAX_SAFE_INTEGER;
  const block: Block = {
    key: at,
    kind: 'text',
    path: [],
    opening: '',
    closing: '',
    isOpen: false,
    marks: [],
  };
  return { block, text: text.replaceAll(/\s+/gu, ' '), from: at, at, isFirst: true, isApart: true };
}

function startOf(lines: readonly Line[], { index, offset }: Place): number {
  const line = lines[index];
  if (line === undefined) return 0;
  return offset === 0 ? line.from : line.at + offset;
}

function clean(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD').toWellFormed();
}

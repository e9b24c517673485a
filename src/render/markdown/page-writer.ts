/**
 * Writes lines as Markdown that is whole, wherever they begin and end: quotes and items are opened, code and tables get
 * their first lines again, code is closed.
 */
import { blockStart, neverBlock, underline } from './block-content.ts';
import { fits, lengthOf, type PageLimit } from './limit.ts';
import type { Block, Container, Line } from './lines.ts';

/** What stands around a line may take this part of a page. */
const frameShare = 8;

export class PageWriter {
  #text = '';
  #last: Line | undefined;
  /** Items whose marker stands on the page. */
  #begun = new Set<number>();

  constructor(private readonly limit: PageLimit) {}

  copy(): PageWriter {
    const copy = new PageWriter(this.limit);
    copy.#text = this.#text;
    copy.#last = this.#last;
    copy.#begun = new Set(this.#begun);
    return copy;
  }

  /** How much there is without what closes it. */
  get openChars(): number {
    return this.#text.length;
  }

  /** `behind`: what closes the markup in the last line. */
  text(behind = ''): string {
    const text = this.#text + behind;
    return this.#last?.block.kind === 'code' ? `${text}\n${this.#codeEnd(this.#last.block)}` : text;
  }

  add(line: Line): void {
    const { block } = line;
    const last = this.#last;
    const begins = last?.block.key !== block.key;
    if (last !== undefined) {
      if (begins) this.#text = this.text();
      this.#text += '\n';
      if (begins && (line.isApart || !line.isFirst)) this.#text += `${this.#blankLine(last.block, block)}\n`;
    }
    const isShort = this.#hasRoomFor(block);
    if (begins && block.kind === 'code') this.#text += `${this.#prefix(block)}${this.#codeStart(block)}\n`;
    if (begins && block.kind === 'table' && !line.isFirst && isShort) {
      for (const head of block.opening.split('\n')) this.#text += `${this.#prefix(block)}${head}\n`;
    }
    const opening = block.kind === 'heading' ? block.opening : '';
    const text = block.kind === 'text' ? asText(line.text, begins) : line.text;
    this.#text += `${this.#prefix(block)}${opening}${text}`;
    if (line.text === '') this.#text = this.#text.replace(/[ \t]+$/, '');
    this.#last = line;
  }

  /** For a part of it after its first lines. */
  #hasRoomFor(block: Block): boolean {
    const { maxChars } = this.limit;
    return lengthOf(block.opening, this.limit) + 3 * this.#indent(block.path) <= maxChars / 2;
  }

  /** The part of it for which there is room: of a very deep place the inner ones. */
  #shown(path: readonly Container[]): readonly Container[] {
    let width = 0;
    const from = path.findLastIndex(({ marker, task }) => {
      width += (marker === '' ? 2 : marker.length) + task.length;
      return width > this.limit.maxChars / frameShare;
    });
    return path.slice(from + 1);
  }

  #indent(path: readonly Container[]): number {
    return this.#shown(path).reduce((width, { marker }) => width + (marker === '' ? 2 : marker.length), 0);
  }

  #prefix({ path, kind }: Pick<Block, 'path' | 'kind'>): string {
    return this.#shown(path)
      .map(({ key, marker, task }, depth, shown) => {
        if (marker === '') return '> ';
        if (this.#begun.has(key)) return ' '.repeat(marker.length);
        this.#begun.add(key);
        return depth === shown.length - 1 && kind === 'text' ? marker + task : marker;
      })
      .join('');
  }

  #blankLine(one: Block, other: Block): string {
    const shared = one.path.filter(({ key }, depth) => key === other.path[depth]?.key);
    return this.#prefix({ path: shared, kind: one.kind }).trimEnd();
  }

  /** Of a long info string the language, of a very long fence a part. */
  #codeStart(block: Block): string {
    const info = block.opening.slice(block.closing.length);
    // With the blank before it: "~~~ ~5" is no fence of four.
    const [language = ''] = /^\s*\S*/.exec(info) ?? [];
    const shown = [info, language, ''].find((each) => fits(each.repeat(frameShare), this.limit));
    return this.#fence(block) + (shown ?? '');
  }

  #codeEnd(block: Block): string {
    return this.#prefix(block) + this.#fence(block);
  }

  #fence({ closing }: Block): string {
    return closing.slice(0, Math.max(3, Math.floor(this.limit.maxChars / frameShare)));
  }
}

/** What was text because of the lines before it, or of markers that it left out, might be none where it stands now. */
function asText(line: string, begins: boolean): string {
  if (!begins) return underline.test(line) ? neverBlock + line : line;
  const text = line.trimStart();
  if (!blockStart.test(text)) return text;
  return /^\d/.test(text) ? text.replace(/[.)]/, '\\$&') : `\\${text}`;
}

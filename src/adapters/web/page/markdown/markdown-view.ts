/**
 * A growing Markdown text on the page. Blocks that are complete are built once; only the last ones are built again while
 * the text grows, and never for longer than the page can be busy without anybody feeling it.
 */
import { blocksOf, hasDefinitions } from './parse.ts';
import { cutTo, place } from './place.ts';
import { readBeside } from './read-beside.ts';

/** The last blocks may still change with the next character: a list goes on, a line becomes a heading. */
const openBlocks = 2;
/** From here on, what is out of sight is not laid out. */
const longBlocks = 100;
/** Read at a stretch by the page itself; a block that is longer is read beside it. Unit: characters. */
const readChars = 4_000;
/** Work at a stretch. Unit: milliseconds. */
const sliceMs = 10;

export class MarkdownView {
  private text = '';
  /** How much of the text is built for good, and into how many nodes. */
  private doneChars = 0;
  private doneNodes = 0;
  /** How much is read at a stretch: more where one block is longer. */
  private stretch = readChars;
  private isBusy = false;
  private isBehind = false;
  /** Since when the page has done nothing else. */
  private since = 0;

  constructor(private readonly frame: HTMLElement) {}

  /** Wants this text shown. What is shown may be behind for a moment. */
  show(text: string): void {
    if (text === this.text && !this.isBehind) return;
    if (!text.startsWith(this.text.slice(0, this.doneChars))) this.startAgain();
    this.text = text;
    this.isBehind = true;
    if (!this.isBusy) void this.catchUp();
  }

  private startAgain(): void {
    this.doneChars = 0;
    this.doneNodes = 0;
    this.stretch = readChars;
  }

  private async catchUp(): Promise<void> {
    this.isBusy = true;
    this.since = performance.now();
    while (this.isBehind) {
      this.isBehind = false;
      await this.build();
    }
    this.isBusy = false;
  }

  private async build(): Promise<void> {
    const { text } = this;
    const isWhole = hasDefinitions(text);
    if (isWhole) this.startAgain();
    let at = this.doneNodes;
    for (;;) {
      const from = this.doneChars;
      const chars = isWhole ? text.length : this.stretch;
      const part = text.slice(from, from + chars);
      const isLast = from + chars >= text.length;
      const blocks = part.length <= readChars ? blocksOf(part) : await readBeside(part);
      const closed = blocks.length - openBlocks;
      if (!isLast && closed <= 0) {
        this.stretch *= 2;
        continue;
      }
      at = this.doneNodes;
      for (const [index, { end, elements }] of blocks.entries()) {
        if (!isLast && index >= closed) break;
        for (const element of elements) await place(this.frame, at++, element, this.pause);
        if (!isWhole && index < closed) {
          this.doneChars = from + end;
          this.doneNodes = at;
        }
        // Something else is wanted by now, and what was built does not lead there.
        if (!this.text.startsWith(text.slice(0, this.doneChars))) return this.startAgain();
      }
      if (isLast) break;
      this.stretch = readChars;
    }
    cutTo(this.frame, at);
    this.frame.classList.toggle('long', at > longBlocks);
  }

  /** Lets the page do other things when this has taken long. */
  private readonly pause = async (): Promise<void> => {
    if (performance.now() - this.since < sliceMs) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.since = performance.now();
  };
}

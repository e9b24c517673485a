/**
 * A growing Markdown text on the page. Blocks that are complete are built once; only the last ones are built again while
 * the text grows, and never for longer than the page can be busy without anybody feeling it.
 */
import { blocksOf, hasDefinitions } from './parse.ts';
import { toDom } from './to-dom.ts';

/** The last blocks may still change with the next character: a list goes on, a line becomes a heading. */
const openBlocks = 2;
/** From here on, what is out of sight is not laid out. */
const longBlocks = 100;
/** Read at a stretch. Unit: characters. */
const readChars = 6_000;
/** Work at a stretch. Unit: milliseconds. */
const sliceMs = 10;

export class MarkdownView {
  private text = '';
  /** How much of the text is built for good, and into how many nodes. */
  private doneChars = 0;
  private doneNodes = 0;
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
    for (let chars = isWhole ? text.length : readChars; ; ) {
      const from = this.doneChars;
      const part = text.slice(from, from + chars);
      const isLast = from + chars >= text.length;
      const blocks = blocksOf(part);
      const closed = blocks.length - openBlocks;
      if (!isLast && closed <= 0) {
        chars *= 2; // one block is longer than that
        continue;
      }
      at = this.doneNodes;
      for (const [index, { end, elements }] of blocks.entries()) {
        if (!isLast && index >= closed) break;
        for (const element of elements) this.place(toDom(element), at++);
        if (!isWhole && index < closed) {
          this.doneChars = from + end;
          this.doneNodes = at;
        }
        if (!(await this.mayGoOn())) continue;
        // Something else is wanted by now, and what was built does not lead there.
        if (!this.text.startsWith(text.slice(0, this.doneChars))) return;
      }
      if (isLast) break;
      chars = readChars;
    }
    while (this.frame.childNodes.length > at) this.frame.lastChild?.remove();
    this.frame.classList.toggle('long', at > longBlocks);
  }

  /** Lets the page do other things when this has taken long; false when it need not. */
  private async mayGoOn(): Promise<boolean> {
    if (performance.now() - this.since < sliceMs) return false;
    await new Promise((resolve) => setTimeout(resolve));
    this.since = performance.now();
    return true;
  }

  /** A node that looks the same stays: what somebody has marked in it stays marked. */
  private place(node: Node, at: number): void {
    const old = this.frame.childNodes[at];
    if (old === undefined) this.frame.append(node);
    else if (!old.isEqualNode(node)) old.replaceWith(node);
  }
}

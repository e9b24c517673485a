/**
 * A growing Markdown text on the page. Blocks that are complete are built once; only the last ones are built again while
 * the text grows, and never for longer than the page can be busy without anybody feeling it.
 */
import { blocksOf, hasDefinitions } from './parse.ts';
import { toDom } from './to-dom.ts';

/** The last blocks may still change with the next character: a list goes on, a line becomes a heading. */
const openBlocks = 2;
/** Work at a stretch. Unit: milliseconds. */
const sliceMs = 10;

export class MarkdownView {
  private text = '';
  /** How much of the text is built for good, and into how many nodes. */
  private doneChars = 0;
  private doneNodes = 0;
  private isBusy = false;
  private isBehind = false;

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
    const from = this.doneChars;
    const blocks = blocksOf(text.slice(from));
    let at = this.doneNodes;
    let since = performance.now();
    for (const [index, { end, elements }] of blocks.entries()) {
      for (const element of elements) this.place(toDom(element), at++);
      if (!isWhole && index < blocks.length - openBlocks) {
        this.doneChars = from + end;
        this.doneNodes = at;
      }
      if (performance.now() - since < sliceMs) continue;
      await pause();
      since = performance.now();
      // Something else is wanted by now, and what was built does not lead there.
      if (!this.text.startsWith(text.slice(0, from + end))) return;
    }
    while (this.frame.childNodes.length > at) this.frame.lastChild?.remove();
  }

  /** A node that looks the same stays: what somebody has marked in it stays marked. */
  private place(node: Node, at: number): void {
    const old = this.frame.childNodes[at];
    if (old === undefined) this.frame.append(node);
    else if (!old.isEqualNode(node)) old.replaceWith(node);
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** The answer as it grows on the page, and what can still be taken back from it. */
import { harmless } from '../../render/harmless.ts';
import type { Mark, Page } from './page.ts';

const TAKEN_BACK = '— taken back, see below —';

export class AnswerPane {
  /** The current answer as it was received. Offsets into it count UTF-16 units. */
  private text = '';
  /** Text from here on stands in one block, or will. */
  private start = 0;
  /** The block begins with the text at `from`: line breaks before it are left out. */
  private block: { readonly mark: Mark; readonly from: number } | undefined;
  /** Half a surrogate pair, until its other half comes. */
  private held = '';
  /** What the next delta is expected to repeat. */
  private repetition: string | undefined;
  private hasClosed = false;

  constructor(private readonly page: Page) {}

  /** Has the turn shown no answer so far? */
  get isEmpty(): boolean {
    return !this.hasClosed && this.text.trim() === '';
  }

  /** A new turn begins. */
  reset(): void {
    this.interrupt();
    this.text = '';
    this.start = 0;
    this.held = '';
    this.repetition = undefined;
    this.hasClosed = false;
  }

  /** A resumed turn sends once more what it has shown; on this page it stands already. */
  expectRepetition(): void {
    this.repetition = this.text === '' ? undefined : this.text;
  }

  append(delta: string): void {
    const whole = this.held + this.newIn(delta);
    const isCutPair = /[\uD800-\uDBFF]$/.test(whole);
    this.held = isCutPair ? whole.slice(-1) : '';
    this.print(isCutPair ? whole.slice(0, -1) : whole);
  }

  /** After a resume the answer comes from its start: what stands already is kept, what differs is taken back. */
  private newIn(delta: string): string {
    if (this.repetition === undefined) return delta;
    const shown = this.repetition;
    this.repetition = undefined;
    let same = 0;
    while (same < shown.length && same < delta.length && shown[same] === delta[same]) same += 1;
    if (same < shown.length) this.retract(same);
    return delta.slice(same);
  }

  /** Keeps the first `keep` units: erases the rest where the page still can, else says that it does not count. */
  retract(keep: number): void {
    this.held = '';
    const { block, start } = this;
    const kept = this.text.slice(0, keep);
    const isShown = block !== undefined || keep < start;
    const isErased =
      block !== undefined && keep >= start && this.page.rewind(block.mark, harmless(kept.slice(block.from)));
    this.text = kept;
    if (isErased && keep <= block.from) this.block = undefined;
    if (isShown && !isErased) {
      this.interrupt();
      this.page.lines([TAKEN_BACK], 'dim');
    }
  }

  /** Something else is about to be printed: what follows of the answer is a block of its own. */
  interrupt(): void {
    if (this.block !== undefined) this.page.freshLine();
    this.block = undefined;
    this.start = this.text.length;
  }

  /** The answer stands as a finished message; a later one is told from it by a blank line. */
  close(): void {
    if (this.text.trim() !== '') this.hasClosed = true;
    if (this.block !== undefined) {
      this.page.freshLine();
      this.page.write('\n');
    }
    this.block = undefined;
    this.text = '';
    this.start = 0;
    this.held = '';
  }

  private print(piece: string): void {
    this.text += piece;
    if (this.block !== undefined) {
      this.page.write(harmless(piece));
      return;
    }
    const body = this.text.slice(this.start).replace(/^\s*\n/, '');
    if (body.trim() === '') return;
    this.page.freshLine();
    this.block = { mark: this.page.mark(), from: this.text.length - body.length };
    this.page.write(harmless(body));
  }
}

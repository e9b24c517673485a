/**
 * A text that grows by many small pieces. With `+=` every piece stays an object of its own until the text is read, and
 * the garbage collector copies them all: a character of a long answer then costs a third more than one of a short one.
 */

/** Pieces that are kept apart before they are joined. */
const piecesPerBlock = 256;

export class GrowingText {
  #length: number;
  #blocks: string[];
  #pieces: string[] = [];

  constructor(start = '') {
    this.#length = start.length;
    this.#blocks = [start];
  }

  /** Unit: UTF-16 units. */
  get length(): number {
    return this.#length;
  }

  append(piece: string): void {
    this.#length += piece.length;
    if (this.#pieces.push(piece) < piecesPerBlock) return;
    this.#blocks.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  /** The whole text. Costs its length, so not a thing to do for every piece. */
  toString(): string {
    const whole = this.#blocks.join('') + this.#pieces.join('');
    this.#blocks = [whole];
    this.#pieces = [];
    return whole;
  }
}

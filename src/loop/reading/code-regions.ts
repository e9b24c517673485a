/**
 * Tells code from prose in Markdown, where a word of ours is only quoted: fenced code line by line, and fenced or
 * inline code in a growing text. A fence is three or more backticks or tildes at the start of a line; how far it is
 * indented does not matter, because lists indent theirs.
 */

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly indent: number;
}

/** Follows the fences of a text. One that never closes reaches to the end. */
export class FencedLines {
  #open: Fence | undefined;

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Takes the next line, without its line end. Is it part of fenced code, the fences themselves included? */
  take(line: string): boolean {
    const open = this.#open;
    if (open === undefined) {
      this.#open = opensFence(line);
      return this.#open !== undefined;
    }
    const closing = /^([ \t]*)(`{3,}|~{3,})\s*$/.exec(line);
    const [, indent = '', marks = ''] = closing ?? [];
    // Four more blanks than the opener make it a line of the code.
    if (marks.startsWith(open.mark) && marks.length >= open.length && indent.length < open.indent + 4) {
      this.#open = undefined;
    }
    return true;
  }
}

/** Follows a text that arrives in pieces. */
export class CodeRegions {
  readonly #fences = new FencedLines();
  /** The current line up to here, cut at `MAX_FENCE_LINE`. */
  #line = '';
  /** Backticks just read whose run may go on. */
  #run = 0;
  /** Length of the backtick run that opened inline code, 0 outside. */
  #span = 0;

  advance(text: string): void {
    for (const part of text.match(/\n|`+|[^\n`]+/g) ?? []) {
      if (part.startsWith('`')) this.#run += part.length;
      else this.#endRun();
      if (part === '\n') this.#endLine();
      else if (this.#line.length < MAX_FENCE_LINE) this.#line += part;
    }
  }

  /**
   * Would a tag that starts here stand in code? Inline code reaches from a run of backticks to the next run of that
   * length in the same paragraph; a run that is still open counts, since what follows may yet close it.
   */
  isCode(): boolean {
    this.#endRun();
    return this.#fences.isOpen || this.#span > 0 || opensFence(this.#line) !== undefined;
  }

  #endRun(): void {
    if (this.#run === 0) return;
    if (this.#span === 0) this.#span = this.#run;
    else if (this.#span === this.#run) this.#span = 0;
    this.#run = 0;
  }

  #endLine(): void {
    if (this.#fences.take(this.#line) || this.#line.trim() === '') this.#span = 0;
    this.#line = '';
  }
}

/** A longer line neither opens nor closes a fence; so a text without line breaks costs no more than any other. */
const MAX_FENCE_LINE = 1000;

function opensFence(line: string): Fence | undefined {
  // The words after backticks hold no backtick, else the line is inline code.
  const [, indent = '', marks] = /^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
  return marks === undefined
    ? undefined
    : { mark: marks.charAt(0), length: marks.length, indent: indent.length };
}

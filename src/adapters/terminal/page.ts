/** Where the terminal surface writes: text that flows on, and a footer that is redrawn below it. */
import type { Place } from './text-width.ts';

/** Something that can be written to; a process stream fits. */
export interface Output {
  write(text: string): unknown;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  on?(event: 'resize' | 'error', listener: () => void): unknown;
  off?(event: 'resize' | 'error', listener: () => void): unknown;
}

export interface Footer {
  /** Dim lines, each cut to the width. */
  readonly lines: readonly string[];
  /** The line that is being typed; `cursor` counts UTF-16 units. */
  readonly typed: { readonly text: string; readonly cursor: number } | undefined;
}

/** A place in the flow that can be gone back to as long as nothing else was written after it. */
export interface Mark extends Place {
  /** Places from before a change of the window's size cannot be found again. */
  readonly layout: number;
}

/** Text is expected to be harmless. */
export interface Page {
  write(text: string): void;
  /** Ends the current line if something stands on it. */
  freshLine(): void;
  /** Whole lines of their own. */
  lines(lines: readonly string[], style?: 'dim'): void;
  mark(): Mark;
  /**
   * Takes back what was written since `mark`, but for `kept`, with which it began. False, and nothing changed, when that
   * has left the screen or cannot be erased.
   */
  rewind(mark: Mark, kept: string): boolean;
  footer(footer: Footer): void;
  /** Removes the footer and stops listening to the window. */
  close(): void;
}

/** A pipe or a file: nothing but the text. */
export function plainPage(output: Output): Page {
  let isFresh = true;
  const write = (text: string) => {
    if (text === '') return;
    output.write(text);
    isFresh = text.endsWith('\n');
  };
  const freshLine = () => {
    if (!isFresh) write('\n');
  };
  return {
    write,
    freshLine,
    lines: (lines) => {
      if (lines.length === 0) return;
      freshLine();
      write(lines.map((line) => `${line}\n`).join(''));
    },
    mark: () => ({ rows: 0, column: 0, layout: 0 }),
    rewind: () => false,
    footer: () => {},
    close: freshLine,
  };
}

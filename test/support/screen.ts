/**
 * A small terminal: it understands exactly the sequences that the terminal surface may use and throws at any other, so
 * that a test sees what a person would see.
 */

export interface Screen {
  readonly columns: number;
  readonly rows: number;
  write(text: string): true;
  on(event: 'resize' | 'error', listener: () => void): void;
  off(event: 'resize' | 'error', listener: () => void): void;
  /** Changes the size as a window does, without reflow of what is there. */
  resize(columns: number): void;
  /** Every row that ever scrolled away, then the screen; blanks at line ends and empty rows at the end left out. */
  text(): string;
  /** What stands on row and column of the cursor: the text before it on its row. */
  beforeCursor(): string;
  /** Everything received, as is. */
  readonly raw: string;
}

/** Control Sequence Introducer with at most one number: all that is understood. */
const SEQUENCE = new RegExp(String.raw`^\x1b\[(\??\d*)([A-Za-z])$`, 'u');
const TOKEN = new RegExp(String.raw`\x1b\[\??\d*[A-Za-z]|[\s\S]`, 'gu');

interface Cell {
  readonly char: string;
  readonly dim: boolean;
}

export function fakeScreen(size: { columns?: number; rows?: number } = {}): Screen {
  let { columns = 40 } = size;
  const { rows = 24 } = size;
  let raw = '';
  const lines: Cell[][] = [[]];
  let row = 0;
  let column = 0;
  let dim = false;
  const listeners = new Set<() => void>();

  const top = () => Math.max(0, lines.length - rows);
  const line = () => {
    while (lines.length <= row) lines.push([]);
    return lines[row] ?? [];
  };

  const print = (char: string) => {
    const width = widthOf(char);
    if (column + width > columns) {
      row += 1;
      column = 0;
    }
    const cells = line();
    for (let at = cells.length; at < column; at += 1) cells[at] = { char: ' ', dim: false };
    cells[column] = { char, dim };
    if (width === 2) cells[column + 1] = { char: '', dim };
    column += width;
  };

  const control = (sequence: string) => {
    const [, digits = '', final = ''] = SEQUENCE.exec(sequence) ?? [];
    const count = Number(digits.replace('?', '') || '1');
    const act = {
      A: () => (row = Math.max(top(), row - count)),
      B: () => (row = Math.min(lines.length - 1, row + count)),
      C: () => (column = Math.min(columns - 1, column + count)),
      J: () => {
        line().splice(column);
        lines.splice(row + 1);
      },
      m: () => (dim = digits === '2'),
      h: () => {
        if (digits !== '?2004') throw new Error(`mode ${digits}`);
      },
      l: () => {
        if (digits !== '?2004') throw new Error(`mode ${digits}`);
      },
    }[final];
    if (act === undefined) throw new Error(`unexpected sequence ${JSON.stringify(sequence)}`);
    act();
  };

  return {
    get columns() {
      return columns;
    },
    rows,
    get raw() {
      return raw;
    },
    write: (text) => {
      raw += text;
      for (const [token] of text.matchAll(TOKEN)) {
        if (token.length > 1 && token.startsWith('\u001B')) control(token);
        else if (token === '\n') {
          row += 1;
          line();
        } else if (token === '\r') column = 0;
        else if (token < ' ') throw new Error(`unexpected control character ${JSON.stringify(token)}`);
        else print(token);
      }
      return true;
    },
    on: (event, listener) => void (event === 'resize' && listeners.add(listener)),
    off: (_event, listener) => void listeners.delete(listener),
    resize: (to) => {
      columns = to;
      for (const listener of listeners) listener();
    },
    text: () =>
      lines
        .map((cells) => shown(cells).trimEnd())
        .join('\n')
        .trimEnd(),
    beforeCursor: () => shown(line().slice(0, column)),
  };
}

/** Dim text stands between tildes. */
function shown(cells: readonly Cell[]): string {
  return cells
    .map((cell, at) => {
      const opens = cell.dim && !cells[at - 1]?.dim ? '~' : '';
      const closes = cell.dim && !cells[at + 1]?.dim ? '~' : '';
      return opens + cell.char + closes;
    })
    .join('');
}

function widthOf(char: string): number {
  return /[\u3000-\u9FFF\uFF01-\uFF60]|\p{Emoji_Presentation}/u.test(char) ? 2 : 1;
}

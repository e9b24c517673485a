/**
 * Lines from the keyboard or a pipe. At the keyboard Node's line editor keeps the line (history, cursor, word moves) but
 * draws nothing: the page does, below the text that flows.
 */
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';

export interface LineInputHandlers {
  /** A line, or everything that was pasted at once with what was typed after it. */
  onLine(text: string): void;
  /** The line being typed has changed. */
  onTyped(): void;
  onInterrupt(): void;
  /** No further line will come. */
  onEnd(): void;
}

const PASTE_MODE_ON = '\u001B[?2004h';
const PASTE_MODE_OFF = '\u001B[?2004l';

export class LineInput {
  private readonly reader: Interface;
  private readonly onKey: (text: unknown, key: { name?: string } | undefined) => void;
  private isPasting = false;
  private pasted: string[] = [];
  private drawsSoon = false;
  private isClosed = false;

  /** `output` gets the switch of the terminal's paste mode only. */
  constructor(
    private readonly input: NodeJS.ReadableStream,
    private readonly output: { write(text: string): unknown },
    private readonly isTty: boolean,
    private readonly handlers: LineInputHandlers,
  ) {
    this.onKey = (_text, key) => {
      if (key?.name === 'paste-start') this.isPasting = true;
      if (key?.name === 'paste-end') this.isPasting = false;
      this.drawSoon();
    };
    this.reader = isTty
      ? createInterface({ input, output: nowhere(), terminal: true })
      : createInterface({ input, terminal: false, crlfDelay: Number.POSITIVE_INFINITY });
    this.reader.on('line', (line) => this.take(line));
    this.reader.on('close', () => this.end());
    if (!isTty) return;
    this.reader.on('SIGINT', () => handlers.onInterrupt());
    this.reader.on('SIGCONT', () => handlers.onTyped());
    input.on('keypress', this.onKey);
    output.write(PASTE_MODE_ON);
  }

  /** The line being typed; `cursor` counts UTF-16 units. `pastedLines` stand before it. */
  get typed(): { text: string; cursor: number; pastedLines: number } {
    return { text: this.reader.line, cursor: this.reader.cursor, pastedLines: this.pasted.length };
  }

  /** Throws away what is being typed. False when there was nothing. */
  clear(): boolean {
    const had = this.reader.line !== '' || this.pasted.length > 0;
    this.pasted = [];
    this.isPasting = false;
    this.reader.write(null, { ctrl: true, name: 'e' });
    this.reader.write(null, { ctrl: true, name: 'u' });
    return had;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.isTty) {
      this.input.off('keypress', this.onKey);
      this.output.write(PASTE_MODE_OFF);
    }
    this.reader.close();
  }

  private take(line: string): void {
    if (this.isPasting) {
      this.pasted.push(line);
      return;
    }
    const text = [...this.pasted, line].join('\n');
    this.pasted = [];
    this.handlers.onLine(text);
  }

  private end(): void {
    if (!this.isClosed) this.handlers.onEnd();
  }

  /** One drawing for all the keys of one piece of input: a long paste would otherwise be drawn letter by letter. */
  private drawSoon(): void {
    if (this.drawsSoon) return;
    this.drawsSoon = true;
    queueMicrotask(() => {
      this.drawsSoon = false;
      if (!this.isClosed) this.handlers.onTyped();
    });
  }
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

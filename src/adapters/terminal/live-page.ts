/**
 * A page on a real terminal. The flow ends in a cursor of our own; the footer hangs below it and is taken away before
 * the flow grows. Only relative moves are used, since a terminal does not say where it has scrolled to.
 */
import type { Footer, Mark, Output, Page } from './page.ts';
import { advance, fitLine, type Place } from './text-width.ts';

const CLEAR_BELOW = '\u001B[J';
const DIM = '\u001B[2m';
const NOT_DIM = '\u001B[22m';
const PROMPT = '> ';
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;
const MAX_FOOTER_LINES = 8;

const nothing: Footer = { lines: [], typed: undefined };

export class LivePage implements Page {
  private row = 0;
  private column = 0;
  /** The last row was full and the cursor has gone on to the next: a line break that follows is already made. */
  private isBroken = false;
  /** Width of the text since the last line break: where a change of the window's size moves the cursor. */
  private lineWidth = 0;
  private layout = 0;
  private wanted: Footer = nothing;
  private drawn: Footer = nothing;

  constructor(private readonly output: Output) {
    output.on?.('resize', this.onResize);
  }

  write(text: string): void {
    if (text === '') return;
    this.paint(() => this.put(text));
  }

  freshLine(): void {
    if (this.column > 0 || this.isBroken) this.write('\n');
  }

  lines(lines: readonly string[], style?: 'dim'): void {
    if (lines.length === 0) return;
    this.paint(() => {
      const text = (this.column > 0 || this.isBroken ? '\n' : '') + lines.map((line) => `${line}\n`).join('');
      const put = this.put(text);
      return style === 'dim' ? DIM + put + NOT_DIM : put;
    });
  }

  mark(): Mark {
    return { rows: this.row, column: this.column, layout: this.layout };
  }

  rewind(mark: Mark, kept: string): boolean {
    const unsettled = advance(kept, mark.column, this.width);
    const end = settled(unsettled, this.width);
    const target = { rows: mark.rows + end.rows, column: end.column };
    const visible = this.height - 1 - this.footerRows(this.drawn);
    if (mark.layout !== this.layout || this.row - target.rows > visible) return false;
    this.paint(() => {
      // Counted once the footer is gone, which may have moved the end of a full row to the next one.
      const up = this.row - target.rows;
      this.row = target.rows;
      this.column = target.column;
      this.lineWidth = target.column;
      this.isBroken = unsettled.column >= this.width;
      return up < 0 ? '\r\n' : move(up, target.column) + CLEAR_BELOW;
    });
    return true;
  }

  footer(footer: Footer): void {
    const wanted = { ...footer, lines: footer.lines.slice(-MAX_FOOTER_LINES) };
    if (isSame(wanted, this.wanted)) return;
    this.wanted = wanted;
    this.paint(() => '');
  }

  close(): void {
    this.output.off?.('resize', this.onResize);
    this.wanted = nothing;
    this.paint(() => '');
    this.freshLine();
  }

  /** Everything that changes the screen goes out in one write, so that nothing flickers. */
  private paint(flow: () => string): void {
    const text = this.takeFooter() + flow() + this.drawFooter();
    if (text !== '') this.output.write(text);
  }

  private put(raw: string): string {
    const text = this.isBroken && raw.startsWith('\n') ? raw.slice(1) : raw;
    this.isBroken = false;
    const end = advance(text, this.column, this.width);
    this.row += end.rows;
    this.column = end.column;
    const lastLine = text.slice(text.lastIndexOf('\n') + 1);
    this.lineWidth =
      (lastLine.length < text.length ? 0 : this.lineWidth) + advance(lastLine, 0, Infinity).column;
    return text.replaceAll('\n', '\r\n');
  }

  /** From the cursor, wherever it stands in the footer, back to the end of the flow. */
  private takeFooter(): string {
    const footer = this.drawn;
    if (footer === nothing) return '';
    this.drawn = nothing;
    const rows = footer.lines.reduce((sum, line) => sum + this.rowsOf(line), 0);
    const up = rows + this.typedPlaces(footer).cursor.rows;
    const hangsBelow = this.column > 0;
    if (hangsBelow && this.column >= this.width) {
      // The row was full when the footer was hung below it: go on in the next row, where the footer stood.
      this.row += 1;
      this.column = 0;
      this.isBroken = true;
      return move(up, 0) + CLEAR_BELOW;
    }
    return move(up + (hangsBelow ? 1 : 0), this.column) + CLEAR_BELOW;
  }

  private drawFooter(): string {
    const { typed } = this.wanted;
    const lines = this.wanted.lines.map((each) => fitLine(each, this.width - 1));
    if (lines.length === 0 && typed === undefined) return '';
    const footer = { lines, typed };
    this.drawn = footer;
    const status = lines.map((line) => DIM + line + NOT_DIM).join('\r\n');
    const lead = this.column > 0 ? '\r\n' : '';
    if (typed === undefined) return `${lead}${status}`;
    const { cursor, end } = this.typedPlaces(footer);
    // A full row leaves the cursor hanging at its end; a line break settles it.
    const input = PROMPT + typed.text + (end.isFull ? '\r\n' : '');
    return `${lead}${status}${lines.length > 0 ? '\r\n' : ''}${input}${move(end.rows - cursor.rows, cursor.column)}`;
  }

  /** Where the typed line's cursor stands and where it ends, counted from its first row. */
  private typedPlaces(footer: Footer): { cursor: Place; end: Place & { isFull: boolean } } {
    if (footer.typed === undefined) {
      // Without a typed line the cursor is left at the end of the last status line.
      const cursor = { rows: footer.lines.length > 0 ? -1 : 0, column: 0 };
      return { cursor, end: { ...cursor, isFull: false } };
    }
    const { text, cursor } = footer.typed;
    const end = advance(PROMPT + text, 0, this.width);
    return {
      cursor: settled(advance(PROMPT + text.slice(0, cursor), 0, this.width), this.width),
      end: { ...settled(end, this.width), isFull: end.column >= this.width },
    };
  }

  private footerRows(footer: Footer): number {
    return footer.lines.length + this.typedPlaces(footer).end.rows + 1;
  }

  private rowsOf(line: string): number {
    return Math.max(1, Math.ceil(advance(line, 0, Infinity).column / this.width));
  }

  private get width(): number {
    return Math.max(2, this.output.columns ?? DEFAULT_COLUMNS);
  }

  private get height(): number {
    return Math.max(2, this.output.rows ?? DEFAULT_ROWS);
  }

  private readonly onResize = (): void => {
    this.layout += 1;
    this.column = this.lineWidth % this.width;
    this.paint(() => '');
  };
}

function isSame(a: Footer, b: Footer): boolean {
  return (
    a.typed?.text === b.typed?.text &&
    a.typed?.cursor === b.typed?.cursor &&
    a.lines.length === b.lines.length &&
    a.lines.every((line, at) => line === b.lines[at])
  );
}

/** Up `rows` rows (down when negative) and to `column`. */
function move(rows: number, column: number): string {
  const vertical = rows === 0 ? '' : `\u001B[${Math.abs(rows)}${rows > 0 ? 'A' : 'B'}`;
  return `${vertical}\r${column > 0 ? `\u001B[${column}C` : ''}`;
}

/** A place at the end of a full row is the start of the next one. */
function settled(place: Place, width: number): Place {
  return place.column >= width ? { rows: place.rows + 1, column: 0 } : place;
}

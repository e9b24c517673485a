/** The answer as a person sees it grow: live text, what must be taken back, where a new message begins. */
import { GrowingText } from '../domain/growing-text.ts';
import type { TurnEvent } from '../domain/turn.ts';

export class AnswerFeed {
  /** Shown in the current answer message. */
  private shown = new GrowingText();
  /** Length that a retraction of the running step leaves. */
  private mark = 0;
  /** Length of the blank line between an earlier text and this step's. */
  private breakLength = 0;

  constructor(private readonly emit: (event: TurnEvent) => void) {}

  /** Text that an earlier process showed already; the screen is made equal to it. */
  restore(text: string): void {
    if (text === '') return;
    this.shown = new GrowingText(text);
    this.emit({ type: 'answer.delta', text });
    this.mark = text.length;
  }

  /** A step begins. `join` says how its text stands to what is shown: a part goes on without a break. */
  begin(join: 'part' | 'paragraph'): void {
    this.mark = this.shown.length;
    this.breakLength = join === 'paragraph' && this.shown.length > 0 ? 2 : 0;
  }

  write(text: string): void {
    if (text === '') return;
    const isFirst = this.breakLength > 0 && this.shown.length === this.mark;
    const piece = isFirst ? `\n\n${text}` : text;
    this.shown.append(piece);
    this.emit({ type: 'answer.delta', text: piece });
  }

  /** Takes back what the running step showed; it belongs to the trace. */
  retract(why: 'narration' | 'repair' | 'retry'): void {
    if (this.shown.length === this.mark) return;
    const { text } = this;
    const draft = text.slice(this.mark);
    this.shown = new GrowingText(text.slice(0, this.mark));
    this.emit({ type: 'answer.retracted', keep: this.mark, draft: draft.trimStart(), why });
  }

  /** The running step shows this text and nothing else. */
  replace(text: string): void {
    this.retract('retry');
    this.write(text);
  }

  /** What is shown stands as a message of its own; later text opens another. */
  close(): void {
    if (this.shown.length === 0) return;
    this.shown = new GrowingText();
    this.mark = 0;
    this.breakLength = 0;
    this.emit({ type: 'answer.closed' });
  }

  /** What the running step has shown so far, without the break before it. */
  get stepText(): string {
    return this.text.slice(this.mark + this.breakLength);
  }

  /** Everything shown in the current message. */
  get text(): string {
    return this.shown.toString();
  }
}

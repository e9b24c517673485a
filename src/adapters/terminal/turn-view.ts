/** A turn on the page: its answer as it grows, the live rows below, and what is left of both when it has ended. */
import { cutText } from '../../domain/cut-text.ts';
import { assertNever } from '../../domain/errors.ts';
import type { Outcome, TurnEvent } from '../../domain/turn.ts';
import type { Clock } from '../../ports/runtime.ts';
import { harmless } from '../../render/harmless.ts';
import { wordsFor } from '../../render/notices.ts';
import { newTrace, type Trace, traceAfter } from '../../render/trace.ts';
import { foldedLine, recentRows, statusLine, wholeTrace } from '../../render/trace-lines.ts';
import { AnswerPane } from './answer-pane.ts';
import { endingLines } from './ending-lines.ts';
import type { Page } from './page.ts';

export interface TurnViewOptions {
  /** Echo what was typed and leave a folded trace? A pipe gets neither. */
  readonly isTty: boolean;
  readonly clock: Clock;
  readonly logFile: string;
}

const LIVE_ROWS = 3;
/** The terminal speaks English. */
const words = wordsFor('en').trace;
const MAX_ECHO_CHARS = 2000;

export class TurnView {
  private readonly answer: AnswerPane;
  private trace: Trace | undefined;
  /** Lines written during a turn that it has not taken in yet. */
  private noted: readonly string[] = [];

  constructor(
    private readonly page: Page,
    private readonly options: TurnViewOptions,
  ) {
    this.answer = new AnswerPane(page);
  }

  get hasOpenTurn(): boolean {
    return this.trace !== undefined && this.trace.activity.kind !== 'ended';
  }

  /** A turn begins; lines that the one before did not take in open it. */
  begin(): void {
    this.answer.reset();
    this.trace = newTrace(this.options.clock.now());
    for (const text of this.noted) this.echo(text);
    this.noted = [];
  }

  show(event: TurnEvent): void {
    const now = this.options.clock.now();
    const trace = traceAfter(this.trace ?? newTrace(now), event, now);
    this.trace = trace;
    switch (event.type) {
      case 'answer.delta':
        return this.answer.append(event.text);
      case 'answer.retracted':
        return this.answer.retract(event.keep);
      case 'answer.closed':
        return this.answer.close();
      case 'turn.resumed':
        return this.answer.expectRepetition();
      case 'steer.used':
        return this.stampUsed(event.count);
      case 'turn.ended':
        return this.finish(event.outcome, trace);
      case 'phase':
      case 'thinking.delta':
      case 'tool.started':
      case 'tool.finished':
      case 'notice':
      case 'told': // the terminal's own
      case 'question.opened':
      case 'question.closed':
        return; // seen in the live lines
      default:
        assertNever(event, 'show');
    }
  }

  /** The question that the turn waited for is closed: it goes on, showing its answer from the start. */
  resume(): void {
    this.answer.expectRepetition();
  }

  /** A line of the person, as sent. */
  echo(text: string): void {
    if (!this.options.isTty) return;
    this.answer.interrupt();
    this.page.lines(
      safely(text)
        .split('\n')
        .map((line, at) => `${at === 0 ? '>' : ' '} ${line}`),
    );
  }

  /** A line that the running turn may take in. */
  note(text: string): void {
    this.noted = [...this.noted, text];
  }

  /** Nothing will take them in any more: they stay on the page as they are. */
  leaveNoted(): void {
    this.page.lines(
      this.noted.map((text) => `👀 ${safely(text)}`),
      'dim',
    );
    this.noted = [];
  }

  /** Lines of the program itself, dim, wherever the answer stands. */
  aside(lines: readonly string[]): void {
    this.answer.interrupt();
    this.page.lines(lines, 'dim');
  }

  wholeTrace(): readonly string[] {
    return this.trace === undefined ? ['No turn yet.'] : wholeTrace(this.trace, words);
  }

  /** What is going on now, for the footer; nothing when nothing is. */
  liveLines(isStopping: boolean): string[] {
    const { trace } = this;
    const status = trace === undefined ? undefined : statusLine(trace, this.options.clock.now(), words);
    const rows =
      trace === undefined || status === undefined ? [] : [...recentRows(trace, LIVE_ROWS, words), status];
    return [
      ...rows.slice(0, isStopping ? -1 : undefined),
      ...(isStopping ? ['⏹ stopping…'] : []),
      ...this.noted.map((text) => `👀 ${safely(text).replaceAll('\n', ' ')}`),
    ];
  }

  private stampUsed(count: number): void {
    const used = this.noted.slice(0, count);
    this.noted = this.noted.slice(count);
    if (used.length > 0) this.aside(used.map((text) => `✅ ${safely(text)}`));
  }

  private finish(outcome: Outcome, trace: Trace): void {
    this.answer.interrupt();
    if (outcome.kind === 'paused') return;
    if ('answer' in outcome && this.answer.isEmpty && outcome.answer.trim() !== '') {
      this.page.lines(harmless(outcome.answer.trim()).split('\n'));
    }
    this.page.lines(endingLines(outcome, this.options.logFile));
    if (!this.options.isTty) return;
    const folded = foldedLine(trace, this.options.clock.now(), words);
    this.page.lines([...(folded === undefined ? [] : [folded]), ''], 'dim');
  }
}

function safely(text: string): string {
  return harmless(cutText(text.trim(), MAX_ECHO_CHARS));
}

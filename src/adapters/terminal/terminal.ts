/**
 * The terminal as a surface: shows the events of a turn and turns what is typed into lines, answers and stops. It knows
 * nothing of conversations; whoever runs turns calls `show`, `ask` and `ready`.
 */
import { assertNever } from '../../domain/errors.ts';
import type { Answer, QuestionCard } from '../../domain/question.ts';
import type { TurnEvent } from '../../domain/turn.ts';
import type { Clock } from '../../ports/runtime.ts';
import { harmless } from '../../render/harmless.ts';
import { type Command, commandIn, goesPastQuestion, helpLines } from './commands.ts';
import { LineInput } from './line-input.ts';
import { LivePage } from './live-page.ts';
import { OpenQuestion } from './open-question.ts';
import { type Footer, type Output, type Page, plainPage } from './page.ts';
import { TurnView } from './turn-view.ts';

export interface TerminalOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: Output;
  /** Are both of them a terminal? Otherwise: plain text, no live status, and one line at a time (see `ready`). */
  readonly isTty: boolean;
  readonly clock: Clock;
  /** Named in error messages as the place of the details. */
  readonly logFile: string;
  /** A line for the conversation: opens a turn, or steers the one that runs. Never blank. */
  readonly onLine: (text: string) => void;
  /** The person wants the running turn, or the open question, to stop. */
  readonly onInterrupt: () => void;
  /** The person leaves, or the input has ended and the last turn is over. Called once. */
  readonly onEnd: () => void;
}

export interface Terminal {
  /** A line about the program itself, such as its start line; not shown in a pipe, which carries answers only. */
  say(text: string): void;
  /**
   * No turn runs and none will start by itself. At a terminal this shows the prompt. From a pipe the next line is handed
   * over only now, so that every line gets its own turn; when there is none left, `onEnd` follows.
   */
  ready(): void;
  show(event: TurnEvent): void;
  /** The answers, in the order of the questions; `undefined` when `signal` fired first or no more input can come. */
  ask(card: QuestionCard, signal: AbortSignal): Promise<readonly Answer[] | undefined>;
  /** Ctrl-C, for a process that hears of it as a signal. */
  interrupt(): void;
  /** Gives the terminal back as it was. */
  close(): void;
}

export function startTerminal(options: TerminalOptions): Terminal {
  return new TerminalSurface(options);
}

type Mode =
  | { readonly kind: 'idle' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'asking'; readonly question: OpenQuestion; readonly settle: Settle };
type Settle = (answers: readonly Answer[] | undefined) => void;

const TICK_MS = 1000;

class TerminalSurface implements Terminal {
  private readonly page: Page;
  private readonly view: TurnView;
  private readonly input: LineInput;
  /** Until the first `ready`, nothing is handed over. */
  private mode: Mode = { kind: 'busy' };
  /** Lines from a pipe that wait for their turn. */
  private readonly queue: string[] = [];
  private isStopping = false;
  /** The next Ctrl-C at the prompt leaves. */
  private isLeaving = false;
  private inputEnded = false;
  private hasEnded = false;
  private stopTicking: (() => void) | undefined;

  constructor(private readonly options: TerminalOptions) {
    const { input, output, isTty } = options;
    this.page = isTty ? new LivePage(output) : plainPage(output);
    this.view = new TurnView(this.page, options);
    this.input = new LineInput(input, output, isTty, {
      onLine: (text) => this.receive(text),
      onTyped: () => this.draw(),
      onInterrupt: () => this.interrupt(),
      onEnd: () => this.endInput(),
    });
    input.on('error', () => this.endInput());
    output.on?.('error', () => this.end());
  }

  say(text: string): void {
    if (this.options.isTty) this.view.aside(harmless(text).split('\n'));
  }

  ready(): void {
    this.settleQuestion(undefined);
    this.view.leaveNoted();
    this.isStopping = false;
    this.enter({ kind: 'idle' });
    this.takeQueued();
  }

  show(event: TurnEvent): void {
    // A reminder, say: it belongs to no turn and opens none.
    if (event.type === 'told') {
      this.view.aside(harmless(event.text).split('\n'));
      this.draw();
      return;
    }
    if (this.mode.kind === 'idle' || !this.view.hasOpenTurn) this.begin();
    this.view.show(event);
    if (event.type === 'turn.ended' && event.outcome.kind !== 'paused') this.isStopping = false;
    this.draw();
  }

  ask(card: QuestionCard, signal: AbortSignal): Promise<readonly Answer[] | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const onAbort = () => this.settleQuestion(undefined);
      const settle: Settle = (answers) => {
        signal.removeEventListener('abort', onAbort);
        if (answers === undefined && !this.isStopping && !this.inputEnded)
          this.view.aside(['⏹ Not answered. Ask again any time.']);
        this.view.resume();
        this.enter({ kind: 'busy' });
        resolve(answers);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.enter({ kind: 'asking', question: new OpenQuestion(card, this.page), settle });
      this.takeQueued();
    });
  }

  interrupt(): void {
    if (this.mode.kind !== 'idle') {
      if (this.isStopping) return this.end();
      this.isStopping = true;
      this.options.onInterrupt();
    } else if (this.isLeaving) {
      return this.end();
    } else if (!this.options.isTty || !this.input.clear()) {
      this.isLeaving = true;
      this.view.aside(['Ctrl-C once more to leave.']);
    }
    this.draw();
  }

  close(): void {
    this.hasEnded = true;
    this.settleQuestion(undefined);
    this.stopTicking?.();
    this.page.close();
    this.input.close();
  }

  /** From the keyboard at once; from a pipe when it is its turn. */
  private receive(line: string): void {
    if (this.options.isTty) return this.handle(line);
    this.queue.push(line);
    this.takeQueued();
  }

  private takeQueued(): void {
    while (this.mode.kind !== 'busy' && !this.hasEnded) {
      const line = this.queue.shift();
      if (line === undefined) break;
      this.handle(line);
    }
    if (!this.inputEnded || this.queue.length > 0) return;
    if (this.mode.kind === 'asking') this.settleQuestion(undefined);
    else if (this.mode.kind === 'idle') this.end();
  }

  private handle(text: string): void {
    this.isLeaving = false;
    const command = commandIn(text);
    if (command !== undefined) this.obey(command);
    else if (text.trim() !== '') this.pass(text);
    this.draw();
  }

  private pass(text: string): void {
    const { mode } = this;
    switch (mode.kind) {
      case 'asking':
        this.view.echo(text);
        if (goesPastQuestion(text)) return this.options.onLine(text);
        return this.answered(mode.question.accept(text));
      case 'busy':
        this.view.note(text);
        return this.options.onLine(text);
      case 'idle':
        this.view.echo(text);
        this.begin();
        return this.options.onLine(text);
      default:
        assertNever(mode, 'pass');
    }
  }

  private obey(command: Command): void {
    switch (command) {
      case 'trace':
        return this.view.aside(this.view.wholeTrace());
      case 'help':
        return this.view.aside(helpLines);
      case 'skip':
        if (this.mode.kind === 'asking') return this.answered(this.mode.question.skip());
        return this.view.aside(['No question is open.']);
      case 'stop':
        if (this.mode.kind === 'idle') return this.view.aside(['Nothing is running.']);
        return this.isStopping ? undefined : this.interrupt();
      case 'exit':
        return this.end();
      default:
        assertNever(command, 'obey');
    }
  }

  private answered(answers: readonly Answer[] | undefined): void {
    if (answers !== undefined) this.settleQuestion(answers);
  }

  private settleQuestion(answers: readonly Answer[] | undefined): void {
    if (this.mode.kind === 'asking') this.mode.settle(answers);
  }

  private begin(): void {
    this.view.begin();
    this.enter({ kind: 'busy' });
  }

  private endInput(): void {
    this.inputEnded = true;
    this.takeQueued();
    this.draw();
  }

  private end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.options.onEnd();
  }

  private enter(mode: Mode): void {
    this.mode = mode;
    this.tick();
  }

  /** Draws now, and every second while a turn runs. */
  private tick(): void {
    this.draw();
    this.stopTicking?.();
    const isLive = this.options.isTty && this.mode.kind === 'busy' && !this.hasEnded;
    this.stopTicking = isLive ? this.options.clock.after(TICK_MS, () => this.tick()) : undefined;
  }

  private draw(): void {
    if (!this.options.isTty || this.hasEnded) return;
    const lines = this.mode.kind === 'busy' ? this.view.liveLines(this.isStopping) : [];
    this.page.footer({ lines, typed: this.typed() });
  }

  /** The part of the typed line around its cursor: no more than fits on a few rows. */
  private typed(): Footer['typed'] {
    if (this.inputEnded) return undefined;
    const { text, cursor, pastedLines } = this.input.typed;
    const span = 3 * (this.options.output.columns ?? 80);
    const from = Math.max(0, cursor - span);
    const pasted =
      pastedLines === 0 ? '' : `[${pastedLines} ${pastedLines === 1 ? 'line' : 'lines'} pasted] `;
    const before = harmless(`${pasted}${from > 0 ? '…' : ''}${text.slice(from, cursor)}`);
    return { text: before + harmless(text.slice(cursor, cursor + span)), cursor: before.length };
  }
}

/** A turn on a surface that shows messages: the answer, its trace, the question, each kept up to date by delivery. */

import { LiveMessage, type LiveMessageMeans } from '../delivery/live-message.ts';
import type { MessageRef } from '../domain/address.ts';
import type { OpenPause } from '../domain/pause.ts';
import type { Answer } from '../domain/question.ts';
import type { SurfaceMessage } from '../domain/surface-message.ts';
import type { Outcome, TurnEvent } from '../domain/turn.ts';
import type { TurnScreen } from '../ports/screen.ts';
import { LiveAnswer } from './live-answer.ts';
import type { Words } from './notices.ts';
import { closedCard, openCard } from './question.ts';
import { newTrace, type Trace, traceAfter } from './trace.ts';
import { foldedLine, recentRows, statusLine } from './trace-lines.ts';

export interface MessageScreenMeans extends Omit<LiveMessageMeans, 'slot' | 'key'> {
  /** `conversation:turn`: with the slot it is the key of a message. */
  readonly key: string;
  readonly words: Words;
}

/** Rows of a running trace. */
const traceRows = 8;

export class MessageScreen implements TurnScreen {
  private readonly messages = new Map<string, LiveMessage>();
  private trace: Trace;
  /** The answer that is being written, and which one of the turn it is. */
  private answer: LiveAnswer;
  private answerNumber = 1;

  constructor(private readonly means: MessageScreenMeans) {
    this.trace = newTrace(means.clock.now());
    this.answer = this.newAnswer(1);
  }

  show(event: TurnEvent): void {
    const { clock } = this.means;
    this.trace = traceAfter(this.trace, event, clock.now());
    switch (event.type) {
      case 'answer.delta':
        return this.answer.append(event.text);
      case 'answer.retracted':
        return this.answer.cutTo(event.keep);
      case 'answer.closed':
        this.answer.show('final');
        this.answer = this.newAnswer(this.answerNumber + 1);
        return;
      case 'turn.resumed':
        if (event.by === 'crash') this.showAgain(event.closedAnswers);
        this.answer = this.newAnswer(event.closedAnswers.length + 1);
        return;
      case 'turn.ended':
      case 'thinking.delta':
        return;
      default:
        this.showTrace();
    }
  }

  async finish(outcome: Outcome): Promise<void> {
    const ending = endingText(outcome, this.means.words);
    this.answer.show(stateOf(outcome), ending === '' ? undefined : ending);
    await this.answer.clearLeftOver(stateOf(outcome));
    await this.foldTrace();
    await Promise.all([...this.messages.values()].map((message) => message.settle()));
  }

  async ask(pause: OpenPause): Promise<MessageRef | undefined> {
    if (!this.answer.isBlank) this.answer.show('live');
    return this.put(`question:${pause.callId}`, openCard(pause));
  }

  async closeCard(
    pause: OpenPause,
    as: 'answered' | 'expired' | 'closed',
    answers: readonly Answer[],
  ): Promise<void> {
    await this.put(`question:${pause.callId}`, closedCard(pause, as, answers, this.means.words));
  }

  async tell(slot: string, text: string): Promise<void> {
    await this.put(slot, { kind: 'notice', state: 'final', text });
  }

  private async put(slot: string, message: SurfaceMessage): Promise<MessageRef | undefined> {
    const live = this.message(slot);
    live.set(message);
    return live.settle();
  }

  private showTrace(): void {
    const now = this.means.clock.now();
    const rows = recentRows(this.trace, traceRows);
    if (rows.length === 0) return;
    const status = statusLine(this.trace, now);
    const lines = status === undefined ? rows : [...rows, status];
    this.message('trace').set({ kind: 'trace', state: 'live', text: lines.join('\n') });
  }

  /** Messages whose last text may not have been shown when the process before this one died. */
  private showAgain(closedAnswers: readonly string[]): void {
    for (const [index, text] of closedAnswers.entries()) {
      const answer = this.newAnswer(index + 1);
      answer.append(text);
      answer.show('final');
    }
  }

  /** One line is left of the trace; nothing when there was none, in this process or in one before it. */
  private async foldTrace(): Promise<void> {
    const line = foldedLine(this.trace, this.means.clock.now());
    const isThere = this.messages.has('trace') || (await this.means.ledger.get('trace')) !== undefined;
    if (line === undefined && !isThere) return;
    this.message('trace').set({ kind: 'trace', state: 'final', text: line ?? '🧠' });
  }

  private newAnswer(number: number): LiveAnswer {
    const { surface, words, clock, ledger } = this.means;
    this.answerNumber = number;
    return new LiveAnswer({
      limit: { maxChars: surface.limits.maxChars },
      words,
      clock,
      ledger,
      slot: `answer:${number}`,
      message: (slot) => this.message(slot),
    });
  }

  private message(slot: string): LiveMessage {
    const { key, words: _words, ...means } = this.means;
    const known = this.messages.get(slot) ?? new LiveMessage({ ...means, slot, key: `${key}:${slot}` });
    this.messages.set(slot, known);
    return known;
  }
}

function stateOf(outcome: Outcome): SurfaceMessage['state'] {
  switch (outcome.kind) {
    case 'finish':
    case 'concluded':
    case 'stuck':
    case 'budget':
      return 'final';
    case 'aborted':
      return 'stopped';
    case 'paused':
      return 'live';
    case 'no_reply':
    case 'blocked':
    case 'interrupted':
    case 'error':
      return 'failed';
  }
}

/** What is added to the answer, or stands in its place. Raw errors go to the log. */
function endingText(outcome: Outcome, words: Words): string {
  switch (outcome.kind) {
    case 'aborted':
      return words.stopped;
    case 'interrupted':
      return outcome.answer === '' ? words.givenUp : words.interrupted;
    case 'blocked':
      return `${words.blocked} ${outcome.reason}`;
    case 'error':
      return `✗ ${words.failed} ${outcome.failure.hint || words.tryAgain}`;
    default:
      return '';
  }
}

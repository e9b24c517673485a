/** A turn on a surface that shows messages: the answer, its trace, the question, each kept up to date by delivery. */

import { LiveMessage, type LiveMessageMeans } from '../delivery/live-message.ts';
import type { MessageRef } from '../domain/address.ts';
import type { CallId, TurnId } from '../domain/ids.ts';
import type { OpenPause } from '../domain/pause.ts';
import type { Answer } from '../domain/question.ts';
import { distinctSources, type Source } from '../domain/source.ts';
import type { SurfaceMessage } from '../domain/surface-message.ts';
import type { Outcome, TurnEvent } from '../domain/turn.ts';
import type { Importance } from '../ports/rate-budget.ts';
import type { ToldWith, TurnScreen } from '../ports/screen.ts';
import type { TurnPlace } from '../ports/surface.ts';
import { LiveAnswer } from './live-answer.ts';
import { closedCard, openCard } from './question.ts';
import { newTrace, type Trace, traceAfter } from './trace.ts';
import { foldedLine, statusLine, wholeTrace } from './trace-lines.ts';
import { traceTexts } from './trace-texts.ts';
import type { Words } from './words.ts';

export interface MessageScreenMeans extends Omit<LiveMessageMeans, 'slot' | 'key' | 'surface'>, TurnPlace {
  /** `conversation:turn`: with the slot it is the key of a message. */
  readonly key: string;
  readonly words: Words;
  /** The turn, where people can ask for its answer anew. */
  readonly turn?: TurnId;
  /** Whether a tool leaves nothing behind, so that its turn may be repeated. */
  readonly isHarmless?: (tool: string) => boolean;
}

const blankTrace = '🧠';
/** A whole trace is put together anew for each look at it, so not for every token. Unit: milliseconds. */
const thinkingEveryMs = 150;

export class MessageScreen implements TurnScreen {
  private readonly messages = new Map<string, LiveMessage>();
  private trace: Trace;
  /** The answer that is being written, and which one of the turn it is. */
  private answer: LiveAnswer;
  private answerNumber = 1;
  /** A surface that keeps the whole trace begins a new one behind each question; this is the last one. */
  private question: CallId | undefined;
  /** What tools have found in this turn, in this process or in one before it. */
  private sources: readonly Source[] = [];
  private isEnding = false;
  /** A card says that its question was closed. */
  private hasClosedCard = false;
  private tracedAt = Number.NEGATIVE_INFINITY;
  /** All that this process shows. */
  private answers: readonly LiveAnswer[] = [];
  /** Ends the sign that somebody is at work; undefined before there is one. */
  private endWork: (() => void) | undefined;

  constructor(private readonly means: MessageScreenMeans) {
    this.trace = newTrace(means.clock.now());
    this.answer = this.newAnswer(1);
  }

  show(event: TurnEvent): void {
    const { clock } = this.means;
    // What came of a question stands in its card.
    if (this.isQuestion(event)) return;
    this.trace = traceAfter(this.trace, this.behindQuestion(event), clock.now());
    this.sources = [...this.sources, ...sourcesOf(event)];
    if (event.type !== 'turn.ended') this.endWork ??= this.means.work();
    switch (event.type) {
      case 'answer.delta':
        this.endWork?.();
        return this.answer.append(event.text);
      case 'answer.retracted':
        return this.answer.cutTo(event.keep);
      case 'answer.closed':
        this.answer.show('final');
        this.answer = this.newAnswer(this.answerNumber + 1);
        return;
      case 'turn.resumed':
        this.answers = [];
        if (event.by === 'crash') this.showAgain(event.closedAnswers);
        this.answer = this.newAnswer(event.closedAnswers.length + 1);
        // Posted now, so that it stands above what follows.
        if (this.folds) this.showTrace();
        return;
      case 'turn.ended':
        return;
      case 'thinking.delta':
        if (clock.now() - this.tracedAt >= thinkingEveryMs) this.showTrace('thinking');
        return;
      default:
        this.showTrace();
    }
  }

  async finish(outcome: Outcome): Promise<void> {
    this.endWork?.();
    const ending = this.endingOf(outcome);
    this.isEnding = outcome.kind !== 'paused';
    this.answer.show(stateOf(outcome), ending === '' ? undefined : ending);
    for (const answer of this.answers) await answer.clearLeftOver();
    await this.foldTrace();
    await this.settle();
  }

  async takeBack(): Promise<void> {
    this.endWork?.();
    for (let number = 1; number < this.answerNumber; number += 1) await this.answerOf(number).takeAway();
    await this.answer.takeAway();
    await this.foldTrace();
    await this.settle();
  }

  async ask(pause: OpenPause): Promise<MessageRef | undefined> {
    this.endWork?.();
    if (!this.answer.isBlank) this.answer.show('live');
    return this.put(`question:${pause.callId}`, openCard(pause));
  }

  async closeCard(
    pause: OpenPause,
    as: 'answered' | 'expired' | 'closed',
    answers: readonly Answer[],
  ): Promise<void> {
    if (this.folds) this.question = pause.callId;
    this.hasClosedCard ||= as === 'closed';
    await this.put(`question:${pause.callId}`, closedCard(pause, as, answers, this.means.words));
  }

  async tell(slot: string, text: string, more: ToldWith = {}): Promise<boolean> {
    return (await this.put(slot, { kind: 'notice', state: 'final', text, ...more })) !== undefined;
  }

  get isLeft(): boolean {
    return [...this.messages].some(([slot, message]) => slot.startsWith('answer:') && message.isLeft);
  }

  /** A stop is no message of its own where an earlier answer or a card shows that the turn is over. */
  private endingOf(outcome: Outcome): string {
    const { words } = this.means;
    if (outcome.kind !== 'aborted' || !this.answer.isBlank) return endingText(outcome, words);
    return this.answerNumber > 1 || this.hasClosedCard ? '' : words.stoppedEarly;
  }

  private async settle(): Promise<void> {
    await Promise.all([...this.messages.values()].map((message) => message.settle()));
  }

  private async put(slot: string, message: SurfaceMessage): Promise<MessageRef | undefined> {
    const live = this.message(slot);
    live.set(message);
    return live.settle();
  }

  private get folds(): boolean {
    return this.means.side.limits.folds === true;
  }

  private get traceSlot(): string {
    return this.question === undefined ? 'trace' : `trace:${this.question}`;
  }

  private isQuestion(event: TurnEvent): boolean {
    if (event.type === 'tool.started') return event.call.id === this.question;
    return event.type === 'tool.finished' && event.callId === this.question;
  }

  /** Work before the question stands in the trace above it. */
  private behindQuestion(event: TurnEvent): TurnEvent {
    if (event.type !== 'turn.resumed') return event;
    const index = event.work.findLastIndex((done) => this.isQuestion(done));
    return { ...event, work: event.work.slice(index + 1) };
  }

  /** Made when it can be written, as the answer is. */
  private showTrace(as?: Importance): void {
    const { clock, words, side } = this.means;
    const slot = this.traceSlot;
    this.tracedAt = clock.now();
    if (this.folds) {
      return this.message(slot).grow(() => {
        const now = clock.now();
        const line = statusLine(this.trace, now, words.trace) ?? foldedLine(this.trace, now, words.trace);
        return { kind: 'trace', state: 'live', text: line ?? blankTrace, ...this.details() };
      }, as);
    }
    if (this.trace.items.length === 0) return;
    this.message(slot).grow(() => {
      const [first, second] = traceTexts(this.trace, clock.now(), side.limits, words.trace);
      const live = (name: string, text: string): SurfaceMessage => ({
        kind: 'trace',
        state: 'live',
        text,
        ...this.handle(name),
      });
      if (second !== undefined) this.message(`${slot}.2`, this.message(slot)).set(live(`${slot}.2`, second));
      return first === undefined ? undefined : live(slot, first);
    }, as);
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
    const line = foldedLine(this.trace, this.means.clock.now(), this.means.words.trace);
    const slot = this.traceSlot;
    if (line !== undefined || (await this.isThere(slot))) {
      const whole = this.folds ? this.details() : this.handle(slot);
      this.message(slot).set({ kind: 'trace', state: 'final', text: line ?? blankTrace, ...whole });
    }
    if (await this.isThere(`${slot}.2`)) this.message(`${slot}.2`).remove();
  }

  /** In this process or in one before it. */
  private async isThere(slot: string): Promise<boolean> {
    return this.messages.has(slot) || (await this.means.ledger.get(slot)) !== undefined;
  }

  /** One answer, and nothing done on the way to it: then it may be given anew. */
  private again(): Pick<SurfaceMessage, 'again'> {
    const { turn, isHarmless } = this.means;
    const calls = this.trace.items.flatMap((item) => (item.kind === 'tool' ? [item.name] : []));
    const mayRepeat =
      this.isEnding && this.answerNumber === 1 && calls.every((name) => isHarmless?.(name) === true);
    return turn !== undefined && mayRepeat ? { again: turn } : {};
  }

  private sourceCount(): Pick<SurfaceMessage, 'sources'> {
    const { length } = distinctSources(this.sources);
    return this.isEnding && length > 0 ? { sources: length } : {};
  }

  private handle(slot: string): Pick<SurfaceMessage, 'handle'> {
    const { turn } = this.means;
    return turn === undefined ? {} : { handle: { turn, slot } };
  }

  private details(): Pick<SurfaceMessage, 'details'> {
    const { words } = this.means;
    return this.folds && this.trace.items.length > 0 ? { details: wholeTrace(this.trace, words.trace) } : {};
  }

  private newAnswer(number: number): LiveAnswer {
    const answer = this.answerOf(number);
    this.answerNumber = number;
    this.answers = [...this.answers, answer];
    return answer;
  }

  private answerOf(number: number): LiveAnswer {
    const { words, ledger } = this.means;
    return new LiveAnswer({
      limit: this.means.answer.limits,
      words,
      ledger,
      slot: `answer:${number}`,
      message: (slot, after) => this.message(slot, after),
      before: this.answers.at(-1),
      buttons: (handled, isEnd) => ({
        ...this.handle(handled),
        ...(isEnd && { ...this.again(), ...this.sourceCount() }),
      }),
    });
  }

  /** `after`: what stands above it, when it is a new one. */
  private message(slot: string, after?: LiveMessage): LiveMessage {
    const { key, answer, side } = this.means;
    const surface = slot.startsWith('answer:') ? answer : side;
    const known =
      this.messages.get(slot) ??
      new LiveMessage({
        ...this.means,
        surface,
        slot,
        key: `${key}:${slot}`,
        ...(after !== undefined && { after }),
      });
    this.messages.set(slot, known);
    return known;
  }
}

function sourcesOf(event: TurnEvent): readonly Source[] {
  if (event.type === 'turn.resumed') return event.work.flatMap(sourcesOf);
  return event.type === 'tool.finished' ? (event.sources ?? []) : [];
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

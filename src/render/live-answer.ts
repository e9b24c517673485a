/** One answer of a turn as a chain of messages, a page each, brought up to date as its text grows. */
import type { LiveMessage } from '../delivery/live-message.ts';
import type { SurfaceMessage } from '../domain/surface-message.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Clock } from '../ports/runtime.ts';
import { type AnswerMessage, messagesOf } from './answer-file.ts';
import { AnswerPages } from './answer-pages.ts';
import type { PageLimit } from './markdown/limit.ts';
import type { Words } from './notices.ts';

export interface LiveAnswerMeans {
  readonly limit: PageLimit;
  readonly words: Words;
  readonly clock: Clock;
  readonly ledger: Ledger;
  /** Of the first message; those behind it have a number, too. */
  readonly slot: string;
  readonly message: (slot: string) => LiveMessage;
  /** Added to the last message: whether the turn may be asked for anew. */
  readonly again: () => Pick<SurfaceMessage, 'again'>;
}

type State = SurfaceMessage['state'];

/** Text is rendered this often at most: nobody sees every token, and each would cost a reading. */
const renderGapMs = 50;
/** In place of text that went back to the message above. */
const movedUp = '⤴';

export class LiveAnswer {
  #text = '';
  #pages: AnswerPages;
  /** How many messages there are. */
  #count = 0;
  #isResting = false;
  #isBehind = false;

  constructor(private readonly means: LiveAnswerMeans) {
    this.#pages = new AnswerPages(means.limit);
  }

  get isBlank(): boolean {
    return this.#text.trim() === '';
  }

  /** The first text is shown at once. */
  append(text: string): void {
    this.#text += text;
    this.#pages.append(text);
    this.#isBehind = true;
    if (!this.#isResting) this.#showGrowing();
  }

  /** Takes back all but the first `length` UTF-16 units. */
  cutTo(length: number): void {
    this.#text = this.#text.slice(0, length);
    this.#pages = new AnswerPages(this.means.limit);
    this.#pages.append(this.#text);
    this.#showGrowing();
  }

  /** The text as it is at a pause or an end. `note`: a line of the bot that stands below it. */
  show(state: State, note?: string): void {
    this.#isBehind = false;
    // What was cut off may end anywhere: its markup is closed.
    this.#set(
      messagesOf(this.#pages, note === undefined ? 'final' : 'cut off', this.means.words, note),
      state,
    );
  }

  /** Messages of an attempt before this one that the answer does not need: the process died, or text was taken back. */
  async clearLeftOver(state: State): Promise<void> {
    for (;;) {
      if (this.#count === 0 || (await this.means.ledger.get(this.#slotOf(this.#count))) === undefined) return;
      this.means.message(this.#slotOf(this.#count)).set({ kind: 'answer', state, text: movedUp });
      this.#count += 1;
    }
  }

  #showGrowing(): void {
    this.#isBehind = false;
    this.#isResting = true;
    this.#set(messagesOf(this.#pages, 'growing', this.means.words), 'live');
    this.means.clock.after(renderGapMs, () => {
      this.#isResting = false;
      if (this.#isBehind) this.#showGrowing();
    });
  }

  #set(messages: readonly AnswerMessage[], state: State): void {
    for (const [index, message] of messages.entries()) {
      const isLast = index === messages.length - 1;
      this.means.message(this.#slotOf(index)).set({
        kind: 'answer',
        state: isLast ? state : 'final',
        ...message,
        ...(isLast ? this.means.again() : {}),
      });
    }
    for (let index = messages.length; index < this.#count; index += 1) {
      const text = index === 0 ? this.means.words.working : movedUp;
      this.means.message(this.#slotOf(index)).set({ kind: 'answer', state, text });
    }
    this.#count = Math.max(this.#count, messages.length);
  }

  #slotOf(index: number): string {
    return index === 0 ? this.means.slot : `${this.means.slot}.${index + 1}`;
  }
}

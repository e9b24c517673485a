/** One answer of a turn as a chain of messages, a page each, brought up to date as its text grows. */
import type { LiveMessage } from '../delivery/live-message.ts';
import { newestAt } from '../delivery/placed-message.ts';
import type { MessageRef } from '../domain/address.ts';
import type { SurfaceMessage } from '../domain/surface-message.ts';
import type { Ledger } from '../ports/ledger.ts';
import { type AnswerMessage, messagesOf } from './answer-file.ts';
import { AnswerPages } from './answer-pages.ts';
import type { PageLimit } from './markdown/limit.ts';
import type { Words } from './words.ts';

export interface LiveAnswerMeans {
  readonly limit: PageLimit;
  readonly words: Words;
  readonly ledger: Ledger;
  /** Of the first message; those behind it have a number, too. */
  readonly slot: string;
  /** `after`: what stands above it. */
  readonly message: (slot: string, after: LiveMessage | undefined) => LiveMessage;
  /** The answer of the turn before this one. */
  readonly before: LiveAnswer | undefined;
  /** Added to the last message: what its buttons are about, and at the end whether the turn may be asked for anew. */
  readonly buttons: (slot: string, isEnd: boolean) => Buttons;
}

type State = SurfaceMessage['state'];
export type Buttons = Pick<SurfaceMessage, 'again' | 'handle' | 'sources'>;

export class LiveAnswer {
  #text = '';
  #pages: AnswerPages;
  /** What is wanted, message by message. */
  #wanted: readonly SurfaceMessage[] = [];

  constructor(private readonly means: LiveAnswerMeans) {
    this.#pages = new AnswerPages(means.limit);
  }

  get isBlank(): boolean {
    return this.#text.trim() === '';
  }

  get last(): LiveMessage | undefined {
    return this.#wanted.length === 0 ? this.means.before?.last : this.#messageAt(this.#wanted.length - 1);
  }

  /** Pages are made of it when its last message can be written: nobody sees every token, and each would cost a reading. */
  append(text: string): void {
    this.#text += text;
    this.#pages.append(text);
    const index = Math.max(0, this.#wanted.length - 1);
    this.#messageAt(index).grow(() => {
      this.#want(this.#growing(), { goesOn: true, but: index });
      return this.#wanted[index] ?? (index === 0 ? undefined : 'removed');
    });
  }

  /** Takes back all but the first `length` UTF-16 units. */
  cutTo(length: number): void {
    this.#text = this.#text.slice(0, length);
    this.#pages = new AnswerPages(this.means.limit);
    this.#pages.append(this.#text);
    const rest = this.#growing();
    const { working } = this.means.words;
    // The first message stays: there is more to come.
    const isEmptied = rest.length === 0 && this.#wanted.length > 0;
    this.#want(isEmptied ? this.#chain([{ text: working }], 'live') : rest, { goesOn: true });
  }

  /** The text as it is at a pause or an end. `note`: a line of the bot that stands below it. */
  show(state: State, note?: string): void {
    // What was cut off may end anywhere: its markup is closed.
    const end = note === undefined ? 'final' : 'cut off';
    this.#want(this.#chain(messagesOf(this.#pages, end, this.means.words, note), state));
  }

  /** Takes away what an attempt before this one has shown and this one does not: its process died. */
  async clearLeftOver(): Promise<void> {
    for (let index = this.#wanted.length; ; index += 1) {
      if ((await this.means.ledger.get(this.#slotOf(index))) === undefined) return;
      this.#messageAt(index).remove();
    }
  }

  /** Also what an attempt before this one has shown. */
  async takeAway(): Promise<void> {
    this.#want([]);
    await this.clearLeftOver();
  }

  #growing(): readonly SurfaceMessage[] {
    return this.#chain(messagesOf(this.#pages, 'growing', this.means.words), 'live');
  }

  /** All but the last message stand for good. */
  #chain(messages: readonly AnswerMessage[], state: State): readonly SurfaceMessage[] {
    const last = messages.length - 1;
    const atEnd = () => ({ state, ...this.means.buttons(this.#slotOf(last), state !== 'live') });
    return messages.map((message, index) => ({
      kind: 'answer',
      state: 'final',
      ...message,
      ...(index === last && atEnd()),
    }));
  }

  /** `goesOn`: there is more to come. `but`: the message that asked, and takes its content itself. */
  #want(
    messages: readonly SurfaceMessage[],
    { goesOn = false, but }: { goesOn?: boolean; but?: number } = {},
  ): void {
    const before = this.#wanted;
    this.#wanted = messages;
    for (const [index, message] of messages.entries()) {
      if (index !== but) this.#messageAt(index).set(message, goesOn);
    }
    for (let index = messages.length; index < before.length; index += 1) {
      if (index !== but) this.#messageAt(index).remove();
    }
  }

  #messageAt(index: number): LiveMessage {
    const after = index === 0 ? this.means.before?.last : this.#messageAt(index - 1);
    return this.means.message(this.#slotOf(index), after);
  }

  #slotOf(index: number): string {
    return slotAt(this.means.slot, index);
  }
}

/** The messages that show an answer, as the ledger knows them; `slot` is that of the first one. */
export async function messagesOfAnswer(ledger: Ledger, slot: string): Promise<readonly MessageRef[]> {
  const found: MessageRef[] = [];
  for (let index = 0; ; index += 1) {
    const message = await newestAt(ledger, slotAt(slot, index));
    if (message === undefined) return found;
    found.push(message);
  }
}

function slotAt(first: string, index: number): string {
  return index === 0 ? first : `${first}.${index + 1}`;
}

/** The buttons below an answer and its trace. Who may press which is judged from the journal; everybody else is told why not. */
import type { MessageRef } from '../domain/address.ts';
import { UnreadableJournalError } from '../domain/errors.ts';
import { type ConversationId, EventId, type TurnId, type UserId } from '../domain/ids.ts';
import type { InboxItem } from '../domain/inbound.ts';
import type { JournalRecord } from '../domain/journal.ts';
import { type PastTurn, pastTurn } from '../domain/past-turn.ts';
import { distinctSources } from '../domain/source.ts';
import type { MessageHandle } from '../domain/surface-message.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Ballot } from '../ports/votes.ts';
import { clickWords, wordsAbout } from './click-words.ts';
import { type Press, saidIn, type Told } from './press.ts';
import type { Said } from './said.ts';

/**
 * `why` opens the form of a bad vote, `reason` is that form. `changed` answers a question as it reads now: its slot is the
 * message of the person.
 */
export const answerActions = [
  'stop',
  'again',
  'changed',
  'up',
  'down',
  'why',
  'reason',
  'remove',
  'thinking',
  'sources',
] as const;
export type AnswerAction = (typeof answerActions)[number];

/** What is wanted, and of which message of which turn. */
export interface AnswerHandle extends MessageHandle {
  readonly action: AnswerAction;
  readonly conversation: ConversationId;
}

export interface AnswerPressMeans {
  readonly accept: (pressed: Said) => Promise<string>;
  readonly journalOf: (conversation: ConversationId) => Promise<readonly JournalRecord[]>;
  /** The messages that show an answer; `slot` is that of its first one. */
  readonly messagesOf: (
    conversation: ConversationId,
    turn: TurnId,
    slot: string,
  ) => Promise<readonly MessageRef[]>;
  /** The whole trace of a turn, line by line, in the words of a language (BCP 47). */
  readonly thinkingIn: (records: readonly JournalRecord[], locale: string) => readonly string[];
  readonly vote: (ballot: Ballot) => Promise<void>;
  /** Whether this person may do everything everywhere. */
  readonly isAdmin: (person: UserId) => boolean;
  readonly clock: Clock;
}

/** What only the platform can do, for one press. */
export interface PressHands {
  /** Takes a message of ours away. Rejects when it is not known whether it is gone. */
  readonly takeAway: (message: MessageRef) => Promise<void>;
  /** With `changed`: the question as it reads now, as if it had just been written; undefined when it is gone. */
  readonly reread: () => Promise<Said | undefined>;
  /** With `reason`: what was filled in. */
  readonly reason: string;
}

/** Of the three seconds that platforms wait for a first answer. Unit: milliseconds. */
const readLimitMs = 1_500;

export class AnswerPress {
  constructor(private readonly means: AnswerPressMeans) {}

  /** May be done twice: by two gateways, or again when the store was away. Rejects while it is. */
  async carryOut(press: Press, handle: AnswerHandle, hands: PressHands): Promise<Told | undefined> {
    const words = clickWords(press.address.locale);
    const past = pastTurn(await this.journalOf(handle.conversation), handle.turn);
    const send = (item: InboxItem) => this.send(press, handle.conversation, item);
    if (past === undefined) return { text: words.forgotten };
    switch (handle.action) {
      case 'up':
      case 'down':
      case 'reason':
        return this.vote(press, handle, hands.reason);
      case 'stop':
        // Whoever takes part in the turn may end it.
        if (!past.people.has(press.author) && !(await this.mayManage(press)))
          return { text: words.notYourTurn };
        // The button of an older turn must not end what runs now.
        return past.isOpen ? send({ kind: 'stop', ...saidIn(press) }) : { text: words.idle };
      case 'again':
        return this.again(press, handle, past, send);
      case 'changed':
        return this.answerChanged(press, handle, past, hands, send);
      case 'remove':
        return this.remove(press, handle, past, hands);
      case 'why':
      case 'thinking':
      case 'sources':
        return undefined;
    }
  }

  /**
   * What one person is shown of a turn, line by line: its trace or its sources; or what is told in its place. Within the
   * time for a first answer; never rejects.
   */
  async look(
    { action, conversation, turn }: AnswerHandle,
    locale: string | undefined,
  ): Promise<{ readonly lines: readonly string[] } | { readonly told: string }> {
    const words = clickWords(locale);
    const journal = await Promise.race([
      this.journalOf(conversation).catch(() => 'too_late' as const),
      this.means.clock.sleep(readLimitMs).then(() => 'too_late' as const),
    ]);
    if (journal === 'too_late') return { told: words.tryAgain };
    const past = pastTurn(journal, turn);
    if (past === undefined) return { told: words.forgotten };
    if (action === 'sources') return { lines: sourceLines(past.records) };
    return { lines: this.means.thinkingIn(past.records, locale ?? 'en') };
  }

  private async again(
    press: Press,
    { turn }: AnswerHandle,
    past: PastTurn,
    send: (item: InboxItem) => Promise<Told | undefined>,
  ): Promise<Told | undefined> {
    const words = clickWords(press.address.locale);
    const isManaging = await this.mayManage(press);
    if (past.asker !== press.author && !isManaging) return { text: words.notYourTurn };
    if (!past.isNewest) return { text: words.notNewest };
    return send({ kind: 'again', turn, ...saidIn(press), ...(isManaging && { isManager: true as const }) });
  }

  /** As if it had been asked anew. */
  private async answerChanged(
    press: Press,
    { slot: message }: AnswerHandle,
    past: PastTurn,
    { reread, takeAway }: PressHands,
    send: (item: InboxItem) => Promise<Told | undefined>,
  ): Promise<Told | undefined> {
    const words = clickWords(press.address.locale);
    if (!(await this.mayDecide(press, past))) return { text: words.notYourTurn };
    const said = await reread();
    if (said === undefined) return { text: words.forgotten };
    const told = await send({ ...said.item, id: EventId(`${message}/changed/${press.on?.id ?? press.id}`) });
    if (press.on !== undefined) await takeAway(press.on);
    return told;
  }

  private async remove(
    press: Press,
    { conversation, turn, slot }: AnswerHandle,
    past: PastTurn,
    { takeAway }: PressHands,
  ): Promise<Told | undefined> {
    const { messagesOf, accept } = this.means;
    const words = clickWords(press.address.locale);
    if (!(await this.mayDecide(press, past))) return { text: words.notYourTurn };
    // It is being given anew.
    if (past.isOpen) return { text: words.busy };
    const { name, ...said } = saidIn(press);
    const content = `[${name} removed an answer of yours.]`;
    const note: InboxItem = { ...said, kind: 'note', content, removes: turn };
    // Stored first: from now on it is not given anew.
    const accepted = await accept({ conversation, item: note, wanted: 'always', from: press.from });
    if (accepted === 'late') return { text: words.busy };
    for (const message of await messagesOf(conversation, turn, firstSlot(slot))) await takeAway(message);
    return undefined;
  }

  private async vote(
    { author, address }: Press,
    { action, conversation, turn, slot }: AnswerHandle,
    reason: string,
  ): Promise<Told> {
    const words = clickWords(address.locale);
    await this.means.vote({
      conversation,
      answer: `${conversation}:${turn}:${firstSlot(slot)}`,
      person: author,
      vote: action === 'up' ? 'up' : 'down',
      ...(reason !== '' && { reason }),
    });
    if (action === 'reason') return { text: words.thanks };
    return action === 'up' ? { text: words.voted } : { text: words.votedBad, asksWhy: true };
  }

  private async send(
    { address, from }: Press,
    conversation: ConversationId,
    item: InboxItem,
  ): Promise<Told | undefined> {
    const words = clickWords(address.locale);
    const accepted = await this.means.accept({ conversation, item, wanted: 'always', from });
    const text = accepted === 'late' ? words.busy : wordsAbout(accepted, words);
    if (text === undefined) return undefined;
    return accepted.startsWith('refused_') ? { text } : { text, byStore: true };
  }

  private async journalOf(conversation: ConversationId): Promise<readonly JournalRecord[]> {
    try {
      return await this.means.journalOf(conversation);
    } catch (error) {
      if (!(error instanceof UnreadableJournalError)) throw error;
      return []; // of another version, and nothing that can be answered here
    }
  }

  private async mayDecide(press: Press, { asker }: PastTurn): Promise<boolean> {
    return asker === press.author || this.mayManage(press);
  }

  private async mayManage(press: Press): Promise<boolean> {
    return this.means.isAdmin(press.author) || press.isManager();
  }
}

/** As many as there are, numbered; what is quoted stands below its place. */
function sourceLines(records: readonly JournalRecord[]): readonly string[] {
  const found = records.flatMap((record) => (record.type === 'tool/result' ? (record.sources ?? []) : []));
  return distinctSources(found).flatMap(({ title, url, quote }, at) => [
    `${at + 1}. ${url === undefined ? title : `[${title.replaceAll(/[[\]]/g, '')}](${url})`}`,
    ...(quote === undefined ? [] : [`> ${quote.replaceAll('\n', ' ')}`]),
  ]);
}

/** An answer of several messages is one answer. */
function firstSlot(slot: string): string {
  return slot.replace(/\.\d+$/, '');
}

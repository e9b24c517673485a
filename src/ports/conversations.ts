import type { MessageRef } from '../domain/address.ts';
import type { UnreadableJournalError } from '../domain/errors.ts';
import type { CallId, ConversationId, EventId, TurnId, UserId } from '../domain/ids.ts';
import type { Inbound, InboxItem } from '../domain/inbound.ts';
import type { JournalRecord } from '../domain/journal.ts';
import type { UserContent } from '../domain/message.ts';
import type { OpenPause } from '../domain/pause.ts';
import type { StepInbox, TurnJournal } from './journal.ts';
import type { Ledger } from './ledger.ts';

/** Inbox, journal and open question of every conversation, as one aggregate. */
export interface Conversations {
  /** Stores an item once, whoever sends it and however often; one atomic step. */
  append(inbound: Inbound): Promise<Appended>;
  /**
   * Changes a message that no turn has recorded yet, or takes it out (undefined). `late`: a turn has it. `unknown`: it
   * was never stored here, or three days ago.
   */
  edit(conversation: ConversationId, id: EventId, content: UserContent | undefined): Promise<Edited>;
  /** The conversation for one worker; an older claim of it can write nothing any more. */
  claim(conversation: ConversationId): Promise<Claim>;
  /** The open question, as a gateway needs it to judge a click. */
  pauseOf(conversation: ConversationId): Promise<OpenPause | undefined>;
  /** All that happened, for whoever asks about it later. Throws `UnreadableJournalError` as `claim` tells it. */
  journalOf(conversation: ConversationId): Promise<readonly JournalRecord[]>;
  /** What no turn has recorded yet. */
  inboxOf(conversation: ConversationId): Promise<readonly InboxItem[]>;
  /** A ledger for what is said outside of any turn. Nobody owns it, so nothing is refused. */
  ledger(conversation: ConversationId, name: TurnId): Ledger;
  /** Whether the running turn is to stop, for a worker that may have missed being told. */
  stopRequested(conversation: ConversationId): Promise<boolean>;
  /** Of the conversations begun in a place, by a message that was meant for the bot: where the person spoke last, within a day. */
  newestAt(surface: string, place: string, person: UserId): Promise<ConversationId | undefined>;
  /** Whether a turn runs, or waits for a worker. */
  isBusy(conversation: ConversationId): Promise<boolean>;
  /** The conversation and the turn that a message of ours belongs to. */
  ownerOf(ref: MessageRef): Promise<MessageOwner | undefined>;
  /**
   * Conversations whose work is overdue: a wake was lost, its worker died, or it is claimed and has not come to its first
   * step yet. Unit: milliseconds since 1970.
   */
  overdue(before: number): Promise<readonly ConversationId[]>;
}

export interface MessageOwner {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
}

export type Edited = 'changed' | 'late' | 'unknown';

/**
 * `wake`: nothing runs, somebody must be told. `queued`: the running turn, or the wake already sent, will take it.
 * `stopping`: a turn runs and will end. `late`: the question is answered or closed already, or something runs that was to
 * be asked for anew or taken away. `not_yours`: it is not for
 * this person to answer. `not_part`: `byPart`, and its author has said nothing here yet. `gone`: the
 * answer that is wanted anew was taken away. `idle`: nothing to stop.
 */
export type Appended =
  | 'wake'
  | 'queued'
  | 'duplicate'
  | 'ignored'
  | 'stopping'
  | 'late'
  | 'not_yours'
  | 'not_part'
  | 'gone'
  | 'idle';

/**
 * A conversation in the hands of one worker. An inbox item is gone when a record that carries its id is appended, or
 * with the commit that took it: a crash before that gives it to the next claim.
 */
export interface Claim extends TurnJournal, StepInbox {
  readonly records: readonly JournalRecord[];
  /** Set when the journal lacks a record or holds what this version cannot read; `records` is empty then. */
  readonly unreadable: UnreadableJournalError | undefined;
  readonly pause: OpenPause | undefined;
  /** The stop of the running turn, should it have been asked to. */
  stopItem(): Promise<InboxItem | undefined>;
  /** Somebody asked the running turn to stop; looked at anew with every `take` and `waiting`. */
  readonly stopRequested: boolean;
  /**
   * What could open a turn: all waiting messages up to the first `next` or `new`, or one of these, and whatever closes a
   * question.
   * They stay in the inbox until they are accepted or recorded.
   */
  readonly opening: readonly InboxItem[];
  /** These are dealt with: the commit takes them out. */
  accept(items: readonly InboxItem[]): void;
  ledger(turn: TurnId): Ledger;
  /** The turn waits: stored before the card is shown. The next `commit` keeps it. */
  openPause(pause: OpenPause): Promise<void>;
  /** The card is on the surface; or one more answer of several is in. */
  updatePause(change: Partial<Pick<OpenPause, 'card' | 'answers' | 'used' | 'told'>>): Promise<void>;
  closePause(callId: CallId): Promise<void>;
  /** Ends the claim; everything taken is gone. `more`: the inbox holds something that wants a turn of its own. */
  commit(): Promise<'more' | 'idle'>;
}

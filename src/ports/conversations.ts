import type { ConversationId } from '../domain/ids.ts';
import type { InboxItem } from '../domain/inbound.ts';
import type { JournalRecord } from '../domain/journal.ts';
import type { StepInbox, TurnJournal } from './journal.ts';

/** Inbox and journal of every conversation, as one aggregate. */
export interface Conversations {
  /**
   * Stores an item once, whoever sends it and however often. `wake`: nothing runs, somebody must be told;
   * `queued`: the running turn, or the wake already sent, will take it.
   */
  append(conversation: ConversationId, item: InboxItem): Promise<'wake' | 'queued' | 'duplicate'>;
  /** The conversation for one worker; an older claim of it can write nothing any more. */
  claim(conversation: ConversationId): Promise<Claim>;
}

/**
 * A conversation in the hands of one worker. An inbox item is gone when a record that carries its id is appended, or
 * with the commit: a crash before that gives it to the next claim.
 */
export interface Claim extends TurnJournal, StepInbox {
  readonly records: readonly JournalRecord[];
  /** What opens a turn: all waiting messages up to the first `next`, or one `next`; answers and notes come along. */
  readonly opening: readonly InboxItem[];
  /** Ends the claim; everything taken is gone. `more`: the inbox holds something that wants a turn of its own. */
  commit(): Promise<'more' | 'idle'>;
}

/** One turn as its conversation's journal tells it, for whoever presses a button below its messages. Pure. */
import type { EventId, TurnId, UserId } from './ids.ts';
import type { JournalRecord } from './journal.ts';

export interface PastTurn {
  readonly asker: UserId | undefined;
  /** Everybody who spoke in it. */
  readonly people: ReadonlySet<UserId>;
  /** It has not come to its end: it runs, or waits for an answer. */
  readonly isOpen: boolean;
  /** No other turn has begun since. */
  readonly isNewest: boolean;
  /** What happened in it, the last time if it was answered anew. */
  readonly records: readonly JournalRecord[];
}

/** Undefined when the journal does not know the turn. */
export function pastTurn(journal: readonly JournalRecord[], turn: TurnId): PastTurn | undefined {
  const from = journal.findLastIndex((record) => record.type === 'turn/start' && record.turn === turn);
  const start = journal[from];
  if (start?.type !== 'turn/start') return undefined;
  const next = journal.findIndex((record, at) => at > from && record.type === 'turn/start');
  const end = next < 0 ? journal.length : next;
  const first = journal.findIndex((record) => record.type === 'turn/start' && record.turn === turn);
  const authors = journal
    .slice(first, end)
    .flatMap((record) => (record.type === 'user/message' ? (record.author ?? []) : []));
  const records = journal.slice(from, end);
  return {
    asker: start.asker,
    people: new Set([...(start.asker === undefined ? [] : [start.asker]), ...authors]),
    isOpen: !records.some(({ type }) => type === 'turn/end'),
    isNewest: next < 0,
    records,
  };
}

/**
 * Whether the turn that is open answers this message and nobody but its author: then there is nothing to answer any more
 * when it is deleted.
 */
export function isOnlyQuestion(journal: readonly JournalRecord[], message: EventId, author: UserId): boolean {
  const last = journal.findLast((record) => record.type === 'turn/start');
  const past = last?.type === 'turn/start' ? pastTurn(journal, last.turn) : undefined;
  if (past === undefined || !past.isOpen) return false;
  const opener = past.records.find((record) => record.type === 'user/message' && record.source === 'person');
  const isOpener = opener?.type === 'user/message' && opener.item === message;
  return isOpener && [...past.people].every((person) => person === author);
}

/** The turn that a message opened; undefined when it joined one, or was never answered. */
export function turnOpenedBy(journal: readonly JournalRecord[], message: EventId): TurnId | undefined {
  const at = journal.findLastIndex(
    (record) => record.type === 'user/message' && record.source === 'person' && record.item === message,
  );
  const start = journal.slice(0, at + 1).findLast((record) => record.type === 'turn/start');
  return start?.type === 'turn/start' ? start.turn : undefined;
}

import type { SurfaceAddress } from '../domain/address.ts';
import type { SaidItem } from '../domain/inbound.ts';
import type { JournalRecord } from '../domain/journal.ts';

/**
 * Where a running turn writes. Resolves when the records are durable; rejects when this worker no longer owns the
 * conversation (`LeaseLostError`) or the store is away: then nothing was written and the turn must stop.
 */
export interface TurnJournal {
  append(records: readonly JournalRecord[]): Promise<void>;
}

/** A message taken into a running turn. */
export interface ArrivedItem {
  readonly kind: 'message' | 'note';
  readonly record: Extract<JournalRecord, { type: 'user/message' }>;
  /** Where it was said. */
  readonly address?: SurfaceAddress;
  /** Set when files came with it that the record does not tell of yet. */
  readonly withFiles?: SaidItem;
}

/** What waits for a running turn. The sender decides nothing about timing: a step boundary takes what is there. */
export interface StepInbox {
  /** What waits now, without taking it. */
  waiting(): Promise<{ readonly messages: boolean; readonly notes: boolean }>;
  /** Takes what waits, in order of arrival, at most `maxMessages` messages; notes are not counted. */
  take(maxMessages: number): Promise<readonly ArrivedItem[]>;
}

/**
 * Journal records as text: the number of the record, from 1 on and without a gap, then the record as JSON. What cannot be
 * read is told with its number, so that one conversation is isolated, not all.
 */
import { UnreadableJournalError } from '../domain/errors.ts';
import type { ConversationId } from '../domain/ids.ts';
import type { JournalRecord } from '../domain/journal.ts';

const known: Readonly<Record<JournalRecord['type'], true>> = {
  'turn/start': true,
  'conversation/new': true,
  'scene/routed': true,
  'step/start': true,
  'system/message': true,
  'user/message': true,
  'assistant/message': true,
  'assistant/attempt': true,
  'tool/call': true,
  'tool/result': true,
  'guard/tripped': true,
  'turn/paused': true,
  'turn/resumed': true,
  'turn/parked': true,
  'step/end': true,
  'turn/end': true,
};

/** Without its number, which the store sets in front: it knows how many there are. */
export function writeRecord(record: JournalRecord): string {
  return JSON.stringify(record);
}

/** Throws `UnreadableJournalError` when one is missing, or is no record of this version. */
export function readJournal(texts: readonly string[], conversation: ConversationId): JournalRecord[] {
  return texts.map((text, at) => readRecord(text, conversation, at + 1));
}

function readRecord(text: string, conversation: ConversationId, number: number): JournalRecord {
  const unreadable = (why: string, cause?: unknown) =>
    new UnreadableJournalError(conversation, `record ${number}`, why, { cause });
  const space = text.indexOf(' ');
  const found = text.slice(0, space);
  if (!/^\d+$/.test(found)) throw unreadable('it has no number');
  if (Number(found) !== number) throw unreadable(`it is missing, record ${found} stands in its place`);
  let value: unknown;
  try {
    value = JSON.parse(text.slice(space + 1));
  } catch (error) {
    throw unreadable('it is not JSON', error);
  }
  if (!isRecord(value)) throw unreadable(`its type is ${typeOf(value)}`);
  return value;
}

function isRecord(value: unknown): value is JournalRecord {
  return Object.hasOwn(known, typeOf(value));
}

function typeOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : typeof value;
}

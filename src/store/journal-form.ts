/** Journal records as text. What cannot be read is told with its place, so that one conversation is isolated, not all. */
import { UnreadableJournalError } from '../domain/errors.ts';
import type { ConversationId } from '../domain/ids.ts';
import type { JournalRecord } from '../domain/journal.ts';

const known: Readonly<Record<JournalRecord['type'], true>> = {
  'turn/start': true,
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

export function writeRecord(record: JournalRecord): string {
  return JSON.stringify(record);
}

/** Throws `UnreadableJournalError` for text that is no record of this version. `place` is the record's id. */
export function readRecord(text: string, conversation: ConversationId, place: string): JournalRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UnreadableJournalError(conversation, place, 'it is not JSON', { cause: error });
  }
  if (!isRecord(value)) throw new UnreadableJournalError(conversation, place, `its type is ${typeOf(value)}`);
  return value;
}

function isRecord(value: unknown): value is JournalRecord {
  return Object.hasOwn(known, typeOf(value));
}

function typeOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : typeof value;
}

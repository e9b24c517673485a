import type { FileOutcome, MessageFiles } from '../domain/file.ts';
import type { ConversationId, EventId } from '../domain/ids.ts';

/** Sends files to be fetched by a worker. */
export interface FileFetches {
  /** One that is under way already is not sent again. */
  send(files: MessageFiles): Promise<void>;
}

/** What became of the files of each message; kept for a week. */
export interface FileOutcomes {
  /** By the ids of the files; those that are still under way are missing. */
  of(conversation: ConversationId, message: EventId): Promise<ReadonlyMap<string, FileOutcome>>;
  record(conversation: ConversationId, message: EventId, file: string, outcome: FileOutcome): Promise<void>;
}

/**
 * How a surface gets a file, by the `source` of its reference. Throws `FileUnavailableError` when trying again cannot
 * help, anything else when it may; so does reading. Whoever reads counts the bytes and stops when there are too many.
 */
export type FetchFile = (source: string, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;

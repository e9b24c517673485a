/** Files that come with messages: as a platform names them, as they were received, and as the journal remembers them. */
import type { BlobHash, ConversationId, EventId, UserId } from './ids.ts';

/** A file as a platform names it. Nothing of it is believed before it has been fetched. */
export interface FileRef {
  /** Unique in its message. */
  readonly id: string;
  readonly name: string;
  /** As the platform says. Unit: bytes. */
  readonly bytes?: number;
  /** Media type, as the platform says. */
  readonly type?: string;
  /** How its surface gets at it, and at a new address when this one has expired. Read by that surface only. */
  readonly source: string;
}

/** The files of one message, on their way to us. */
export interface MessageFiles {
  readonly conversation: ConversationId;
  readonly message: EventId;
  /** Who can fetch them. */
  readonly surface: string;
  readonly owner?: UserId;
  readonly files: readonly FileRef[];
}

/** What is in a file, told from its bytes. */
export type FileContent =
  | { readonly is: 'text' }
  /** One of the kinds that models take. */
  | { readonly is: 'picture'; readonly type: string }
  | { readonly is: 'empty' }
  /** Anything else; `type` when it is known. */
  | { readonly is: 'other'; readonly type?: string };

/** What became of a file. */
export type FileOutcome =
  | {
      readonly kind: 'stored';
      readonly hash: BlobHash;
      readonly bytes: number;
      readonly content: FileContent;
    }
  | { readonly kind: 'failed'; readonly why: FileFailure };

/**
 * `gone` is not there any more · `refused` may not be read, or a page came in its place · `too_large` · `full` no room for
 * files is left · `unreachable` could not be fetched in several tries.
 */
export type FileFailure = 'gone' | 'refused' | 'too_large' | 'full' | 'unreachable';

/** A file in the journal, beside the words that it said to the model. */
export interface RecordedFile {
  readonly name: string;
  /** The message it came with. */
  readonly message: EventId;
  /** Absent when it never came. */
  readonly hash?: BlobHash;
}

/** Of one message; what is beyond is named as left out. */
export const maxFiles = 10;
/** Of one file. Unit: bytes. */
export const maxFileBytes = 20 * 1024 * 1024;
const maxNameChars = 100;

/** A name to be shown and nothing else: no path, no line break, no mark that hides or turns what stands there. */
export function cleanFileName(name: string): string {
  const last = name.split(/[/\\]/u).findLast((part) => /[^\s.]/u.test(part)) ?? '';
  const plain = last.replaceAll(/[\p{C}\p{Zl}\p{Zp}"`]/gu, '').replaceAll(/\s+/gu, ' ');
  const chars = Array.from(plain.trim());
  if (chars.length <= maxNameChars) return chars.join('') || 'file';
  // The end says what it is.
  return `${chars.slice(0, maxNameChars - 21).join('')}…${chars.slice(-20).join('')}`;
}

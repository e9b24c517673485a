import type { ConversationId } from '../domain/ids.ts';

/** A page or file of the public web, as text. */
export interface Page {
  /** Where it was in the end. */
  readonly url: string;
  readonly title?: string;
  readonly text: string;
}

/** Rejects with a `PageError`, and with nothing else, unless the signal was aborted. */
export type ReadPage = (url: string, signal: AbortSignal) => Promise<Page>;

/** Pages that were read in a conversation, for a while; no other conversation sees them. */
export interface PageCache {
  get(conversation: ConversationId, url: string): Promise<Page | undefined>;
  put(conversation: ConversationId, url: string, page: Page): Promise<void>;
}

import type { ConversationId } from '../domain/ids.ts';

/** Tells workers that a conversation has something to do. It carries no text: that is in the inbox. */
export interface TurnQueue {
  /** For each `wake` or `more` of the store one, so that at most one waits; one sent while a turn ends is kept. */
  wake(conversation: ConversationId): Promise<void>;
  /** Tells the worker that runs this conversation to stop. The stop itself is in the inbox. */
  stop(conversation: ConversationId): Promise<void>;
}

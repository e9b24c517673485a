import type { ConversationId } from '../domain/ids.ts';

/** Tells workers that a conversation has something to do. It carries no text: that is in the inbox. */
export interface TurnQueue {
  /** At most one wake per conversation waits; one that comes while its turn runs is kept. */
  wake(conversation: ConversationId): Promise<void>;
  /** Tells the worker that runs this conversation to stop. The stop itself is in the inbox. */
  stop(conversation: ConversationId): Promise<void>;
}

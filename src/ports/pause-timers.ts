import type { CallId, ConversationId } from '../domain/ids.ts';

/** Wakes a conversation when its open question has waited long enough. */
export interface PauseTimers {
  /**
   * After a day the asker is reminded; at `expiresAt` (milliseconds since 1970) a `timeout` item is appended. Setting the
   * same question again changes nothing.
   */
  set(conversation: ConversationId, callId: CallId, expiresAt: number): Promise<void>;
  /** The question is closed. */
  clear(conversation: ConversationId, callId: CallId): Promise<void>;
}

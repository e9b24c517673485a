/** What moves a conversation. The sender decides nothing about timing: `kind` only says what it is. */
import type { CallId, EventId, UserId } from './ids.ts';
import type { UserContent } from './message.ts';
import type { Answers } from './question.ts';

/** One entry of a conversation's inbox. `id` tells duplicates apart. */
export type InboxItem = {
  readonly id: EventId;
  readonly author?: UserId;
} & (
  | { readonly kind: 'message' | 'next' | 'note'; readonly content: UserContent }
  /** The answer to an open question, from a card or a form. */
  | { readonly kind: 'answer'; readonly callId: CallId; readonly answers: Answers }
  /** Closes the open question, if there is one. A running turn is stopped by its signal. */
  | { readonly kind: 'stop' }
);

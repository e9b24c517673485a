/** What moves a conversation. The sender decides nothing about timing: `kind` only says what it is. */
import type { SurfaceAddress } from './address.ts';
import type { FileRef, MessageFiles } from './file.ts';
import type { CallId, ConversationId, EventId, TurnId, UserId } from './ids.ts';
import type { UserContent } from './message.ts';
import type { Answers } from './question.ts';

/** One entry of a conversation's inbox. `id` tells duplicates apart: it is the message's id, not the envelope's. */
export type InboxItem = {
  readonly id: EventId;
  readonly author?: UserId;
  /** The author's name, for conversations of several people. */
  readonly name?: string;
  /** Where it was said; the answer goes there. */
  readonly address: SurfaceAddress;
} & (
  | {
      readonly kind: 'message' | 'next' | 'note';
      readonly content: UserContent;
      /** What came with it, at most `maxFiles`; `filesLeftOut` counts those beyond. */
      readonly files?: readonly FileRef[];
      readonly filesLeftOut?: number;
      readonly mentioned?: true;
      /** Others may have spoken in its place before, and the bot was called into that. */
      readonly joinsTalk?: true;
      readonly scheduled?: true;
      /** A note: the answer of this turn is taken away. */
      readonly removes?: TurnId;
    }
  /** The answer to an open question, from a card or a form. */
  | { readonly kind: 'answer'; readonly callId: CallId; readonly answers: Answers }
  /** The question was not answered in time. */
  | { readonly kind: 'timeout'; readonly callId: CallId }
  /** "Ask anyway": the question is closed in favour of what its author says next. */
  | { readonly kind: 'supersede'; readonly callId: CallId }
  /** The newest turn is to be answered anew, in place of what it said. */
  | {
      readonly kind: 'again';
      readonly turn: TurnId;
      /** Its author may ask for the turns of others, too. */
      readonly isManager?: true;
    }
  /** What was said before is not shown to the model any more. */
  | { readonly kind: 'new' }
  /** Ends the running turn, or closes the open question. `takesBack`: what was answered so far is to go. */
  | { readonly kind: 'stop'; readonly takesBack?: true }
);

/** An item with words of its own, and perhaps files. */
export type SaidItem = Extract<InboxItem, { readonly content: UserContent }>;

/** An item on its way to a conversation, with what is needed to decide whether it is for us at all. */
export interface Inbound {
  readonly conversation: ConversationId;
  readonly item: InboxItem;
  /**
   * `if_followed`: nobody addressed the bot, so it counts only in a conversation the bot follows. `and_follow`: it was
   * addressed, and from now on what is said here is meant for it.
   */
  readonly wanted: 'always' | 'and_follow' | 'if_followed';
  /** It counts only from somebody who has said something in the conversation before. */
  readonly byPart?: true;
}

/** A person edited or deleted what they wrote. */
export interface Change {
  readonly conversation: ConversationId;
  /** The message that changed. */
  readonly id: EventId;
  readonly author: UserId;
  readonly name: string;
  readonly address: SurfaceAddress;
  /** Undefined: deleted. */
  readonly content: UserContent | undefined;
  /** Tells this change from others of the same message, so that one delivered twice counts once. */
  readonly version: string;
}

/** What is to be fetched for an item; undefined when nothing came with it. */
export function filesOf(conversation: ConversationId, item: InboxItem): MessageFiles | undefined {
  if (!('content' in item) || item.files === undefined || item.files.length === 0) return undefined;
  const { id: message, address, author, files } = item;
  return {
    conversation,
    message,
    surface: address.surface,
    ...(author !== undefined && { owner: author }),
    files,
  };
}

import type { ConversationId, UserId } from '../domain/ids.ts';
import type { MessageKind, SurfaceMessage } from '../domain/surface-message.ts';

/**
 * The "platform" of the web page: messages of each conversation, kept where every process reaches them. A worker puts,
 * whoever serves the page lists and watches. Everything rejects when the store is away, and may simply be repeated.
 */
export interface Board {
  /**
   * Puts a message up, or replaces the one of this id. A message keeps its place; putting the same content again changes
   * nothing.
   */
  put(conversation: ConversationId, id: string, message: BoardPost): Promise<void>;
  /** Takes a message away; nothing happens when there is none. */
  remove(conversation: ConversationId, id: string): Promise<void>;
  /** The message of this id as it stands, if there is one. */
  get(conversation: ConversationId, id: string): Promise<BoardMessage | undefined>;
  /** All messages in the order in which they were first put, and the place from which to watch what follows. */
  list(conversation: ConversationId): Promise<BoardView>;
  /**
   * What changed behind a place, then everything as it changes, until the signal is aborted. Only the newest content of a
   * message is told. A place that is not known any more, or none, begins with all messages (`isWhole`). Whether a turn is
   * under way is told at once, and whenever it changes.
   */
  watch(
    conversation: ConversationId,
    after: string | undefined,
    signal: AbortSignal,
  ): AsyncIterable<BoardChange>;
  /** Conversations in which a person has written, the latest first, at most 100. */
  talksOf(person: UserId): Promise<readonly Talk[]>;
}

export interface BoardPost extends Omit<SurfaceMessage, 'kind'> {
  readonly kind: MessageKind | 'user';
  /** With `user`: who wrote it. */
  readonly author?: UserId;
  /** With `user`: what was dropped beside it; its words are in what the model reads. */
  readonly files?: readonly BoardFile[];
}

export interface BoardFile {
  readonly name: string;
  /** How much of it the model reads. Unit: characters. */
  readonly chars: number;
  readonly isCut: boolean;
}

export interface BoardMessage extends BoardPost {
  readonly id: string;
}

export interface BoardView {
  readonly messages: readonly BoardMessage[];
  readonly place: string;
}

export interface BoardChange extends BoardView {
  /** `messages` are all there are; otherwise those that changed. */
  readonly isWhole: boolean;
  /** Ids of messages that were taken away. */
  readonly removed: readonly string[];
  /** A turn runs, or waits for a worker. What is told with `false` is all that the turn has shown. */
  readonly isBusy: boolean;
}

export interface Talk {
  readonly conversation: ConversationId;
  /** How the first message begins. */
  readonly title: string;
  /** When its person last wrote there. Unit: milliseconds since 1970. */
  readonly at: number;
}

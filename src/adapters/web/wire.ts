/** What travels from the server to the page. */
import type { BoardMessage } from '../../ports/board.ts';

/** A text on its way: only what follows the characters that are kept. */
export interface Grown {
  readonly keep: number;
  readonly add: string;
}

export type WireMessage = Omit<BoardMessage, 'text' | 'details'> & {
  readonly text: Grown;
  /** Lines, joined. */
  readonly details?: Grown;
};

export interface WireChange {
  /** These are all messages there are. */
  readonly isWhole: boolean;
  readonly messages: readonly WireMessage[];
  /** Ids of messages that are not there any more. */
  readonly removed: readonly string[];
  /** A turn runs, or waits for a worker. */
  readonly isBusy: boolean;
}

export interface WireTalk {
  readonly id: string;
  readonly title: string;
  readonly at: number;
}

/** A file as the model reads it. */
export interface FileText {
  readonly name: string;
  readonly text: string;
  readonly isCut: boolean;
}

import type { MessageRef } from '../domain/address.ts';

/**
 * What was written to surfaces, slot by slot, so that a restart edits and never posts twice. Each call is refused with
 * `LeaseLostError` when the worker no longer owns the conversation.
 */
export interface Ledger {
  /** What is known of a slot; undefined when nothing was ever tried. */
  get(slot: string): Promise<LedgerEntry | undefined>;
  /** Said before a post: from now on its outcome may be unknown. */
  intend(slot: string): Promise<void>;
  /** The message exists. `shown` tells what it says, when that is to stay so. */
  done(slot: string, ref: MessageRef, shown?: string): Promise<void>;
  /** Rejects when another worker owns the conversation: asked before an edit. */
  check(): Promise<void>;
}

export type LedgerEntry =
  | { readonly state: 'intended' }
  | { readonly state: 'done'; readonly ref: MessageRef; readonly shown?: string };

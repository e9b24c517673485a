import type { SurfaceAddress } from '../domain/address.ts';
import type { EventId } from '../domain/ids.ts';

/** What somebody said in a place while it was no business of the bot. */
export interface EarlierMessage {
  readonly name: string;
  readonly text: string;
}

/**
 * Reads what was said in the place of an address before a message, oldest first, at most `maxMessages`. Rejects when it
 * cannot be read.
 */
export type ReadEarlier = (
  address: SurfaceAddress,
  before: EventId,
  maxMessages: number,
  signal: AbortSignal,
) => Promise<readonly EarlierMessage[]>;

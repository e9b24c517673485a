import type { MessageRef } from '../domain/address.ts';
import type { SurfaceMessage } from '../domain/surface-message.ts';

/**
 * One place where the bot can speak. Implementations turn platform failures into `RateLimitedError`,
 * `SurfaceGoneError` or `SurfaceError`; an SDK error never crosses this line.
 */
export interface Surface {
  readonly limits: SurfaceLimits;
  /**
   * Posts a message. `key` names it for ever: a platform that knows idempotency keys must not post it twice, and `find`
   * looks it up where it does not.
   */
  post(message: SurfaceMessage, key: string, signal: AbortSignal): Promise<MessageRef>;
  /** The message that was posted under `key`, if there is one: asked when the outcome of a post is not known. */
  find(key: string, signal: AbortSignal): Promise<MessageRef | undefined>;
  /** Replaces a message. Editing to the same content does nothing. */
  edit(ref: MessageRef, message: SurfaceMessage, signal: AbortSignal): Promise<void>;
}

export interface SurfaceLimits {
  /** Longest accepted text. Unit: characters (UTF-16). */
  readonly maxChars: number;
  /** Shortest gap between two edits of one message. Unit: milliseconds. */
  readonly minEditGapMs: number;
  /** Messages may carry `details`, which stay folded until somebody opens them. */
  readonly folds?: true;
}

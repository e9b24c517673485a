import type { MessageRef, SurfaceAddress } from '../domain/address.ts';
import type { ConversationId, EventId } from '../domain/ids.ts';
import type { SurfaceMessage } from '../domain/surface-message.ts';
import type { NamedBudget, RateHeaders } from './rate-budget.ts';

/**
 * One place where the bot can speak. Implementations make one call per write, never repeat one by themselves, and turn
 * platform failures into
 *
 * - `RateLimitedError`: not done; ask the budget again,
 * - `WriteRefusedError`: not done, and it never will be: the message is closed, or the platform takes no such text,
 * - `SurfaceGoneError`: the message or its place is not there any more,
 * - `StreamEndedError`: not done, because the message does not grow any more,
 * - `SurfaceError`: it is not known whether it was done.
 *
 * An SDK error never crosses this line. `test/contracts/surface.contract.ts` is what an implementation has to pass.
 */
export interface Surface {
  readonly limits: SurfaceLimits;
  /** What each kind of write is counted against: other objects once the messages turn out to stand somewhere else. */
  readonly budgets: Readonly<Record<'post' | 'edit' | 'remove', NamedBudget>>;
  /**
   * Posts a message. `key` names it for ever: a platform that knows idempotency keys must not post it twice, and `find`
   * looks it up where it does not.
   */
  post(message: SurfaceMessage, key: string, signal: AbortSignal): Promise<Posted>;
  /**
   * The message that was posted under `key`, if there is one: asked when the outcome of a post is not known. `message` is
   * what it is to say now, when anything.
   */
  find(key: string, signal: AbortSignal, message?: SurfaceMessage): Promise<MessageRef | undefined>;
  /** Replaces a message. Editing to the same content does nothing. */
  edit(ref: MessageRef, message: SurfaceMessage, signal: AbortSignal): Promise<Written>;
  /** Takes a message away. */
  remove(ref: MessageRef, signal: AbortSignal): Promise<Written>;
  /** Where the platform lets a message grow by itself. */
  readonly stream?: MessageStream;
}

/** Where one turn is shown, on a platform that keeps its answer apart from the rest. */
export interface TurnPlace {
  readonly answer: Surface;
  /** Trace, questions and notices. May be the same surface. */
  readonly side: Surface;
  /** Shows that somebody is at work, until the returned function is called. */
  work(): () => void;
}

/** How a surface is found: by the place of an address, and what else is known of the turn. */
export type OpenPlace = (
  place: string,
  turn: { readonly conversation: ConversationId; readonly address: SurfaceAddress },
) => Surface | TurnPlace;

/** Shows a person that a message joined the running turn. Only for show: nobody waits for it, and it never throws. */
export type MarkUsed = (address: SurfaceAddress, message: EventId) => void;

/** A message that grows on the platform: what was appended cannot be changed before the stream has ended. */
export interface MessageStream {
  readonly budgets: Readonly<Record<'start' | 'append' | 'stop', NamedBudget>>;
  /** It is ended so long after its start: before the platform does it. Unit: milliseconds. */
  readonly maxMs: number;
  /** As `post`, for a message that grows from now on and cannot be edited until it is stopped. */
  start(message: SurfaceMessage, key: string, signal: AbortSignal): Promise<Posted>;
  append(ref: MessageRef, text: string, signal: AbortSignal): Promise<Written>;
  /** Appends `rest`, which may be empty, and ends the stream; `message` is what it then shows. It can be edited again. */
  stop(ref: MessageRef, rest: string, message: SurfaceMessage, signal: AbortSignal): Promise<Written>;
}

/** One kind of write, with a limit of its own. */
export type Route = keyof Surface['budgets'] | keyof MessageStream['budgets'];

export interface Written {
  /** What the platform said about the limit that it counts this write against, where it does. */
  readonly rate?: RateHeaders;
}

export interface Posted extends Written {
  readonly ref: MessageRef;
}

export interface SurfaceLimits {
  /** Longest accepted text, also of an edit. Unit: characters. */
  readonly maxChars: number;
  /** Messages may carry `details`, which stay folded until somebody opens them. */
  readonly folds?: true;
  /** What it counts as a character: UTF-16 units when not given. */
  readonly unit?: 'utf16' | 'code points';
}

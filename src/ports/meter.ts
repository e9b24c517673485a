import type { Outcome } from '../domain/turn.ts';
import type { Vote } from './votes.ts';

/**
 * What is counted and timed, for `/metrics`. Every name is one of a closed set, and every label has few values: no ids.
 * Nothing here waits or throws.
 */
export interface Meter {
  count<Name extends CountName>(name: Name, labels: Counts[Name], by?: number): void;
  /** How long something took. Unit: milliseconds. */
  time(name: DurationName, ms: number): void;
  /**
   * A value that is read when somebody looks. Depths are numbers, ages milliseconds. A reader that fails or is slow
   * leaves its value out; a later reader of the same name takes its place.
   */
  watch(name: LevelName, read: () => Promise<number>): void;
}

export interface Counts {
  /** Turns that ended, and those that wait for an answer (`paused`). */
  readonly turns: { readonly outcome: Outcome['kind'] };
  /** A model call with the calls of tools it asked for. */
  readonly rounds: NoLabels;
  readonly tokens: { readonly kind: 'prompt' | 'completion' };
  /** Messages of ours that were changed on a surface. */
  readonly edits: { readonly surface: string };
  /** What people think of answers, as they say it; a change of mind counts again. */
  readonly votes: { readonly vote: Vote };
  /** A surface asked us to slow down (429). */
  readonly rate_limited: { readonly surface: string };
}
export type CountName = keyof Counts;
type NoLabels = Readonly<Record<string, never>>;

/**
 * `ack`: a person's message from its arrival until it is stored. `first_text`: from the claim to the first text of the
 * answer on the surface. `turn`: from the claim to the commit. `model`: one streamed model call.
 */
export type DurationName = 'ack' | 'first_text' | 'turn' | 'model';

/** `queue_depth`: conversations with something to do. `queue_oldest_age`: how long the first of them has waited. */
export type LevelName = 'queue_depth' | 'queue_oldest_age' | 'open_pauses';

/** What goes over the line between a worker and the fake platform, and between a test and it. */
import type { SurfaceMessage } from '../../../src/domain/surface-message.ts';
import type { RateHeaders } from '../../../src/ports/rate-budget.ts';
import type { Route, SurfaceLimits } from '../../../src/ports/surface.ts';

/** One request of a bot. `by` says which process sent it. */
export type PlatformCall = { readonly place: string; readonly by: string } & (
  | { readonly do: 'post' | 'start'; readonly message: SurfaceMessage; readonly key: string }
  | { readonly do: 'edit'; readonly message: SurfaceMessage; readonly id: string }
  | { readonly do: 'append'; readonly text: string; readonly id: string }
  | { readonly do: 'stop'; readonly text: string; readonly message: SurfaceMessage; readonly id: string }
  | { readonly do: 'remove'; readonly id: string }
  | { readonly do: 'find'; readonly key: string }
);

/**
 * 200 with the id of the message (`find`: without one when there is none), 400 for what no platform takes, 403 for an edit
 * of a message that is closed, 404 for what is not there, 410 for growth of a message that does not grow, 429 with or
 * without a wait, 503 for an accident.
 */
export interface PlatformAnswer {
  readonly status: 200 | 400 | 403 | 404 | 410 | 429 | 503;
  readonly id?: string;
  readonly retryAfterMs?: number;
  /** Where the limit is told. */
  readonly rate?: RateHeaders;
  /** With 400: what was wrong. */
  readonly why?: string;
}

export interface PlatformRules {
  /** Longest text. Unit: characters. */
  readonly maxChars: number;
  /** What is counted as a character: UTF-16 units when not given. */
  readonly unit?: SurfaceLimits['unit'];
  /**
   * `refused`: a key is posted once, the second post answers with the first message, and nothing can be found by key
   * (Discord's nonce). `found`: a second post with a key is a second message, but the first can be looked up (Slack's
   * metadata).
   */
  readonly keys: 'refused' | 'found';
  /** What is limited; any number of other writes is taken. */
  readonly limits: Readonly<Partial<Record<Route, PlatformLimit>>>;
  /** Messages may grow. */
  readonly stream?: {
    /** The platform ends one by itself after this time. Unit: milliseconds. */
    readonly livesMs: number;
    /** The bot is told to end it after this one. Unit: milliseconds. */
    readonly maxMs: number;
  };
  /** Time until an answer. Unit: milliseconds. */
  readonly latencyMs: number;
}

export interface PlatformLimit {
  readonly calls: number;
  readonly perMs: number;
  readonly counted: 'window' | 'bucket';
  /** Each place for itself, or all of them together. */
  readonly per: 'place' | 'workspace';
  /** What answers tell: the state of the limit, and with a refusal the wait. */
  readonly tells: 'headers' | 'wait' | 'nothing';
}

/** The next `times` calls that fit go wrong. */
export interface Fault {
  readonly on: PlatformCall['do'];
  /** Only calls for messages of this kind. */
  readonly kind?: SurfaceMessage['kind'];
  /**
   * `refused`: 503, nothing done. `unclear`: 503, done all the same. `lost`: done, and the connection is cut without an
   * answer. `slow`: done, and answered after 1.5 s. `limited`: 429, nothing done.
   */
  readonly how: 'refused' | 'unclear' | 'lost' | 'slow' | 'limited';
  /** With `limited`, where the platform tells. */
  readonly retryAfterMs?: number;
  readonly times: number;
}

/** A file that somebody has put on the platform; it is served at `/files/<id>`. */
export interface PutFile {
  readonly id: string;
  /** In base64. */
  readonly bytes: string;
  readonly type: string;
  /**
   * What goes wrong: `gone` 404 · `never` no answer · `drops` half of it, then the connection is cut · `login` a page
   * with 200 · `away` an address of somebody else's. With `times`, only so often.
   */
  readonly how?: 'gone' | 'never' | 'drops' | 'login' | 'away';
  readonly times?: number;
}

export interface PlatformState {
  readonly messages: readonly ShownMessage[];
  readonly calls: readonly RecordedCall[];
  /** Files that were asked for, in order. */
  readonly fetched: readonly string[];
  /** What tools did to the world, in order. */
  readonly effects: readonly Effect[];
  /** Calls that no platform would take, each as one line: bugs of the bot. */
  readonly violations: readonly string[];
}

export interface ShownMessage {
  readonly id: string;
  readonly place: string;
  readonly key: string;
  readonly isDeleted: boolean;
  /** When it began to grow, while it does. */
  readonly growsSince?: number;
  /** What it said, from the post to now. */
  readonly versions: readonly (SurfaceMessage & { readonly by: string })[];
}

export interface RecordedCall {
  readonly by: string;
  readonly do: PlatformCall['do'];
  readonly place: string;
  readonly kind: SurfaceMessage['kind'] | undefined;
  /** 0: the connection was cut. */
  readonly status: number;
}

export interface Effect {
  readonly name: string;
  /** Equal for every attempt at one call. */
  readonly key: string;
}

/** What a test does to the platform. */
export type PlatformControl =
  | { readonly control: 'rules'; readonly rules: Partial<PlatformRules> }
  | { readonly control: 'fault'; readonly fault: Fault }
  | { readonly control: 'delete_message'; readonly id: string }
  /** From now on it can neither be edited nor grow. */
  | { readonly control: 'close_message'; readonly id: string }
  /** The platform ends its growth. */
  | { readonly control: 'end_stream'; readonly id: string }
  | { readonly control: 'delete_place'; readonly place: string }
  | { readonly control: 'put_file'; readonly file: PutFile }
  | { readonly control: 'effect'; readonly effect: Effect };

/** Accidents on demand: what the next calls of a route run into. */

import type { ErrorRule } from '../rules.ts';
import type { RouteName } from './routes.ts';

export type Accident =
  /** Nothing done, 500 or the like. */
  | { readonly how: 'refused'; readonly status?: number }
  /** Done, and answered with 500 or the like all the same. */
  | { readonly how: 'unclear'; readonly status?: number }
  /** Nothing done, connection cut. */
  | { readonly how: 'cut' }
  /** Done, connection cut. */
  | { readonly how: 'lost' }
  /** Done at once, answered after `ms`: a time-out after the write really happened. */
  | { readonly how: 'slow'; readonly ms: number }
  /** Done after `ms`, then answered: the write happens when nobody waits any more. */
  | { readonly how: 'late'; readonly ms: number }
  /** 429. Without `retryAfterMs` there is no Retry-After. */
  | {
      readonly how: 'limited';
      readonly scope: 'user' | 'shared' | 'global';
      readonly retryAfterMs?: number;
      /** The row whose code and message it carries. */
      readonly rule?: ErrorRule;
    }
  /** Cloudflare's page 1015 instead of JSON. */
  | { readonly how: 'cloudflare'; readonly retryAfterMs?: number }
  /** A row of the table of rules. */
  | { readonly how: 'error'; readonly rule: ErrorRule };

export type Fault = Accident & {
  readonly on: RouteName | 'any';
  /** How many calls. Default: one. */
  readonly times?: number;
  /** Only calls in this channel or thread. */
  readonly channelId?: string;
  /** How many fitting calls pass before it begins. */
  readonly skip?: number;
};

export class Faults {
  private armed: { readonly fault: Fault; left: number; skip: number }[] = [];

  arm(fault: Fault): void {
    this.armed.push({ fault, left: fault.times ?? 1, skip: fault.skip ?? 0 });
  }

  clear(): void {
    this.armed = [];
  }

  /** The accident of this call, which is used up by it. */
  next(route: RouteName, channelId: string | undefined): Accident | undefined {
    const fitting = this.armed.filter(
      ({ fault, left }) =>
        left > 0 &&
        (fault.on === 'any' || fault.on === route) &&
        (fault.channelId === undefined || fault.channelId === channelId),
    );
    for (const each of fitting) {
      if (each.skip > 0) {
        each.skip -= 1;
        continue;
      }
      each.left -= 1;
      return each.fault;
    }
    return undefined;
  }
}

/** Accidents on demand: what the next calls of a method run into. */
import type { ErrorRule } from '../rules.ts';

export type Accident =
  /** Nothing done, 500 or the like. */
  | { readonly how: 'refused'; readonly status?: number }
  /** Done, and answered with 500 or the like all the same. */
  | { readonly how: 'unclear'; readonly status?: number }
  /** Done, and answered with `ok: false` `internal_error` all the same. */
  | { readonly how: 'denied' }
  /** Nothing done, connection cut. */
  | { readonly how: 'cut' }
  /** Done, connection cut. */
  | { readonly how: 'lost' }
  /** Done at once, answered after `ms`: a time-out after the write really happened. */
  | { readonly how: 'slow'; readonly ms: number }
  /** Done after `ms`, then answered: the write happens when nobody waits any more. */
  | { readonly how: 'late'; readonly ms: number }
  /** 429. Without `retryAfter` there is no Retry-After. Unit: seconds. */
  | { readonly how: 'limited'; readonly retryAfter?: number }
  /** Nothing done, 200 with a page. */
  | { readonly how: 'html' }
  /** A row of the table of rules, with HTTP 200. */
  | { readonly how: 'error'; readonly rule: ErrorRule };

export type Fault = Accident & {
  /** A method, a beginning of methods with `*` (`chat.*`), or `any`. */
  readonly on: string;
  /** How many calls. Default: one. */
  readonly times?: number;
  /** Only calls in this channel. */
  readonly channel?: string;
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
  next(method: string, channel: string | undefined): Accident | undefined {
    const fitting = this.armed.filter(
      ({ fault, left }) =>
        left > 0 &&
        (fault.on === 'any' ||
          fault.on === method ||
          (fault.on.endsWith('*') && method.startsWith(fault.on.slice(0, -1)))) &&
        (fault.channel === undefined || fault.channel === channel),
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

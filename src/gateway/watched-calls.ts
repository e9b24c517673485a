/**
 * What a process without a connection knows of a platform: each call tells whether it is there and knows the token. A
 * refused token is no fault of a message: what was to be written waits, and is written by this process or the next one when
 * the token is right.
 */
import type { Contact } from '../ports/contact.ts';
import type { Clock } from '../ports/runtime.ts';

export interface Watching {
  readonly contact: Contact;
  readonly clock: Clock;
  readonly isTokenRefused: (error: unknown) => boolean;
  /** It was reached, whatever it said. */
  readonly isAnswer: (error: unknown) => boolean;
  /** A refused token, for the operator. */
  readonly refusalOf: (error: unknown) => Error;
}

/** Nothing was done, and nothing can be until the token is right. */
export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError';
  constructor(options?: ErrorOptions) {
    super('the token is refused', options);
  }
}

/** While it is away it is asked this often. Unit: milliseconds. */
const lookEveryMs = 10_000;
/** A platform that refuses a token counts how often it does. Unit: milliseconds. */
const refusedForMs = 60_000;

export class WatchedCalls {
  private isThere = false;
  private refusedUntil = 0;

  constructor(private readonly watching: Watching) {}

  /** Rejects as `call`; with `TokenRefusedError`, and without a call, while the token is known to be refused. */
  async make<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { contact, clock, isTokenRefused, isAnswer, refusalOf } = this.watching;
    if (clock.now() < this.refusedUntil) throw new TokenRefusedError();
    try {
      const reply = await call();
      this.isThere = true;
      contact.ok();
      return reply;
    } catch (error) {
      if (isTokenRefused(error)) {
        this.refusedUntil = clock.now() + refusedForMs;
        this.lose(refusalOf(error));
        throw new TokenRefusedError({ cause: error });
      }
      if (!isAnswer(error) && signal?.aborted !== true) this.lose(error);
      throw error;
    }
  }

  /** While it is away somebody has to ask, also when nothing is to be said. Resolves when the signal is aborted. */
  async keepLooking(ask: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.watching.clock.sleep(lookEveryMs, signal).catch(() => {}); // it is over
      if (!this.isThere && !signal.aborted) await ask();
    }
  }

  private lose(why: unknown): void {
    this.isThere = false;
    this.watching.contact.away(why);
  }
}

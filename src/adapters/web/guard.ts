/** Which requests are let in: those of our own page, under a name of this machine, behind the token where one is set. */
import type { Clock } from '../../ports/runtime.ts';
import { areEqual, cookie, cookieOf, doorCookie, type Signer } from './person.ts';

export interface GuardOptions {
  /** Whether only this machine can reach the server: then its names are known, and a page elsewhere that got itself one
   * of our addresses (DNS rebinding) comes under another name. */
  readonly isLoopback: boolean;
  /** What opens the page. */
  readonly token: string | undefined;
  readonly signer: Signer;
  readonly clock: Clock;
}

export interface Guard {
  /** Why a request is turned away; undefined: it may pass. */
  problem(request: Request): Refused | undefined;
  /** Whether the browser has given the token, or none is needed. */
  isOpen(request: Request): boolean;
  /** Checks a token that was typed. `caller`: from where. */
  open(token: string, caller: string, isSecure: boolean): Opened;
}

/** The cookie that opens the page from now on, or why there is none. */
export type Opened = { readonly cookie: string } | { readonly why: 'wrong' | 'too_often' };

export interface Refused {
  readonly status: 403 | 415;
  readonly why: string;
}

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
/** Wrong guesses at the token within a minute that one address has. */
const guessesPerMinute = 10;
const minuteMs = 60_000;

export function guardWith({ isLoopback, token, signer, clock }: GuardOptions): Guard {
  const guesses = new Map<string, readonly number[]>();
  // Signed together with the token: another token closes the door again.
  const use = `door ${token ?? ''}`;
  return {
    problem({ headers, method }) {
      const host = headers.get('host') ?? '';
      const name = host.replace(/:\d{1,5}$/, '');
      // With a token a foreign name gets nowhere: the cookie of the door is not sent there.
      if (isLoopback && token === undefined && !loopbackName.test(name))
        return { status: 403, why: 'This page is only served as localhost, 127.0.0.1 or [::1].' };
      const origin = headers.get('origin');
      if (origin !== null && hostOf(origin) !== host)
        return { status: 403, why: 'This request came from another page.' };
      const site = headers.get('sec-fetch-site');
      const isOwn = site === null || site === 'same-origin' || site === 'none';
      if (method === 'GET' || method === 'HEAD') return undefined;
      if (origin === null || !isOwn) return { status: 403, why: 'This request came from another page.' };
      return undefined;
    },
    isOpen: (request) =>
      token === undefined || signer.verified(use, cookieOf(request, doorCookie)) !== undefined,
    open(given, caller, isSecure) {
      const now = clock.now();
      for (const [address, times] of guesses)
        if ((times.at(-1) ?? 0) <= now - minuteMs) guesses.delete(address);
      const own = (guesses.get(caller) ?? []).filter((at) => at > now - minuteMs);
      if (own.length >= guessesPerMinute) return { why: 'too_often' };
      if (token !== undefined && areEqual(given, token))
        return { cookie: cookie(doorCookie, signer.sign(use, 'open'), isSecure) };
      guesses.set(caller, [...own, now]);
      return { why: 'wrong' };
    },
  };
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** Who sits at the page: an id in a cookie that only we can sign. No account, no name. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { UserId } from '../../domain/ids.ts';
import { isUuid, personNamed } from './names.ts';

/** Each person's has a name of its own: none takes the place of another one that is in use. */
const personCookie = 'docent_person';
export const doorCookie = 'docent_door';
/** The longest that browsers keep a cookie. Unit: seconds. */
const lifeS = 400 * 24 * 3_600;

export interface Signer {
  /** `value.signature`. `use` keeps a signature for one thing from standing for another. */
  sign(use: string, value: string): string;
  /** The value, or undefined when it was not signed here for this use. */
  verified(use: string, signed: string | undefined): string | undefined;
}

export function signerWith(secret: string): Signer {
  const signature = (use: string, value: string) =>
    createHmac('sha256', secret).update(`${use}\n${value}`).digest('base64url');
  return {
    sign: (use, value) => `${value}.${signature(use, value)}`,
    verified(use, signed) {
      const dot = signed?.lastIndexOf('.') ?? -1;
      if (signed === undefined || dot < 0) return undefined;
      const value = signed.slice(0, dot);
      return areEqual(signed.slice(dot + 1), signature(use, value)) ? value : undefined;
    },
  };
}

/** Takes as long for a near miss as for a wild guess. */
export function areEqual(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHmac('sha256', 'compare').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

/**
 * The person of a request; undefined when every cookie is missing, forged or of another secret. Of several persons it is
 * the one whose cookie the browser has had for the longest: that one it names first.
 */
export function personOf(request: Request, signer: Signer): UserId | undefined {
  for (const [name, value] of cookiesOf(request)) {
    const id = name.startsWith(personCookie) ? signer.verified('person', value) : undefined;
    if (id !== undefined && isUuid(id)) return personNamed(id);
  }
  return undefined;
}

/** `Set-Cookie` for a new person. */
export function newPerson(id: string, signer: Signer, isSecure: boolean): string {
  return cookie(`${personCookie}_${id}`, signer.sign('person', id), isSecure);
}

export function cookie(name: string, value: string, isSecure: boolean): string {
  const parts = [`${name}=${value}`, 'Path=/', `Max-Age=${lifeS}`, 'HttpOnly', 'SameSite=Lax'];
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ');
}

export function cookieOf(request: Request, name: string): string | undefined {
  return cookiesOf(request).find(([each]) => each === name)?.[1];
}

/** Name and value of each, in the order of the browser. */
function cookiesOf({ headers }: Request): (readonly [string, string])[] {
  return (headers.get('cookie') ?? '').split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return [name, value.join('=')];
  });
}

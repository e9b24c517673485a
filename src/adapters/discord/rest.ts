/** Calls to Discord's REST API: each is made once, and never waits. What comes of a failure is delivery's to decide. */
import { DefaultRestOptions, REST, type RESTOptions, RequestMethod } from 'discord.js';
import type { RateHeaders } from '../../ports/rate-budget.ts';
import { isOldEdit } from './failures.ts';

export interface RestOptions {
  readonly token: string;
  /** Without the version, such as `https://discord.com/api`. */
  readonly apiUrl: string;
}

const methods = {
  GET: RequestMethod.Get,
  POST: RequestMethod.Post,
  PUT: RequestMethod.Put,
  PATCH: RequestMethod.Patch,
  DELETE: RequestMethod.Delete,
} as const;

export interface Call {
  readonly method: keyof typeof methods;
  readonly route: `/${string}`;
  readonly body?: unknown;
  readonly query?: URLSearchParams;
  readonly files?: readonly { readonly name: string; readonly data: string }[];
  readonly signal?: AbortSignal;
}

export interface Reply {
  /** Undefined when the answer has none. */
  readonly body: unknown;
  readonly rate: RateHeaders | undefined;
}

/** Rejects as discord.js does: `meaningOf` says what it means for a message. */
export type Rest = (call: Call) => Promise<Reply>;

/** An answer that takes longer counts as none. Unit: milliseconds. */
const timeoutMs = 15_000;

/** `makeRequest` goes to the network if it is not given. */
export function discordRest(
  { token, apiUrl }: RestOptions,
  makeRequest: RESTOptions['makeRequest'] = DefaultRestOptions.makeRequest,
): Rest {
  const rest = new REST({
    api: apiUrl,
    retries: 0,
    timeout: timeoutMs,
    // The shared budget waits; told waits are told as they are.
    rejectOnRateLimit: () => true,
    offset: 0,
    async makeRequest(url, init) {
      const response = await makeRequest(url, init);
      if (isPaced(url, init.method)) hideRate(response.headers);
      if (response.status !== 429) return response;
      const text = await response.text();
      // Not a matter of pace: the library would tell it as one, and the code would be lost.
      const status = isOldEdit(text) ? 400 : 429;
      return new Response(text, { status, headers: [...response.headers] });
    },
  });
  return async ({ method, route, body, query, files = [], signal }) => {
    signal?.throwIfAborted();
    // The library forgets a token that was refused once.
    const response = await rest.setToken(token).queueRequest({
      method: methods[method],
      fullRoute: route,
      // What an interaction came with is refused by itself, and says nothing about our token.
      auth: !/^\/(?:interactions|webhooks)\//.test(route),
      ...(body !== undefined && { body }),
      ...(query !== undefined && { query }),
      ...(files.length > 0 && { files: [...files] }),
      // A signal of its own: the library leaves a listener on it for every call.
      ...(signal !== undefined && { signal: AbortSignal.any([signal]) }),
    });
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { body: isJson ? await response.json() : undefined, rate: rateIn(response.headers) };
  };
}

type Headers = Pick<globalThis.Headers, 'get' | 'set' | 'delete'>;

const rateParts = ['limit', 'remaining', 'reset', 'reset-after'] as const;

/** Messages are written when the shared budget lets them; all other calls the library keeps within the limits. */
function isPaced(url: string, method = 'GET'): boolean {
  return method !== 'GET' && /\/channels\/\d+\/messages(?:\/\d+)?$/.test(url);
}

/**
 * The library would refuse calls by itself while it believes a window to last: later than it does, since it does not know
 * how long an answer was under way, and without knowing what other processes write. The shared budget does.
 */
function hideRate(headers: Headers): void {
  for (const part of rateParts) {
    const value = headers.get(`x-ratelimit-${part}`);
    if (value !== null) headers.set(`rate-${part}`, value);
    headers.delete(`x-ratelimit-${part}`);
  }
}

function rateIn(headers: Pick<Headers, 'get'>): RateHeaders | undefined {
  const number = (name: string) => Number.parseFloat(headers.get(`rate-${name}`) ?? '');
  const rate = {
    limit: number('limit'),
    remaining: number('remaining'),
    resetAfterMs: number('reset-after') * 1_000,
  };
  return Object.values(rate).every(Number.isFinite) ? rate : undefined;
}

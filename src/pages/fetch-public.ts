/**
 * Fetches from the public web and from nowhere inside: the address that is connected to is the one that was judged, at
 * every hop, whatever names resolve to in the meantime.
 */
import { promises as dns, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, fetch } from 'undici';
import { PageError } from '../domain/errors.ts';
import type { Clock } from '../ports/runtime.ts';
import { isPublicAddress } from './public-address.ts';

export interface Fetched {
  /** Where it was in the end. */
  readonly url: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface FetchRules {
  readonly clock: Clock;
  /** All addresses of a name; Node's own when absent. */
  readonly resolve?: (name: string) => Promise<readonly LookupAddress[]>;
  /** Which of them may be connected to; those of the public internet when absent. */
  readonly mayConnect?: (address: string, port: number) => boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export type FetchPublic = (url: string, signal: AbortSignal) => Promise<Fetched>;

const maxRedirects = 5;
/** After decompression. Unit: bytes. */
const maxBytes = 4 * 1024 * 1024;
/** For all hops together. Unit: milliseconds. */
const limitMs = 15_000;
const webPorts: readonly number[] = [80, 443];

/** What may be connected to when nothing else is said. */
export function isPublicWeb(address: string, port: number): boolean {
  return webPorts.includes(port) && isPublicAddress(address);
}

/** Rejects with `PageError`; with the reason of `signal` once that is aborted. */
export function publicFetch({
  clock,
  resolve = (name) => dns.lookup(name, { all: true }),
  mayConnect = isPublicWeb,
  headers = {},
}: FetchRules): FetchPublic {
  const agentFor = (port: number) =>
    new Agent({ connect: { lookup: judgedLookup(resolve, (address) => mayConnect(address, port)) } });

  return async (address, signal) => {
    const late = new AbortController();
    const cancel = clock.after(limitMs, () =>
      late.abort(new PageError(`it was not there within ${limitMs / 1_000} s`)),
    );
    const either = AbortSignal.any([signal, late.signal]);
    try {
      return await follow(address, either);
    } catch (error) {
      signal.throwIfAborted();
      late.signal.throwIfAborted();
      throw error instanceof PageError ? error : new PageError(`it cannot be reached (${causeOf(error)})`);
    } finally {
      cancel();
    }
  };

  async function follow(address: string, signal: AbortSignal): Promise<Fetched> {
    let url = judgedUrl(address);
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const agent = agentFor(portOf(url));
      try {
        // A literal address is never looked up.
        const literal = url.hostname.replace(/^\[|\]$/g, '');
        if (isLiteral(url) && !mayConnect(literal, portOf(url))) throw notPublic(url.hostname);
        const response = await fetch(url, { redirect: 'manual', signal, headers, dispatcher: agent });
        const next = response.headers.get('location');
        if (response.status >= 300 && response.status < 400 && next !== null) {
          url = judgedUrl(next, url);
          continue;
        }
        if (!response.ok) throw new PageError(`the answer was ${response.status}`);
        const type = response.headers.get('content-type') ?? '';
        return { url: url.href, type, bytes: await wholeOf(response.body) };
      } finally {
        await agent.destroy();
      }
    }
    throw new PageError(`it redirects more than ${maxRedirects} times`);
  }
}

/** The addresses that a connection is tried with are those that were looked at. */
function judgedLookup(
  resolve: (name: string) => Promise<readonly LookupAddress[]>,
  mayConnect: (address: string) => boolean,
): LookupFunction {
  return (name, options, done) => {
    resolve(name).then(
      (found) => {
        const refused = found.length === 0 || !found.every(({ address }) => mayConnect(address));
        const [first] = found;
        if (refused || first === undefined) return done(notPublic(name), '');
        if (options.all === true) done(null, [...found]);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    );
  };
}

function judgedUrl(address: string, base?: URL): URL {
  const url = URL.canParse(address, base?.href) ? new URL(address, base?.href) : undefined;
  if (url === undefined) throw new PageError('this is no web address');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new PageError(`only http and https are fetched, not ${url.protocol.slice(0, -1)}`);
  if (url.username !== '' || url.password !== '')
    throw new PageError('an address with a name or password in it is not fetched');
  return url;
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function isLiteral({ hostname }: URL): boolean {
  return hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
}

function notPublic(host: string): PageError {
  return new PageError(`${host} is not on the public web, or not on its ports`);
}

async function wholeOf(body: AsyncIterable<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new PageError(`it is larger than ${maxBytes / 1024 / 1024} MB`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** What went wrong below `fetch`, in a word. */
function causeOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof PageError) throw cause;
    if ('code' in cause && typeof cause.code === 'string' && cause.cause === undefined) return cause.code;
  }
  return 'no answer';
}

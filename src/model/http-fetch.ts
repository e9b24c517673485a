/**
 * `fetch` over node:http and node:https for streamed answers. The body of the built-in one costs about as much CPU as
 * all the rest of a stream; this one hands on the socket's chunks as they are.
 */
import http from 'node:http';
import https from 'node:https';
import type { Clock } from '../ports/runtime.ts';
import { bodyStream } from './http-body.ts';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A connection that is not up by then never will be. Unit: milliseconds. */
const connectLimitMs = 10_000;
/** Statuses for which `Response` allows no body. */
const bodiless = new Set([204, 205, 304]);

/**
 * Builds the function. Request bodies are text or bytes, redirects are returned and not followed (the key would travel
 * with them), connections are kept alive. Rejects with node's error (`code` says what happened) or the signal's
 * reason. A stream of events ends with its marker line `data: [DONE]`, even if the server keeps the socket open.
 */
export function httpFetch(clock: Clock): Fetch {
  const agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  };
  return async (input, init = {}) => {
    if (input instanceof Request) throw new TypeError('give the address and its options, not a Request');
    const url = new URL(input);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new TypeError(`${url.protocol}//… is no http address`);
    }
    const exchange = { url, init, agent: agents[url.protocol], clock };
    try {
      return await send(exchange);
    } catch (error) {
      // The server closed a kept connection just as we took it: nothing was answered, so asking again is safe.
      if (!(error instanceof StaleConnectionError)) throw error;
      return await send({ ...exchange, agent: false });
    }
  };
}

class StaleConnectionError extends Error {}

interface Exchange {
  readonly url: URL;
  readonly init: RequestInit;
  readonly agent: http.Agent | false;
  readonly clock: Clock;
}

function send({ url, init, agent, clock }: Exchange): Promise<Response> {
  const signal = init.signal ?? undefined;
  const body = init.body ?? undefined;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)) {
      return reject(new TypeError('the body of a request must be text or bytes'));
    }
    const headers: http.OutgoingHttpHeaders = Object.fromEntries(new Headers(init.headers));
    if (body !== undefined) headers['content-length'] = Buffer.byteLength(body);
    const secure = url.protocol === 'https:';
    const request = (secure ? https : http).request(url, { method: init.method ?? 'GET', headers, agent });

    const onAbort = () => {
      request.destroy();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    request.on('close', () => signal?.removeEventListener('abort', onAbort));
    request.on('error', (error: NodeJS.ErrnoException) => {
      const stale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(stale ? new StaleConnectionError() : error);
    });
    request.on('socket', (socket) => {
      if (!socket.connecting) return;
      const cancel = clock.after(connectLimitMs, () =>
        request.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })),
      );
      socket.once(secure ? 'secureConnect' : 'connect', cancel);
      socket.once('close', cancel);
    });
    request.on('response', (incoming) => {
      try {
        resolve(responseOf(incoming, signal, clock));
      } catch (error) {
        request.destroy();
        reject(error);
      }
    });
    request.end(body);
  });
}

function responseOf(incoming: http.IncomingMessage, signal: AbortSignal | undefined, clock: Clock): Response {
  const status = incoming.statusCode ?? 0;
  const headers = new Headers();
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i] ?? '', incoming.rawHeaders[i + 1] ?? '');
  }
  if (bodiless.has(status)) incoming.resume();
  const body = bodiless.has(status) ? null : bodyStream(incoming, signal, clock);
  return new Response(body, { status, statusText: incoming.statusMessage ?? '', headers });
}

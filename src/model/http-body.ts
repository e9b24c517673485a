/** The body of a response as a web stream: the socket's chunks in order, then the end or what broke it. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Clock } from '../ports/runtime.ts';
import { doneMarker } from './done-marker.ts';
import { decoded } from './http-decoding.ts';

/** Chunks that may wait for a slow reader before the socket is paused. */
const maxWaiting = 16;
/** What a server may still take to end a response nobody reads on, so that its connection can be used again. */
const drainLimitMs = 1_000;
const drainLimitBytes = 65_536;

/** The reason to cancel a body of which only the formal end is missing: that is read in the background, not cut off. */
export const alreadyFinished = Symbol('already finished');

/**
 * The stream ends right after the chunk with the marker line, else with the socket. Whatever arrived before a cut is
 * read before the error is; an abort errors at once and closes the socket, and so does a cancel for any reason but
 * `alreadyFinished`.
 */
export function bodyStream(
  incoming: IncomingMessage,
  signal: AbortSignal | undefined,
  clock: Clock,
): ReadableStream<Uint8Array> {
  const source = decoded(incoming);
  const isDone = doneMarker();
  const waiting: Buffer[] = [];
  let end: 'open' | 'complete' | { readonly error: unknown } = 'open';
  let onAbort: (() => void) | undefined;
  let wake: (() => void) | undefined;

  const endWith = (how: 'complete' | { readonly error: unknown }) => {
    if (end !== 'open') return;
    end = how;
    if (onAbort) signal?.removeEventListener('abort', onAbort);
    wake?.();
  };
  /** Hands on what is there; false when there is nothing yet. */
  const deliver = (controller: ReadableStreamDefaultController<Uint8Array>): boolean => {
    const chunk = waiting.shift();
    if (chunk) {
      controller.enqueue(chunk);
      if (waiting.length === 0 && end === 'open') source.resume();
    } else if (end === 'complete') controller.close();
    else if (end !== 'open') controller.error(end.error);
    else return false;
    return true;
  };

  source.on('data', (chunk: Buffer) => {
    if (end !== 'open') return;
    waiting.push(chunk);
    if (isDone(chunk)) {
      endWith('complete');
      drain(incoming, source, clock);
      return;
    }
    if (waiting.length >= maxWaiting) source.pause();
    wake?.();
  });
  source.on('end', () => endWith('complete'));
  source.on('error', (error) => endWith({ error }));
  source.on('close', () => endWith({ error: new Error('the connection was closed') }));

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        onAbort = () => {
          waiting.length = 0;
          incoming.destroy();
          controller.error(signal?.reason);
          endWith({ error: signal?.reason });
        };
        signal?.addEventListener('abort', onAbort, { once: true });
      },
      pull(controller) {
        if (deliver(controller)) return undefined;
        return new Promise((resolve) => {
          wake = () => {
            wake = undefined;
            deliver(controller);
            resolve();
          };
        });
      },
      cancel(reason) {
        if (end !== 'open') return;
        wake = undefined;
        endWith('complete');
        if (reason === alreadyFinished) drain(incoming, source, clock);
        else incoming.destroy();
      },
    },
    // Nothing is fetched ahead of a read: the order of chunks and end is kept in one place, above.
    { highWaterMark: 0 },
  );
}

/** Reads on to the real end, so that the connection is free for the next request; gives up on one that lingers. */
function drain(incoming: IncomingMessage, source: Readable, clock: Clock): void {
  if (incoming.destroyed) return;
  const cancel = clock.after(drainLimitMs, () => incoming.destroy());
  incoming.once('close', cancel);
  let bytes = 0;
  source.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > drainLimitBytes) incoming.destroy();
  });
  source.resume();
}

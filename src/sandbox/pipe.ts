/** How a program's process speaks with whoever started it: one line in, then frames out. Works without the event loop. */
import { readSync, writeSync } from 'node:fs';

export interface Job {
  readonly code: string;
  readonly stdin: string;
}

/** `text` was printed; `end` is the last one. */
export type Frame =
  | { readonly text: string }
  | { readonly ready: true }
  | { readonly end: 'well' | 'failed' | 'memory' };

/** Taken before anything is taken away from the process. */
const read = readSync;
const write = writeSync;
const decoder = new TextDecoder();
const encoder = new TextEncoder();
const waiting = new Int32Array(new SharedArrayBuffer(4));

/** Blocks until it is there; undefined when nobody wants anything any more. */
export function readJob(): Job | undefined {
  const chunks: number[] = [];
  const chunk = new Uint8Array(65_536);
  for (;;) {
    const size = patiently(() => read(0, chunk));
    if (size === 0) return undefined;
    const end = chunk.subarray(0, size).indexOf(10);
    for (const byte of chunk.subarray(0, end < 0 ? size : end)) chunks.push(byte);
    if (end >= 0) return JSON.parse(decoder.decode(new Uint8Array(chunks)));
  }
}

/** Blocks until it is written. */
export function send(frame: Frame): void {
  let rest = encoder.encode(`${JSON.stringify(frame)}\n`);
  while (rest.length > 0) {
    const part = rest;
    rest = rest.subarray(patiently(() => write(1, part)));
  }
}

/** A pipe may not block although it should. */
function patiently(call: () => number): number {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(waiting, 0, 0, 2);
    }
  }
}

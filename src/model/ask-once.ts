/** One request: sends it and reads until the first chunks of the answer are there, or says what went wrong. */
import { APIConnectionError, APIError } from 'openai';
import type { ModelChunk } from '../ports/model.ts';
import { CompletionReader } from './completion-reader.ts';
import { type Failure, saidFailure } from './failure.ts';
import { type Asked, notAStream, unreachable } from './model-failure.ts';
import { startOf } from './readable-errors.ts';
import { retryAfterMs } from './retry.ts';
import { serviceErrorOf, serviceErrorOfText } from './service-error.ts';

export interface Question {
  readonly asked: Asked;
  /** Resolves with the head of the response; throws what the SDK throws. */
  readonly send: () => Promise<Response>;
  readonly acceptEmpty: boolean;
  readonly signed: boolean;
  readonly now: () => number;
}

/** The answer has begun: its first chunks and the reader of the rest. */
export interface Begun {
  readonly chunks: readonly ModelChunk[];
  readonly reader: CompletionReader;
}

/** Returns a failure as long as nothing was shown. Throws the signal's reason when aborted. */
export async function askOnce(question: Question, signal: AbortSignal): Promise<Begun | Failure> {
  const { asked, acceptEmpty, signed } = question;
  const head = await headOf(question, signal);
  if ('error' in head) return head;
  const { body, labelled } = head;
  const reader = new CompletionReader(body, { asked, labelled, acceptEmpty, signed });
  const first = await reader.more(signal);
  if (first.kind === 'chunks') return { chunks: first.chunks, reader };
  await reader.close();
  return first.kind === 'failed' ? first.failure : { error: notAStream('nothing', asked) };
}

interface Head {
  readonly body: ReadableStream<Uint8Array>;
  readonly labelled: boolean;
}

async function headOf({ asked, send, now }: Question, signal: AbortSignal): Promise<Head | Failure> {
  try {
    const response = await send();
    const type = response.headers.get('content-type')?.toLowerCase() ?? '';
    if (!response.body) return { error: notAStream('nothing', asked) };
    if (type.includes('html')) {
      await response.body.cancel();
      return { error: notAStream('a web page', asked) };
    }
    if (type.includes('json') && !type.includes('stream')) {
      const said = serviceErrorOfText(await startOf(response));
      return said.message === ''
        ? { error: notAStream('one JSON document', asked) }
        : saidFailure(said, asked);
    }
    return { body: response.body, labelled: type.includes('event-stream') };
  } catch (error) {
    signal.throwIfAborted();
    return failureOf(error, asked, now());
  }
}

/** What the SDK threw before there was a body to read. */
function failureOf(error: unknown, asked: Asked, now: number): Failure {
  if (error instanceof APIConnectionError) return { error: unreachable(error.cause, asked) };
  if (error instanceof APIError && error.status !== undefined) {
    const wait = error.headers && retryAfterMs(error.headers, now);
    return saidFailure(serviceErrorOf({ error: error.error }, error.status), asked, wait);
  }
  // An address that is none, found by the SDK before it asks.
  if (error instanceof TypeError && 'code' in error) return { error: unreachable(error, asked) };
  throw error;
}

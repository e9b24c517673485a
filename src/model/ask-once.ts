/** One request and its answer: opens the stream, hands on its chunks, and says what went wrong. */
import { APIConnectionError, APIError, type APIPromise } from 'openai';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Stream } from 'openai/streaming';
import type { ModelError } from '../domain/errors.ts';
import type { Usage } from '../domain/turn.ts';
import type { ModelChunk } from '../ports/model.ts';
import { type Asked, cutOff, emptyAnswer, notAStream, refusal, unreachable } from './model-failure.ts';
import { openStream } from './open-stream.ts';
import { retryAfterMs } from './retry.ts';
import { type ServiceError, serviceErrorOf } from './service-error.ts';
import { finishIn, finishReason, readDelta, type StreamEvent, usageIn } from './stream-events.ts';

/** Nothing of the response was shown, so something else may be tried. */
export interface Failure {
  readonly error: ModelError;
  /** What the service said, when it said something. */
  readonly said?: ServiceError;
  /** The wait it asked for. */
  readonly retryAfterMs?: number;
  /** The response was complete and held nothing. */
  readonly empty?: true;
}

export interface Question {
  readonly asked: Asked;
  readonly send: () => APIPromise<Stream<ChatCompletionChunk>>;
  readonly signal: AbortSignal;
  /** The service took the request and begins to answer. */
  readonly onAccepted: () => Promise<void>;
  /** A complete response with nothing in it is a failure, unless it is accepted. */
  readonly acceptEmpty: boolean;
  /** Reasoning says which model wrote it, because it is not the one the caller knows. */
  readonly signed: boolean;
  readonly now: () => number;
}

/**
 * Yields the chunks of one response. A failure before the first chunk is returned; after it, thrown as `ModelError`.
 * Throws the signal's reason when aborted.
 */
export async function* askOnce(question: Question): AsyncGenerator<ModelChunk, Failure | undefined> {
  const { asked, signal, acceptEmpty } = question;
  const opened = await opening(question);
  if ('error' in opened) return opened;
  await question.onAccepted();
  signal.throwIfAborted();

  const chunks: ModelChunk[] = [];
  let began = false;
  let shown = false;
  let finished = false;
  let usage: Usage | undefined;
  let failure: Failure | undefined;
  try {
    for await (const event of opened.events as AsyncIterable<StreamEvent>) {
      began = true;
      if (event.object === 'error') throw new InStreamError(event);
      readDelta(event, chunks);
      for (const chunk of chunks) {
        shown = true;
        yield question.signed && chunk.type === 'reasoning' ? { ...chunk, model: asked.model } : chunk;
      }
      chunks.length = 0;
      const raw = finishIn(event);
      if (raw !== undefined) {
        if (!shown && !acceptEmpty && raw !== 'content_filter' && finishReason(raw) !== 'length') {
          return { error: emptyAnswer(asked), empty: true };
        }
        finished = true;
        yield { type: 'finish', reason: finishReason(raw) };
      }
      // Some services count along with every chunk; the loop needs the last count only.
      usage = usageIn(event) ?? usage;
      if (finished && usage) {
        yield { type: 'usage', usage };
        usage = undefined;
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    failure = failureInStream(error, asked);
  }
  signal.throwIfAborted();
  if (finished) return undefined;
  if (!failure && opened.sawDone()) {
    if (!shown && !acceptEmpty) return { error: emptyAnswer(asked), empty: true };
    yield { type: 'finish', reason: 'stop' };
    if (usage) yield { type: 'usage', usage };
    return undefined;
  }
  if (!failure) {
    failure = {
      error: began || opened.labelled ? cutOff(asked) : notAStream('something else', asked),
    };
  }
  if (shown) throw failure.error;
  return failure;
}

async function opening({ asked, send, signal, now }: Question) {
  try {
    const opened = await openStream(send());
    if (!('kind' in opened)) return opened;
    if (opened.kind === 'error') return refused(opened.said, asked);
    return {
      error: notAStream(opened.kind === 'page' ? 'a web page' : 'one JSON document', asked),
    } satisfies Failure;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof APIError && error.status !== undefined) {
      const said = serviceErrorOf({ error: error.error }, error.status);
      const wait = error.headers && retryAfterMs(error.headers, now());
      return {
        error: refusal(said, asked),
        said,
        ...(wait !== undefined && { retryAfterMs: wait }),
      } satisfies Failure;
    }
    if (error instanceof APIConnectionError)
      return { error: unreachable(error.cause, asked) } satisfies Failure;
    if (error instanceof TypeError && 'code' in error)
      return { error: unreachable(error, asked) } satisfies Failure;
    throw error;
  }
}

class InStreamError extends Error {
  constructor(readonly body: unknown) {
    super('the service sent an error');
  }
}

function failureInStream(error: unknown, asked: Asked): Failure {
  if (error instanceof InStreamError) return refused(serviceErrorOf(error.body), asked);
  if (error instanceof APIError) return refused(serviceErrorOf({ error: error.error }), asked);
  return { error: cutOff(asked, error) };
}

/** An error that came without a status gets the one its words stand for, so that it is treated alike. */
function refused(said: ServiceError, asked: Asked): Failure {
  const known: ServiceError = said.status === undefined ? { ...said, status: statusOf(said) } : said;
  return { error: refusal(known, asked), said: known };
}

function statusOf({ code = '', type = '' }: ServiceError): number {
  const words = `${code} ${type}`;
  if (/rate_limit|insufficient_quota/i.test(words)) return 429;
  if (/invalid_request|bad_?request|context_length/i.test(words)) return 400;
  if (/auth|permission/i.test(words)) return 401;
  if (/model_not_found/i.test(words)) return 404;
  return 500;
}

/** Reads the body of a streamed completion: bytes in, chunks of the model port and the way it ended out. */
import type { Usage } from '../domain/turn.ts';
import type { ModelChunk } from '../ports/model.ts';
import { type Failure, saidFailure } from './failure.ts';
import { alreadyFinished } from './http-body.ts';
import { type Asked, cutOff, emptyAnswer, notAStream } from './model-failure.ts';
import { serviceErrorOf } from './service-error.ts';
import { sseData } from './sse-data.ts';
import { errorIn, finishIn, finishReason, readDelta, type StreamEvent, usageIn } from './stream-events.ts';

export type Progress =
  | { readonly kind: 'chunks'; readonly chunks: readonly ModelChunk[] }
  /** The response is complete. */
  | { readonly kind: 'over' }
  | { readonly kind: 'failed'; readonly failure: Failure };
type End = Exclude<Progress, { kind: 'chunks' }>;

export interface ReaderOptions {
  readonly asked: Asked;
  /** The body is said to be a stream of events; else only its events can tell. */
  readonly labelled: boolean;
  /** A complete response with nothing in it is a failure, unless it is accepted. */
  readonly acceptEmpty: boolean;
  /** Reasoning says which model wrote it, because it is not the one the caller knows. */
  readonly signed: boolean;
}

/** One response being read. `more` is called until it says anything else than chunks. */
export class CompletionReader {
  readonly #body: ReadableStreamDefaultReader<Uint8Array>;
  readonly #options: ReaderOptions;
  readonly #dataIn = sseData();
  #began = false;
  /** Text, reasoning or a call has been handed on. */
  #shown = false;
  /** A finish reason has been handed on; only a count of tokens may follow. */
  #finished = false;
  #usage: Usage | undefined;
  #end: End | undefined;

  constructor(body: ReadableStream<Uint8Array>, options: ReaderOptions) {
    this.#body = body.getReader();
    this.#options = options;
  }

  /** Waits for the next chunks, never an empty list. Throws the signal's reason when aborted. */
  async more(signal: AbortSignal): Promise<Progress> {
    while (!this.#end) {
      const chunks: ModelChunk[] = [];
      try {
        const { done, value } = await this.#body.read();
        for (const data of this.#dataIn(value)) if (!this.#end) this.#end = this.#read(data, chunks);
        if (done) this.#end ??= this.#finished ? { kind: 'over' } : failed({ error: this.#unfinished() });
      } catch (error) {
        signal.throwIfAborted();
        this.#end = this.#finished ? { kind: 'over' } : failed({ error: cutOff(this.#options.asked, error) });
      }
      signal.throwIfAborted();
      if (chunks.length > 0) return { kind: 'chunks', chunks };
    }
    return this.#end;
  }

  /** Leaves a body that has not ended. That costs the connection, unless the finish has been read. */
  async close(): Promise<void> {
    // A body that broke has nothing left to close.
    await this.#body.cancel(this.#finished ? alreadyFinished : undefined).catch(() => {});
  }

  /** Reads one event into `chunks`; returns the end when this is it. */
  #read(data: string, chunks: ModelChunk[]): End | undefined {
    if (data.startsWith('[DONE]')) {
      return this.#finished ? { kind: 'over' } : (this.#finish('stop', chunks) ?? { kind: 'over' });
    }
    const event: StreamEvent | null = JSON.parse(data);
    if (event === null) return undefined;
    this.#began = true;
    const error = errorIn(event);
    if (error !== undefined) {
      if (this.#finished) return { kind: 'over' };
      return failed(saidFailure(serviceErrorOf(error), this.#options.asked));
    }
    const first = chunks.length;
    readDelta(event, chunks);
    if (chunks.length > first) {
      this.#shown = true;
      if (this.#options.signed) this.#sign(chunks, first);
    }
    // Some services count along with every event: only the last count before the finish is told.
    this.#usage = usageIn(event) ?? this.#usage;
    const reason = finishIn(event);
    if (reason !== undefined) return this.#finish(reason, chunks);
    if (this.#finished) this.#tellUsage(chunks);
    return undefined;
  }

  #finish(reason: string, chunks: ModelChunk[]): End | undefined {
    const meaning = finishReason(reason);
    const mayBeEmpty = this.#options.acceptEmpty || reason === 'content_filter' || meaning === 'length';
    if (!this.#shown && !mayBeEmpty) return failed({ error: emptyAnswer(this.#options.asked), empty: true });
    this.#finished = true;
    chunks.push({ type: 'finish', reason: meaning });
    this.#tellUsage(chunks);
    return undefined;
  }

  #tellUsage(chunks: ModelChunk[]): void {
    if (this.#usage) chunks.push({ type: 'usage', usage: this.#usage });
    this.#usage = undefined;
  }

  #sign(chunks: ModelChunk[], first: number): void {
    for (let i = first; i < chunks.length; i++) {
      const chunk = chunks[i];
      if (chunk?.type === 'reasoning') chunks[i] = { ...chunk, model: this.#options.asked.model };
    }
  }

  #unfinished() {
    const { asked, labelled } = this.#options;
    return this.#began || labelled ? cutOff(asked) : notAStream('something else', asked);
  }
}

function failed(failure: Failure): End {
  return { kind: 'failed', failure };
}

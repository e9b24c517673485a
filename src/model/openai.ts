/**
 * A language model behind the chat-completions interface of OpenAI, which most services and local servers speak.
 * Before anything was shown it repeats, asks with less, and falls back; afterwards it never does.
 */
import { OpenAI } from 'openai';
import { ModelError } from '../domain/errors.ts';
import type { Model, ModelChunk, ModelRequest } from '../ports/model.ts';
import type { Clock, Logger, ModelNotes } from '../ports/runtime.ts';
import { endable, untilAborted } from './abortable.ts';
import { askOnce, type Begun } from './ask-once.ts';
import { chatRequest } from './chat-request.ts';
import type { Progress } from './completion-reader.ts';
import { downgradeFor } from './downgrade.ts';
import { downgradeMemory } from './downgrade-memory.ts';
import type { Failure } from './failure.ts';
import { type Fetch, httpFetch } from './http-fetch.ts';
import { unusableKey } from './model-failure.ts';
import { withReadableErrors } from './readable-errors.ts';
import { waitBefore } from './retry.ts';
import { isPairingError } from './service-error-kinds.ts';

export interface OpenAiOptions {
  /** Address of the interface, usually ending in `/v1`. */
  readonly baseUrl: string;
  /** May be empty: then none is sent. */
  readonly apiKey: string;
  readonly model: string;
  /** Asked once when `model` does not answer. */
  readonly fallbackModel?: string | undefined;
  readonly notes: ModelNotes;
  readonly clock: Clock;
  readonly log: Logger;
  /** Largest request of the model. Unit: tokens. */
  readonly contextWindow?: number | undefined;
  /** Limit of an answer where a request sets none. Unit: tokens. */
  readonly maxTokens?: number | undefined;
  /** Temperature where a request sets none. */
  readonly temperature?: number | undefined;
  /** Default: `httpFetch`. */
  readonly fetch?: Fetch | undefined;
}

/** How long the SDK waits for the head of a response. The loop has its own, shorter limits. Unit: milliseconds. */
const headLimitMs = 600_000;

/** Builds the model. Nothing is sent before the first `stream`; a `return()` on its iterator closes the connection. */
export function openAiModel(options: OpenAiOptions): Model {
  const { baseUrl, apiKey, clock, log } = options;
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey || 'none',
    ...(apiKey === '' && { defaultHeaders: { Authorization: null } }),
    // Not from the environment: settings are read in one place.
    organization: null,
    project: null,
    adminAPIKey: null,
    maxRetries: 0,
    timeout: headLimitMs,
    logLevel: 'off',
    fetch: withReadableErrors(options.fetch ?? httpFetch(clock)),
  });
  const memory = downgradeMemory(options.notes, baseUrl, log);
  const defaults = {
    maxTokens: options.maxTokens,
    temperature: options.temperature,
    limitField:
      URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'api.openai.com'
        ? 'max_completion_tokens'
        : 'max_tokens',
  } as const;

  /** One try with one model; what the service refuses by name is left out and asked again. */
  async function tryWith(
    model: string,
    request: ModelRequest,
    { acceptEmpty }: { acceptEmpty: boolean },
    signal: AbortSignal,
  ): Promise<Begun | Failure> {
    const asked = { baseUrl, apiKey, model };
    const known = await untilAborted(memory.recall(model), signal);
    for (let learned = false; ; learned = true) {
      const { body, sent } = chatRequest(request, model, defaults, known);
      const send = () => client.chat.completions.create(body, { signal }).asResponse();
      const signed = model !== options.model;
      const outcome = await askOnce({ asked, send, acceptEmpty, signed, now: () => clock.now() }, signal);
      if (!('error' in outcome)) {
        if (learned) await untilAborted(memory.remember(model, known), signal);
        return outcome;
      }
      const { said, error } = outcome;
      if (!said) return outcome;
      // The message quotes the service in part and without keys; its own words might hold anything.
      const facts = { model, code: said.code, param: said.param, error: error.message };
      if (isPairingError(said)) log.error(facts, 'the model service found a call without its result');
      const change = downgradeFor(said, sent);
      if (change === undefined || known.has(change)) return outcome;
      log.warn({ change, ...facts }, 'the model service refused a part of the request; asking without it');
      known.add(change);
    }
  }

  /** Tries until an answer begins; says so while it waits. Returns the last failure when none did. */
  async function* begin(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelChunk, Begun | ModelError> {
    let failure: Failure | undefined;
    let attempt = 1;
    for (let sawEmpty = false; ; attempt++) {
      if (failure) {
        const afterMs = waitBefore(attempt, failure.retryAfterMs);
        if (afterMs === undefined) break;
        log.warn({ model: options.model, attempt, afterMs, error: failure.error }, 'asking the model again');
        yield { type: 'retrying', attempt, afterMs, why: failure.error.message };
        await clock.sleep(afterMs, signal);
      }
      const outcome = await tryWith(options.model, request, { acceptEmpty: sawEmpty }, signal);
      if (!('error' in outcome)) return outcome;
      if (!outcome.error.detail.retryable) return outcome.error;
      sawEmpty ||= outcome.empty === true;
      failure = outcome;
    }
    const { fallbackModel } = options;
    if (fallbackModel !== undefined && fallbackModel !== options.model) {
      log.warn({ model: options.model, fallbackModel, error: failure.error }, 'asking the fallback model');
      yield { type: 'retrying', attempt, afterMs: 0, why: failure.error.message };
      const second = await tryWith(fallbackModel, request, { acceptEmpty: true }, signal);
      if (!('error' in second)) return second;
      log.warn({ fallbackModel, error: second.error }, 'the fallback model failed as well');
    }
    return failure.error;
  }

  async function* answer(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk, void> {
    signal.throwIfAborted();
    const badKey = unusableKey({ baseUrl, apiKey, model: options.model });
    if (badKey) throw badKey;
    const begun = yield* begin(request, signal);
    if (begun instanceof ModelError) throw begun;
    let progress: Progress = { kind: 'chunks', chunks: begun.chunks };
    try {
      for (; progress.kind === 'chunks'; progress = await begun.reader.more(signal)) {
        for (const chunk of progress.chunks) yield chunk;
      }
    } finally {
      await begun.reader.close();
    }
    if (progress.kind === 'failed') throw progress.failure.error;
  }

  return {
    name: options.model,
    ...(options.contextWindow !== undefined && { contextWindow: options.contextWindow }),
    stream: (request, signal) => endable(signal, (ending) => answer(request, ending)),
  };
}

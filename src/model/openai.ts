/**
 * A language model behind the chat-completions interface of OpenAI, which most services and local servers speak.
 * Before anything was shown it repeats, asks with less, and falls back; afterwards it never does.
 */
import { OpenAI } from 'openai';
import type { Model, ModelChunk, ModelRequest } from '../ports/model.ts';
import type { Clock, Logger, ModelNotes } from '../ports/runtime.ts';
import { endable, untilAborted } from './abortable.ts';
import { askOnce, type Failure } from './ask-once.ts';
import { chatRequest } from './chat-request.ts';
import { downgradeFor } from './downgrade.ts';
import { downgradeMemory } from './downgrade-memory.ts';
import { type Fetch, httpFetch } from './http-fetch.ts';
import { unusableKey } from './model-failure.ts';
import { withReadableErrors } from './open-stream.ts';
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
  /** Default: `httpFetch`. With another one the marker `[DONE]` is not seen, so only a finish reason ends an answer. */
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
  async function* tryWith(
    model: string,
    request: ModelRequest,
    signal: AbortSignal,
    { acceptEmpty }: { acceptEmpty: boolean },
  ): AsyncGenerator<ModelChunk, Failure | undefined> {
    const asked = { baseUrl, apiKey, model };
    const known = await untilAborted(memory.recall(model), signal);
    let learned = false;
    for (;;) {
      const { body, sent } = chatRequest(request, model, defaults, known);
      const failure = yield* askOnce({
        asked,
        signal,
        acceptEmpty,
        signed: model !== options.model,
        send: () => client.chat.completions.create(body, { signal }),
        onAccepted: async () => {
          if (learned) await untilAborted(memory.remember(model, known), signal);
          learned = false;
        },
        now: () => clock.now(),
      });
      const said = failure?.said;
      if (!said) return failure;
      if (isPairingError(said))
        log.error({ model, said }, 'the model service found a call without its result');
      const change = downgradeFor(said, sent);
      if (change === undefined || known.has(change)) return failure;
      log.warn({ model, change, said }, 'the model service refused a part of the request; asking without it');
      known.add(change);
      learned = true;
    }
  }

  async function* answer(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk, void> {
    signal.throwIfAborted();
    const badKey = unusableKey({ baseUrl, apiKey, model: options.model });
    if (badKey) throw badKey;
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
      failure = yield* tryWith(options.model, request, signal, { acceptEmpty: sawEmpty });
      if (!failure) return;
      if (!failure.error.detail.retryable) throw failure.error;
      sawEmpty ||= failure.empty === true;
    }
    const { fallbackModel } = options;
    if (fallbackModel !== undefined && fallbackModel !== options.model) {
      log.warn({ model: options.model, fallbackModel, error: failure.error }, 'asking the fallback model');
      yield { type: 'retrying', attempt, afterMs: 0, why: failure.error.message };
      const second = yield* tryWith(fallbackModel, request, signal, { acceptEmpty: true });
      if (!second) return;
      log.warn({ fallbackModel, error: second.error }, 'the fallback model failed as well');
    }
    throw failure.error;
  }

  return {
    name: options.model,
    ...(options.contextWindow !== undefined && { contextWindow: options.contextWindow }),
    stream: (request, signal) => endable(signal, (ending) => answer(request, ending)),
  };
}

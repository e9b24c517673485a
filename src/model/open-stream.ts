/** Sends one request through the SDK and makes sure that what comes back is a stream of events. */
import type { APIPromise } from 'openai';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Stream } from 'openai/streaming';
import { type Fetch, StreamedResponse } from './http-fetch.ts';
import { serviceErrorOfText, type ServiceError } from './service-error.ts';

/** Longest body of an error that is read. Unit: bytes. */
const maxErrorBody = 65_536;

export interface OpenedStream {
  readonly events: Stream<ChatCompletionChunk>;
  /** The body is said to be a stream of events; else only its events can tell. */
  readonly labelled: boolean;
  /** The marker line `data: [DONE]` has come by. Never true with a `fetch` that is not ours. */
  sawDone(): boolean;
}

/** The service answered, but with an error or with something that is no stream. */
export type NoStream =
  | { readonly kind: 'error'; readonly said: ServiceError }
  | { readonly kind: 'page' | 'json' };

/** Looks at the head of the response, and at its body when that is not a stream. Throws what the SDK throws. */
export async function openStream(
  asked: APIPromise<Stream<ChatCompletionChunk>>,
): Promise<OpenedStream | NoStream> {
  const { data: events, response } = await asked.withResponse();
  const type = response.headers.get('content-type')?.toLowerCase() ?? '';
  if (type.includes('html')) {
    await response.body?.cancel();
    return { kind: 'page' };
  }
  if (type.includes('json') && !type.includes('stream')) {
    const said = serviceErrorOfText(await startOf(response));
    return said.message === '' ? { kind: 'json' } : { kind: 'error', said };
  }
  return {
    events,
    labelled: type.includes('event-stream'),
    sawDone: () => response instanceof StreamedResponse && response.sawDone,
  };
}

/**
 * The SDK keeps only the `error` member of an error's body. This folds every dialect into that member, so that
 * nothing a service says is lost.
 */
export function withReadableErrors(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok || response.body === null) return response;
    const { status, headers } = response;
    const error = serviceErrorOfText(await startOf(response), status);
    return new Response(JSON.stringify({ error }), { status, headers });
  };
}

async function startOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    bytes += chunk.byteLength;
    if (bytes >= maxErrorBody) break;
  }
  return text;
}

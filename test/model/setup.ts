/** What the tests of the model adapter share: small doubles of its ports and a way to hear a whole response. */
import { CallId } from '../../src/domain/ids.ts';
import type { ModelMessage } from '../../src/domain/message.ts';
import { httpFetch } from '../../src/model/http-fetch.ts';
import { type OpenAiOptions, openAiModel } from '../../src/model/openai.ts';
import type { Model, ModelChunk, ModelRequest, ToolSchema } from '../../src/ports/model.ts';
import type { Logger, ModelNotes } from '../../src/ports/runtime.ts';
import { manualClock } from '../support/clock.ts';

export interface LogLine {
  readonly level: keyof Logger;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export function recordingLog(): Logger & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: keyof Logger) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    lines.push({ level, fields, message });
  };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export function memoryNotes(): ModelNotes & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    get: async (key) => entries.get(key),
    set: async (key, value) => void entries.set(key, value),
  };
}

/** A model over `url` with a clock that stands still; everything can be replaced. */
export function modelAt(url: string, options: Partial<OpenAiOptions> = {}): Model {
  return openAiModel({
    baseUrl: url,
    apiKey: 'test-key-1234',
    model: 'test-model',
    notes: memoryNotes(),
    clock: manualClock(),
    log: recordingLog(),
    // The connection has a time of its own, so that tests of waiting see only the waits of the adapter.
    fetch: httpFetch(manualClock()),
    ...options,
  });
}

export const search: ToolSchema = {
  name: 'search',
  description: 'Looks something up.',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};

/** A request with one message of a person; anything can be replaced. */
export function asking(text: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [person(text)], tools: [], toolChoice: 'auto', ...more };
}

export function person(text: string): ModelMessage {
  return { role: 'user', content: text, source: 'person' };
}

export function assistant(
  content: string,
  ...calls: readonly [id: string, name: string, args: string][]
): ModelMessage {
  return {
    role: 'assistant',
    content,
    calls: calls.map(([id, name, args]) => ({ id: CallId(id), name, args })),
  };
}

export function result(id: string, content: string, name = 'search'): ModelMessage {
  return { role: 'tool', callId: CallId(id), name, content, status: 'ok' };
}

/** Everything a response says, in order; `error` is what it threw. */
export interface Heard {
  readonly chunks: readonly ModelChunk[];
  readonly error: unknown;
  /** Its text chunks joined. */
  readonly text: string;
}

/** Plays a response to its end. Never throws. */
export async function hear(
  model: Model,
  request: ModelRequest = asking('hello'),
  signal: AbortSignal = new AbortController().signal,
): Promise<Heard> {
  const chunks: ModelChunk[] = [];
  let error: unknown;
  try {
    for await (const chunk of model.stream(request, signal)) chunks.push(chunk);
  } catch (thrown) {
    error = thrown;
  }
  return { chunks, error, text: chunks.map((chunk) => (chunk.type === 'text' ? chunk.text : '')).join('') };
}

import type { ModelMessage } from '../domain/message.ts';
import type { Usage } from '../domain/turn.ts';

/**
 * One language model.
 *
 * `stream` yields chunks as they arrive and returns when the response has ended. It throws `ModelError` for every
 * failure of the service, and the signal's reason when aborted; it never hangs after an abort. Before its first chunk
 * an implementation may retry and fall back by itself; after the first chunk it must not.
 */
export interface Model {
  /** Shown in logs and compared before reasoning is replayed. */
  readonly name: string;
  /** Largest request in tokens, when known. */
  readonly contextWindow?: number;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelChunk>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSchema[];
  /** `none`: the response must be text; calls in it are dropped unread. */
  readonly toolChoice: 'auto' | 'none';
  readonly maxTokens?: number;
  readonly temperature?: number;
}

export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object type. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export type ModelChunk =
  | { readonly type: 'text'; readonly text: string }
  /** `model` is set when another model than `name` answers: reasoning is replayed only to the one that wrote it. */
  | { readonly type: 'reasoning'; readonly text: string; readonly model?: string }
  /** A fragment of a call, with whatever the provider sent of it. */
  | {
      readonly type: 'call';
      readonly index?: number | null | undefined;
      readonly id?: string | undefined;
      readonly name?: string | undefined;
      readonly args?: string | undefined;
    }
  | { readonly type: 'finish'; readonly reason: FinishReason }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The adapter is waiting before it asks again; nothing of this response was shown. */
  | { readonly type: 'retrying'; readonly attempt: number; readonly afterMs: number; readonly why: string };

/** `stop` and `calls` are complete responses; `length` was cut by the output limit. */
export type FinishReason = 'stop' | 'calls' | 'length';

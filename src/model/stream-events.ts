/** From one event of a completion stream to the chunks of the model port. Unknown fields and empty events are harmless. */
import type { Usage } from '../domain/turn.ts';
import type { FinishReason, ModelChunk } from '../ports/model.ts';

/** What is read of an event. Servers leave out, null or retype any of it. */
export interface StreamEvent {
  /** `error` where vLLM puts an error without wrapping it. */
  readonly object?: unknown;
  readonly error?: unknown;
  readonly choices?: readonly Choice[] | null;
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | null;
}

interface Choice {
  readonly delta?: Delta | null;
  readonly finish_reason?: unknown;
}

interface Delta {
  readonly content?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly tool_calls?: readonly (CallDelta | null)[] | null;
}

interface CallDelta {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

/** Appends the text, reasoning and call chunks of an event to `out`, in the order in which they are shown. */
export function readDelta(event: StreamEvent, out: ModelChunk[]): void {
  const delta = event.choices?.[0]?.delta;
  if (!delta) return;
  const reasoning = stringIn(delta.reasoning_content) ?? stringIn(delta.reasoning);
  if (reasoning !== undefined) out.push({ type: 'reasoning', text: reasoning });
  const text = stringIn(delta.content);
  if (text !== undefined) out.push({ type: 'text', text });
  if (!Array.isArray(delta.tool_calls)) return;
  for (const call of delta.tool_calls) if (call) out.push(callChunk(call));
}

/** The error that an event is, in whatever form; `undefined` for every other event. */
export function errorIn(event: StreamEvent): unknown {
  return event.error || event.object === 'error' ? event : undefined;
}

/** The finish reason as the service wrote it, `undefined` while there is none. */
export function finishIn(event: StreamEvent): string | undefined {
  return stringIn(event.choices?.[0]?.finish_reason);
}

/** What a finish reason means; anything unknown is a complete response. */
export function finishReason(raw: string): FinishReason {
  switch (raw) {
    case 'length':
    case 'max_tokens':
    case 'max_output_tokens':
      return 'length';
    case 'tool_calls':
    case 'function_call':
      return 'calls';
    default:
      return 'stop';
  }
}

export function usageIn({ usage }: StreamEvent): Usage | undefined {
  if (!usage) return undefined;
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  return typeof prompt === 'number' && typeof completion === 'number' ? { prompt, completion } : undefined;
}

function callChunk({ index, id, function: called }: CallDelta): ModelChunk {
  const args = called?.arguments;
  return {
    type: 'call',
    index: typeof index === 'number' || index === null ? index : undefined,
    id: typeof id === 'string' ? id : undefined,
    name: typeof called?.name === 'string' ? called.name : undefined,
    // Some servers send the object itself.
    args: typeof args === 'object' && args !== null ? JSON.stringify(args) : stringIn(args),
  };
}

/** A text that is there and not empty. */
function stringIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

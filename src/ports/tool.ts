import type { SurfaceAddress } from '../domain/address.ts';
import type { CallId, ConversationId, UserId } from '../domain/ids.ts';
import type { Source } from '../domain/source.ts';
import type { ToolSchema } from './model.ts';

/** Something the model can ask for. `run` never sees arguments that its `parse` refused. */
export interface Tool {
  readonly schema: ToolSchema;
  /** Argument names without which a call is answered instead of run. */
  readonly required: readonly string[];
  /** May calls of this tool overlap with their neighbours? Everything else waits for all before it. */
  readonly mode: 'parallel' | 'exclusive';
  /** A question to the person: runs after every other call of its response, and only once per response. */
  readonly isQuestion?: boolean;
  /** What repeating a call may do; decides what the model is told after a crash. */
  readonly effect: 'none' | 'idempotent' | 'unsafe';
  readonly timeoutMs: number;
  run(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>;
}

export interface ToolContext {
  readonly callId: CallId;
  /** Equal for every attempt at this call: `conversation:turn:call`. */
  readonly idempotencyKey: string;
  /** The person who is being answered, when one is. */
  readonly user: UserId | undefined;
  /** The turn that asked for the call; absent where a tool runs outside of one. */
  readonly turn?: ToolTurn;
  /** Aborted when the turn is stopped or the time-out has passed. */
  readonly signal: AbortSignal;
}

export interface ToolTurn {
  readonly conversation: ConversationId;
  /** Where the turn answers. */
  readonly address: SurfaceAddress | undefined;
  /** The turn was opened by a due task, not by a person. */
  readonly isScheduled: boolean;
}

/** `text` goes to the model. A failed tool is an answer to the model, not an exception of the loop. */
export type ToolResult =
  /** `sources`: what an answer that uses it rests on; people can have them shown. */
  | { readonly kind: 'text'; readonly text: string; readonly sources?: readonly Source[] }
  | { readonly kind: 'failed'; readonly text: string; readonly badArgs?: true }
  /** The turn waits for the person; the answer becomes this call's result. */
  | { readonly kind: 'pause'; readonly question: unknown }
  /** The turn ends with this text as its answer. */
  | { readonly kind: 'conclude'; readonly text: string };

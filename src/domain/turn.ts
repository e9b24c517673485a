import type { CallId } from './ids.ts';
import type { ResultStatus, ToolCall } from './message.ts';
import type { Source } from './source.ts';

/** How a turn ended. `answer` is the last final text; a person may have seen more. */
export type Outcome =
  | { readonly kind: 'finish' | 'stuck' | 'budget' | 'concluded'; readonly answer: string }
  /** A question is open; the turn goes on when it is answered. */
  | { readonly kind: 'paused'; readonly callId: CallId; readonly question: unknown }
  | { readonly kind: 'no_reply' }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'aborted'; readonly answer: string; readonly cause: string }
  /** The answer was cut and could not be continued: `answer` is what is shown. */
  | { readonly kind: 'interrupted'; readonly answer: string }
  | { readonly kind: 'error'; readonly failure: Failure; readonly retryable: boolean };

/** An error as plain data: it travels between processes and is told to people. */
export interface Failure {
  /** Of a `TutorError`, else `internal`. */
  readonly code: string;
  readonly message: string;
  /** What the person can do about it; empty for `internal`. */
  readonly hint: string;
}

/** Token counts as reported by the provider, else estimated. Unit: tokens. */
export interface Usage {
  readonly prompt: number;
  readonly completion: number;
  readonly estimated?: true;
}

/**
 * What a turn says while it runs. The loop emits and never waits; `render` turns events into texts. The order of
 * events is the order of what happened.
 */
export type TurnEvent =
  | {
      readonly type: 'phase';
      readonly phase: 'reading' | 'thinking' | 'using' | 'writing';
      readonly tool?: string;
    }
  | { readonly type: 'thinking.delta'; readonly text: string }
  | { readonly type: 'answer.delta'; readonly text: string }
  /**
   * Shown text is taken back: the current answer keeps its first `keep` UTF-16 units, the rest (`draft`) belongs to
   * the trace.
   */
  | {
      readonly type: 'answer.retracted';
      readonly keep: number;
      readonly draft: string;
      readonly why: 'narration' | 'repair' | 'retry';
    }
  /**
   * The turn goes on. `closedAnswers` are the texts of its finished messages, what follows repeats the next one. After a
   * crash their last text may not have been shown. `work` is what was thought and done before, in the events of then.
   */
  | {
      readonly type: 'turn.resumed';
      readonly by: 'answer' | 'crash';
      readonly closedAnswers: readonly string[];
      readonly work: readonly TurnEvent[];
    }
  /** The answer so far stands as a finished message; later final text opens another one. */
  | { readonly type: 'answer.closed' }
  | { readonly type: 'tool.started'; readonly call: ToolCall }
  | {
      readonly type: 'tool.finished';
      readonly callId: CallId;
      readonly name: string;
      readonly status: ResultStatus;
      readonly ms: number;
      readonly sources?: readonly Source[];
    }
  | { readonly type: 'notice'; readonly notice: Notice; readonly detail?: string }
  | { readonly type: 'question.opened'; readonly callId: CallId; readonly question: unknown }
  | {
      readonly type: 'question.closed';
      readonly callId: CallId;
      readonly as: 'answered' | 'expired' | 'closed';
    }
  /** A line of the bot itself, outside of any answer. */
  | { readonly type: 'told'; readonly text: string }
  | { readonly type: 'steer.used'; readonly count: number }
  | { readonly type: 'turn.ended'; readonly outcome: Outcome };

/** Small lines about the work itself; they stand in the trace, never in the answer. */
export type Notice =
  | 'settling'
  | 'closing'
  | 'stuck'
  | 'retrying'
  | 'repairing'
  | 'continuing'
  | 'context_cut';

/** One running turn: its journal folds, its answer, and the one way in which anything of it is recorded. */
import { failureOf, ModelError, TurnParkedError } from '../domain/errors.ts';
import type { Fate, JournalRecord } from '../domain/journal.ts';
import type { UserSource } from '../domain/message.ts';
import type { Outcome, TurnEvent } from '../domain/turn.ts';
import { AnswerFeed } from './answer-feed.ts';
import { ModelCalls } from './ask-model.ts';
import type { UserRecord } from './hooks.ts';
import type { MessageFold } from './messages.ts';
import type { Recovery } from './recover.ts';
import type { Reply } from './strategy.ts';
import type { LoopIo, TurnInput } from './turn-io.ts';
import type { TurnState } from './turn-state.ts';

/** Where a turn stands. The loop moves from place to place until it is at the end. */
export type Place =
  | { readonly at: 'boundary' }
  | { readonly at: 'close'; readonly why: CloseReason; readonly detail?: string }
  | { readonly at: 'stopping'; readonly kind: 'finish' | 'concluded'; readonly answer: string }
  | { readonly at: 'end'; readonly outcome: Outcome };

/** Why the loop closes a turn itself: rounds used up, protocol not held, no progress, a failed model call. */
export type CloseReason = 'budget' | 'repairs' | 'stuck' | 'error';

export class TurnContext {
  readonly fold: MessageFold;
  readonly state: TurnState;
  readonly feed: AnswerFeed;
  readonly model: ModelCalls;
  /** What the journal said when this run began. */
  readonly recovery: Recovery;
  readonly tools;
  /** Messages that the next step takes first. */
  opening: readonly UserRecord[] = [];
  /** Added to the next repair note. */
  repairDetail: string | undefined;

  constructor(
    readonly input: TurnInput,
    readonly io: LoopIo,
  ) {
    this.tools = new Map(input.tools.map((tool) => [tool.schema.name, tool]));
    const { fold, state, recovery } = input.recovered;
    this.fold = fold;
    this.state = state;
    this.recovery = recovery;
    const emit = (event: TurnEvent) => this.emit(event);
    this.feed = new AnswerFeed(emit);
    this.model = new ModelCalls(input, io, fold, this.feed, emit, (...records) => this.record(...records));
  }

  get isStopped(): boolean {
    return this.io.signal.aborted;
  }

  /** Durable first, then folded: what the model sees is never ahead of the journal. */
  async record(...records: JournalRecord[]): Promise<void> {
    await this.io.journal.append(records);
    for (const record of records) {
      this.fold.add(record);
      this.state.add(record);
      contain(() => this.io.hooks.onRecord?.(record));
    }
  }

  emit(event: TurnEvent): void {
    this.io.emit(event);
    contain(() => this.io.hooks.onEvent?.(event));
  }

  /** Records a response and the end of its step; `after` comes between the two. */
  async recordResponse(
    reply: Reply,
    content: string,
    options: { fate?: Fate; interrupted?: boolean; after?: readonly JournalRecord[] } = {},
  ): Promise<void> {
    const { fate, interrupted, after = [] } = options;
    const response = this.response(reply, content, []);
    await this.record(
      {
        ...response,
        ...(fate === undefined ? {} : { fate }),
        ...(interrupted === true ? { interrupted } : {}),
      },
      ...after,
      { type: 'step/end', usage: reply.usage },
    );
  }

  /** The journal form of a response. */
  response(
    reply: Reply,
    content: string,
    calls: Extract<JournalRecord, { type: 'assistant/message' }>['calls'],
  ): Extract<JournalRecord, { type: 'assistant/message' }> {
    const { name } = this.io.model;
    const reasoning =
      reply.reasoning === ''
        ? {}
        : { reasoning: { text: reply.reasoning, model: reply.reasoningBy ?? name } };
    return { type: 'assistant/message', content, calls, ...reasoning };
  }

  /** Stopped between two responses; what is shown stays. */
  stopped(): Outcome {
    const { reason } = this.io.signal;
    if (reason instanceof TurnParkedError) throw reason;
    const cause = reason instanceof Error ? reason.message : String(reason);
    return { kind: 'aborted', answer: this.feed.text, cause };
  }

  /** Stopped while the model spoke: what it said is kept, calls it had begun are not. */
  async stoppedWhileStreaming(partial: Reply): Promise<Outcome> {
    if (this.io.signal.reason instanceof TurnParkedError) throw this.io.signal.reason;
    if (partial.text.trim() === '') await this.record({ type: 'step/end' });
    else await this.recordResponse(partial, partial.content, { interrupted: true });
    return this.stopped();
  }

  failed(error: unknown): Outcome {
    const retryable = error instanceof ModelError && error.detail.retryable;
    this.io.log.error({ error }, 'the turn ends with an error');
    return { kind: 'error', failure: failureOf(error), retryable };
  }
}

/** An observer changes nothing, so its failure must not either. */
function contain(observe: () => void): void {
  try {
    observe();
  } catch {
    // Contained by contract; observers log their own failures.
  }
}

/** A message of the loop itself. */
export function loopNote(source: UserSource, content: string): UserRecord {
  return { type: 'user/message', source, content };
}

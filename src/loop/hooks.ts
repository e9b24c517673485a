/**
 * The places where a turn can be changed without touching the loop: one object of optional functions. A waterfall hook
 * wraps what stands behind it; not calling `next` is a veto. Observers change nothing.
 */
import type { JournalRecord } from '../domain/journal.ts';
import type { ToolCall, UserContent } from '../domain/message.ts';
import type { TurnEvent } from '../domain/turn.ts';
import type { ModelChunk, ModelRequest } from '../ports/model.ts';
import type { Clock } from '../ports/runtime.ts';
import type { ToolResult } from '../ports/tool.ts';
import type { RoutedScene } from './scene.ts';

export type Waterfall<Input, Output> = (input: Input, next: () => Output) => Output;

export interface Hooks {
  /** Chooses or vetoes the scene of the text that opens a turn. A failure means the free loop. */
  readonly routeScene?: Waterfall<string, Promise<RoutedScene | undefined>> | undefined;
  /** Before each proposed step, with the messages it would take. A failure ends the turn with an error. */
  readonly preStep?: Waterfall<ProposedStep, Promise<StepDecision>> | undefined;
  /** The configuration of one request, never its messages. A failure fails the step. */
  readonly request?: Waterfall<ProposedStep, Promise<RequestConfig>> | undefined;
  /** Wraps the stream of a response, or serves it itself. */
  readonly stream?: Waterfall<StreamedRequest, AsyncIterable<ModelChunk>> | undefined;
  /** A failed request: may it be made again? A failure of the hook leaves it failed. */
  readonly requestError?: Waterfall<FailedRequest, Promise<'retry' | 'fail'>> | undefined;
  /** May this call run? A failure denies it. */
  readonly preExecute?: Waterfall<ToolCall, Promise<Permission>> | undefined;
  /** Wraps a tool's body; the only hook whose `next` may be called again. A failure fails that call. */
  readonly execute?:
    | Waterfall<{ readonly call: ToolCall; readonly signal: AbortSignal }, Promise<ToolResult>>
    | undefined;
  /** Replaces a result before it is recorded. A failure fails that call. */
  readonly postExecute?:
    | Waterfall<{ readonly call: ToolCall; readonly result: ToolResult }, Promise<ToolResult>>
    | undefined;
  /** The turn is about to end; `steer` continues it. A failure is logged and the turn ends. */
  readonly turnStopping?: ((stopping: StoppingTurn) => Promise<void>) | undefined;
  /** Each event and each record as they happen. Failures are contained. */
  readonly onEvent?: ((event: TurnEvent) => void) | undefined;
  readonly onRecord?: ((record: JournalRecord) => void) | undefined;
}

export interface ProposedStep {
  /** 1 for the first step of a turn. */
  readonly step: number;
  /** Empty on a step that only goes on after tools. */
  readonly messages: readonly UserRecord[];
}

export type UserRecord = Extract<JournalRecord, { type: 'user/message' }>;

export type StepDecision =
  | { readonly kind: 'enter'; readonly messages: readonly UserRecord[] }
  | { readonly kind: 'reject'; readonly reason: string };

export interface RequestConfig {
  readonly maxTokens?: number;
  readonly temperature?: number;
}

export interface StreamedRequest {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
}

export interface FailedRequest {
  readonly error: unknown;
  /** 1 for the first failure of a step. */
  readonly attempt: number;
  /** Text of it had been shown; it is taken back before another attempt. */
  readonly shown: boolean;
}

export type Permission = { readonly kind: 'allow' } | { readonly kind: 'deny'; readonly reason: string };

export interface StoppingTurn {
  /** The loop closed the turn itself: what is steered now opens the next one. */
  readonly forced: boolean;
  /** How often listeners have continued this turn already. */
  readonly continued: number;
  steer(content: UserContent): void;
}

/** Nests hooks; the first is the outermost. */
export function nestHooks(...all: readonly Hooks[]): Hooks {
  return all.reduceRight<Hooks>(
    (inner, outer) => ({
      routeScene: nest(outer.routeScene, inner.routeScene),
      preStep: nest(outer.preStep, inner.preStep),
      request: nest(outer.request, inner.request),
      stream: nest(outer.stream, inner.stream),
      requestError: nest(outer.requestError, inner.requestError),
      preExecute: nest(outer.preExecute, inner.preExecute),
      execute: nest(outer.execute, inner.execute, 'repeatable'),
      postExecute: nest(outer.postExecute, inner.postExecute),
      turnStopping: async (stopping) => {
        await outer.turnStopping?.(stopping);
        await inner.turnStopping?.(stopping);
      },
      onEvent: (event) => both(outer.onEvent, inner.onEvent, event),
      onRecord: (record) => both(outer.onRecord, inner.onRecord, record),
    }),
    {},
  );
}

/** Runs a waterfall hook, or what stands behind it when there is none. */
export function runHook<Input, Output>(
  hook: Waterfall<Input, Output> | undefined,
  input: Input,
  next: () => Output,
): Output {
  return hook === undefined ? next() : hook(input, next);
}

/** A hook that does not answer within this time has failed. Tool bodies have time-outs of their own. */
const hookLimitMs = 5_000;

/** Rejects when the hook takes longer than it may; a late answer is dropped. */
export async function limitHook<T>(running: Promise<T>, name: string, clock: Clock): Promise<T> {
  let cancel = () => {};
  const tooLate = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(hookLimitMs, () =>
      reject(new Error(`the ${name} hook did not answer within ${hookLimitMs} ms`)),
    );
  });
  try {
    return await Promise.race([running, tooLate]);
  } finally {
    cancel();
  }
}

function nest<Input, Output>(
  outer: Waterfall<Input, Output> | undefined,
  inner: Waterfall<Input, Output> | undefined,
  repeatable?: 'repeatable',
): Waterfall<Input, Output> | undefined {
  if (outer === undefined || inner === undefined) return outer ?? inner;
  return (input, next) => {
    const rest = () => inner(input, next);
    return outer(input, repeatable ? rest : once(rest));
  };
}

function once<Output>(next: () => Output): () => Output {
  let called = false;
  return () => {
    if (called) throw new Error('a hook called next() twice; only execute may');
    called = true;
    return next();
  };
}

function both<T>(
  first: ((value: T) => void) | undefined,
  second: ((value: T) => void) | undefined,
  value: T,
): void {
  for (const observer of [first, second]) {
    try {
      observer?.(value);
    } catch {
      // An observer changes nothing, so its failure must not either.
    }
  }
}

/** What a turn did, as one value: a pure fold of its events, in which every row reaches an end on every path. */
import { assertNever } from '../domain/errors.ts';
import type { CallId } from '../domain/ids.ts';
import type { ResultStatus, ToolCall } from '../domain/message.ts';
import type { Notice, Outcome, TurnEvent } from '../domain/turn.ts';

export interface Trace {
  readonly activity: Activity;
  /** When this activity began. Unit: milliseconds of the clock, as are all times here. */
  readonly since: number;
  /** Time spent on anything but writing and waiting, before this activity. */
  readonly thoughtMs: number;
  readonly items: readonly TraceItem[];
}

export type Activity =
  | { readonly kind: 'reading' | 'thinking' | 'writing' | 'using'; readonly tool?: string }
  /** For the person's answer. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'ended'; readonly outcome: Outcome['kind'] };

export type TraceItem =
  | { readonly kind: 'thinking'; readonly text: string }
  | ToolRow
  | { readonly kind: 'notice'; readonly notice: Notice; readonly detail?: string }
  /** Text that was shown as an answer and taken back. */
  | { readonly kind: 'draft'; readonly text: string }
  | { readonly kind: 'steer'; readonly count: number };

export interface ToolRow {
  readonly kind: 'tool';
  readonly callId: CallId;
  readonly name: string;
  /** As the model wrote them; empty when the row was never seen to start. */
  readonly args: string;
  readonly state: 'running' | 'waiting' | 'done' | 'failed' | 'skipped';
  readonly ms?: number;
}

type Resumed = Extract<TurnEvent, { type: 'turn.resumed' }>;

export function newTrace(at: number): Trace {
  return { activity: { kind: 'reading' }, since: at, thoughtMs: 0, items: [] };
}

/** `at` is the time of the event. */
export function traceAfter(trace: Trace, event: TurnEvent, at: number): Trace {
  switch (event.type) {
    case 'phase':
      return doing(trace, activityOf(event), at);
    case 'thinking.delta':
      return withThinking(doing(trace, { kind: 'thinking' }, at), event.text);
    case 'answer.delta':
      return doing(trace, { kind: 'writing' }, at);
    case 'answer.retracted':
      return event.draft.trim() === '' ? trace : withItem(trace, { kind: 'draft', text: event.draft });
    case 'answer.closed':
      return trace;
    case 'told':
      return trace;
    case 'question.closed':
      return doing(trace, { kind: 'thinking' }, at);
    case 'turn.resumed':
      return resumed(goingOn(trace, event, at), event.work, at);
    case 'tool.started':
      return doing(withItem(trace, startedRow(event.call)), { kind: 'using', tool: event.call.name }, at);
    case 'tool.finished':
      return finished(trace, event);
    case 'notice':
      return withItem(trace, {
        kind: 'notice',
        notice: event.notice,
        ...(event.detail === undefined ? {} : { detail: event.detail }),
      });
    case 'question.opened':
      return withRows(trace, (row) => (row.callId === event.callId ? { ...row, state: 'waiting' } : row));
    case 'steer.used':
      return withItem(trace, { kind: 'steer', count: event.count });
    case 'turn.ended':
      return ended(trace, event.outcome, at);
    default:
      return assertNever(event, 'traceAfter');
  }
}

/** Time before a crash is not known; what was answered by then needs no more thought, however long it takes to go on. */
function goingOn(trace: Trace, { by, closedAnswers }: Resumed, at: number): Trace {
  if (by === 'answer') return doing(trace, { kind: 'thinking' }, at);
  const kind = closedAnswers.length > 0 ? 'writing' : 'thinking';
  return { ...trace, activity: { kind }, since: at, thoughtMs: 0 };
}

/** Whoever has followed the turn knows more of its work than is told now. */
function resumed(trace: Trace, work: readonly TurnEvent[], at: number): Trace {
  if (trace.items.length > 0) return trace;
  const { items } = work.reduce((past, event) => traceAfter(past, event, at), newTrace(at));
  return { ...trace, items };
}

/** How long the turn has been at work without writing or waiting, until now. */
export function thoughtMs(trace: Trace, now: number): number {
  const { kind } = trace.activity;
  const counts = kind === 'reading' || kind === 'thinking' || kind === 'using';
  return trace.thoughtMs + (counts ? now - trace.since : 0);
}

export function toolRows(trace: Trace): ToolRow[] {
  return trace.items.filter((item) => item.kind === 'tool');
}

function doing(trace: Trace, activity: Activity, at: number): Trace {
  const { kind } = trace.activity;
  const isSame = kind === activity.kind && kind !== 'using';
  return isSame ? trace : { ...trace, activity, since: at, thoughtMs: thoughtMs(trace, at) };
}

function activityOf(event: Extract<TurnEvent, { type: 'phase' }>): Activity {
  return event.tool === undefined ? { kind: event.phase } : { kind: event.phase, tool: event.tool };
}

function withItem(trace: Trace, item: TraceItem): Trace {
  return { ...trace, items: [...trace.items, item] };
}

function withThinking(trace: Trace, text: string): Trace {
  const last = trace.items.at(-1);
  if (last?.kind !== 'thinking') return withItem(trace, { kind: 'thinking', text });
  return { ...trace, items: [...trace.items.slice(0, -1), { kind: 'thinking', text: last.text + text }] };
}

function withRows(trace: Trace, change: (row: ToolRow) => ToolRow): Trace {
  return { ...trace, items: trace.items.map((item) => (item.kind === 'tool' ? change(item) : item)) };
}

function startedRow(call: ToolCall): ToolRow {
  return { kind: 'tool', callId: call.id, name: call.name, args: call.args, state: 'running' };
}

function finished(trace: Trace, event: Extract<TurnEvent, { type: 'tool.finished' }>): Trace {
  const { callId, name, status, ms } = event;
  const end = { state: endOf[status], ms } as const;
  const isKnown = toolRows(trace).some((row) => row.callId === callId);
  if (!isKnown) return withItem(trace, { kind: 'tool', callId, name, args: '', ...end });
  return withRows(trace, (row) => (row.callId === callId ? { ...row, ...end } : row));
}

/** A turn that waits keeps its question open; everything else that has no result will get none. */
function ended(trace: Trace, outcome: Outcome, at: number): Trace {
  const paused = outcome.kind === 'paused' ? outcome.callId : undefined;
  const closed = withRows(trace, (row) => {
    if (row.state !== 'running' && row.state !== 'waiting') return row;
    return { ...row, state: row.callId === paused ? 'waiting' : 'skipped' };
  });
  const activity: Activity =
    paused === undefined ? { kind: 'ended', outcome: outcome.kind } : { kind: 'waiting' };
  return doing(closed, activity, at);
}

const endOf: Record<ResultStatus, 'done' | 'failed' | 'skipped'> = {
  ok: 'done',
  answered: 'done',
  error: 'failed',
  unknown_tool: 'failed',
  bad_args: 'failed',
  outcome_unknown: 'failed',
  duplicate: 'skipped',
  denied: 'skipped',
  overflow: 'skipped',
  skipped: 'skipped',
  truncated: 'skipped',
  aborted: 'skipped',
  no_reply: 'skipped',
  superseded: 'skipped',
  not_started: 'skipped',
};

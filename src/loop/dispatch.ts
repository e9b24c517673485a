/**
 * Runs the calls of one response: bodies overlap where they may, records come in model order, and every call gets
 * exactly one result on every path.
 */
import { TurnParkedError } from '../domain/errors.ts';
import type { CallId } from '../domain/ids.ts';
import type { JournalRecord } from '../domain/journal.ts';
import type { ResultStatus, ToolCall } from '../domain/message.ts';
import type { Source } from '../domain/source.ts';
import type { TurnEvent } from '../domain/turn.ts';
import type { Clock } from '../ports/runtime.ts';
import type { ToolResult } from '../ports/tool.ts';
import { groupCalls, isQuestion, type PlannedCall } from './call-plan.ts';
import { type Hooks, limitHook } from './hooks.ts';
import { resultText } from './result-texts.ts';
import type { StuckGuard } from './stuck.ts';
import { runBody, type ToolRun } from './tool-body.ts';

export interface DispatchInput {
  readonly plan: readonly PlannedCall[];
  readonly stuck: StuckGuard;
  readonly parallel: number;
  readonly hooks: Hooks;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** What a tool is told about the turn it runs in. */
  readonly run: ToolRun;
  readonly record: (...records: JournalRecord[]) => Promise<void>;
  readonly emit: (event: TurnEvent) => void;
}

/** What the loop does next. Precedence: stopped, paused, concluded, stuck. */
export type DispatchOutcome =
  | { readonly next: 'stop' }
  | { readonly next: 'pause'; readonly callId: CallId; readonly question: unknown }
  | { readonly next: 'conclude'; readonly callId: CallId; readonly text: string }
  | { readonly next: 'stuck'; readonly reason: string }
  | { readonly next: 'step' };

export async function dispatch(input: DispatchInput): Promise<DispatchOutcome> {
  return new Dispatch(input).run();
}

interface Settled {
  readonly status: ResultStatus;
  readonly text: string;
  readonly pause?: { readonly question: unknown };
  readonly concluded?: boolean;
  readonly sources?: readonly Source[];
}

class Dispatch {
  private readonly settled = new Map<CallId, Settled>();
  private readonly startedAt = new Map<CallId, number>();
  private readonly ran: ToolCall[] = [];
  /** Records are written in this order; questions come last because they run last. */
  private readonly commitOrder: readonly PlannedCall[];
  private committed = 0;
  private stuckReason: string | undefined;
  private halted = false;
  private readonly pauses: { call: ToolCall; question: unknown }[] = [];

  constructor(private readonly input: DispatchInput) {
    const { plan } = input;
    this.commitOrder = [...plan.filter((each) => !isQuestion(each)), ...plan.filter(isQuestion)];
    for (const each of plan) {
      if (each.kind === 'answer') this.settled.set(each.call.id, { status: each.status, text: each.text });
    }
  }

  async run(): Promise<DispatchOutcome> {
    for (const group of groupCalls(this.input.plan)) {
      if (this.isOver) break;
      await this.runGroup(group);
    }
    await this.answerTheRest();
    return this.outcome(await this.settlePauses());
  }

  private get isOver(): boolean {
    return this.halted || this.input.signal.aborted;
  }

  /** Starts in model order, at most `parallel` bodies at a time; the next one starts as soon as one has settled. */
  private async runGroup(group: readonly PlannedCall[]): Promise<void> {
    const running = new Set<Promise<void>>();
    for (const planned of group) {
      while (running.size >= this.input.parallel) {
        await Promise.race(running);
        await this.commitSettled();
      }
      if (this.isOver) break;
      const reason = this.input.stuck.countCall(planned.call);
      const started = await this.start(planned);
      if (started !== undefined) {
        const settling = started.body.then((settled) => {
          this.settled.set(planned.call.id, settled);
          running.delete(settling);
        });
        running.add(settling);
      }
      if (reason !== undefined) {
        this.stuckReason ??= reason;
        this.halted = true;
      }
    }
    while (running.size > 0) {
      await Promise.race(running);
      await this.commitSettled();
    }
    await this.commitSettled();
  }

  /** Asks for permission, records the start, and returns the running body; undefined when the call was answered. */
  private async start(planned: PlannedCall): Promise<{ body: Promise<Settled> } | undefined> {
    const { call } = planned;
    this.startedAt.set(call.id, this.input.clock.now());
    this.input.emit({ type: 'tool.started', call });
    await this.input.record({ type: 'tool/call', call });
    if (planned.kind === 'run') {
      const permission = await this.permission(call);
      if (permission.kind === 'deny') {
        this.settled.set(call.id, { status: 'denied', text: `Not run: ${permission.reason}` });
        return undefined;
      }
      this.ran.push(call);
      this.input.emit({ type: 'phase', phase: 'using', tool: call.name });
      const { hooks, clock, signal, run } = this.input;
      const { tool, args } = planned;
      return { body: runBody({ call, tool, args, run, hooks, clock, signal }).then(toSettled) };
    }
    this.settled.set(call.id, { status: planned.status, text: planned.text });
    return undefined;
  }

  private async permission(call: ToolCall) {
    const { hooks, clock } = this.input;
    if (hooks.preExecute === undefined) return { kind: 'allow' } as const;
    try {
      const asked = hooks.preExecute(call, async () => ({ kind: 'allow' }));
      return await limitHook(asked, 'preExecute', clock);
    } catch (error) {
      return { kind: 'deny', reason: `the check before the call failed (${messageOf(error)})` } as const;
    }
  }

  /** Records every result whose elders are recorded: a fast call waits for its slower elder. */
  private async commitSettled(): Promise<void> {
    for (;;) {
      const planned = this.commitOrder[this.committed];
      const settled = planned && this.settled.get(planned.call.id);
      if (planned === undefined || settled === undefined) return;
      this.committed += 1;
      await this.commit(planned.call, settled);
    }
  }

  private async commit(call: ToolCall, raw: Settled): Promise<void> {
    const { reason } = this.input.signal;
    // How a call ends because this process does says nothing about the call: the next process tells what is known.
    if (reason instanceof TurnParkedError && raw.status !== 'ok') throw reason;
    const settled = await this.afterExecution(call, raw);
    if (settled.pause !== undefined) {
      this.pauses.push({ call, question: settled.pause.question });
      return;
    }
    await this.recordResult(call, settled);
  }

  private async recordResult(call: ToolCall, settled: Settled): Promise<void> {
    const { status, text, sources = [] } = settled;
    await this.input.record({
      type: 'tool/result',
      callId: call.id,
      name: call.name,
      status,
      content: text,
      ...(settled.concluded === true && { concluded: true as const }),
      ...(sources.length > 0 && { sources }),
    });
    this.finishRow(call, status, sources);
    const reason = this.input.stuck.countResult(call.name, status);
    if (reason !== undefined) {
      this.stuckReason ??= reason;
      this.halted = true;
    }
  }

  private async afterExecution(call: ToolCall, settled: Settled): Promise<Settled> {
    const { hooks, clock, signal } = this.input;
    const aborted: Settled = { status: 'aborted', text: resultText('aborted') };
    // A success after the stop is one nobody asked for any more; a failure stays what it is.
    const isStopped = signal.aborted && !(signal.reason instanceof TurnParkedError);
    const stopped = isStopped && settled.status === 'ok' ? aborted : settled;
    if (hooks.postExecute === undefined || stopped.pause !== undefined || !this.startedAt.has(call.id))
      return stopped;
    const kind = stopped.concluded === true ? 'conclude' : stopped.status === 'ok' ? 'text' : 'failed';
    const { sources = [] } = stopped;
    const result: ToolResult =
      kind === 'text' ? { kind, text: stopped.text, sources } : { kind, text: stopped.text };
    try {
      const replaced = await limitHook(
        hooks.postExecute({ call, result }, async () => result),
        'postExecute',
        clock,
      );
      return replaced === result ? stopped : toSettled(replaced);
    } catch (error) {
      return { status: 'error', text: `The result could not be used: ${messageOf(error)}` };
    }
  }

  /** What has no result yet: aborted when the person stopped the turn, else skipped because an elder was stuck. */
  private async answerTheRest(): Promise<void> {
    const { signal, record } = this.input;
    if (signal.reason instanceof TurnParkedError) throw signal.reason;
    for (const { call } of this.commitOrder.slice(this.committed)) {
      const answered = this.settled.get(call.id);
      if (answered === undefined && signal.aborted && !this.startedAt.has(call.id)) {
        await record({ type: 'tool/call', call });
      }
      const status = signal.aborted ? 'aborted' : 'skipped';
      this.committed += 1;
      await this.commit(call, answered ?? { status, text: resultText(status) });
    }
  }

  /** Every row reaches an end state; one that never started appears already ended. */
  private finishRow(call: ToolCall, status: ResultStatus, sources: readonly Source[] = []): void {
    const { emit, clock } = this.input;
    const startedAt = this.startedAt.get(call.id);
    if (startedAt === undefined) emit({ type: 'tool.started', call });
    const ms = startedAt === undefined ? 0 : clock.now() - startedAt;
    const found = sources.length === 0 ? {} : { sources };
    emit({ type: 'tool.finished', callId: call.id, name: call.name, status, ms, ...found });
  }

  /** One question can be open: the first in model order. The others are told so; a stop closes them all. */
  private async settlePauses(): Promise<{ call: ToolCall; question: unknown } | undefined> {
    const { plan, signal } = this.input;
    const inOrder = plan.flatMap(({ call }) => this.pauses.filter((each) => each.call.id === call.id));
    const open = signal.aborted ? undefined : inOrder[0];
    for (const { call } of inOrder) {
      if (call.id === open?.call.id) continue;
      const busy = {
        status: 'ok',
        text: 'Another question is open. Ask this one when it is answered.',
      } as const;
      const stopped = { status: 'aborted', text: resultText('aborted') } as const;
      await this.recordResult(call, signal.aborted ? stopped : busy);
    }
    return open;
  }

  private outcome(open: { call: ToolCall; question: unknown } | undefined): DispatchOutcome {
    const batchReason = this.input.stuck.countBatch(this.ran);
    if (this.input.signal.aborted) return { next: 'stop' };
    if (open !== undefined) return { next: 'pause', callId: open.call.id, question: open.question };
    for (const { call } of this.input.plan) {
      const settled = this.settled.get(call.id);
      if (settled?.concluded === true) return { next: 'conclude', callId: call.id, text: settled.text };
    }
    const reason = this.stuckReason ?? batchReason;
    return reason === undefined ? { next: 'step' } : { next: 'stuck', reason };
  }
}

function toSettled(result: ToolResult): Settled {
  switch (result.kind) {
    case 'text':
      return { status: 'ok', text: result.text, sources: result.sources ?? [] };
    case 'failed':
      return { status: result.badArgs === true ? 'bad_args' : 'error', text: result.text };
    case 'pause':
      return { status: 'ok', text: '', pause: { question: result.question } };
    case 'conclude':
      return { status: 'ok', text: result.text, concluded: true };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Where the open turn stands, folded from its records: the same fold runs live and after a crash. */

import type { CallId, TurnId } from '../domain/ids.ts';
import type { Fate, JournalRecord } from '../domain/journal.ts';
import type { ResultStatus, ToolCall, UserSource } from '../domain/message.ts';
import type { LoopSettings } from './settings.ts';
import type { Strategy } from './strategy.ts';
import { StuckGuard } from './stuck.ts';

/** A loop note that the last response made necessary; it is said at the next boundary, after what people wrote. */
export type DueNote = Exclude<
  UserSource,
  'person' | 'steer' | 'inject' | 'scene' | 'settle' | 'final' | 'stuck' | 'feedback'
>;

/** Results of calls whose body ran. */
const ranStatuses: ReadonlySet<ResultStatus> = new Set(['ok', 'answered', 'error']);

export class TurnState {
  readonly stuck: StuckGuard;
  /** The open turn, or undefined between turns. */
  turn: TurnId | undefined;
  /** Model responses so far; the round budget counts these. */
  used = 0;
  settled = false;
  nudged = false;
  repairsInRow = 0;
  steers = 0;
  cuts = 0;
  /** How often a process died since the last response. */
  crashes = 0;
  /** The process before this one gave the turn back by itself. */
  private parked = false;
  /** A guard asked for the closing call, which has not been made yet. */
  tripped: { readonly guard: string; readonly detail: string } | undefined;
  /** Texts of the answer messages of this turn that are finished. */
  closedAnswers: readonly string[] = [];
  dueNote: DueNote | undefined;
  /** The call a person must answer before the turn goes on, and what it asks. */
  pausedCall: CallId | undefined;
  question: unknown;
  /** A step was started and its response has not come. */
  stepOpen = false;
  /** Cut parts of the answer that the next response goes on with. */
  parts: string[] = [];
  /** The label those parts had; '' under the native protocol. */
  partLabel = '';
  /** Text of the current answer message. */
  shown = '';
  /** The answer is complete; only the end of the turn is missing. */
  answer: string | undefined;
  concluded = false;
  /** Calls recorded as started that have no result. */
  readonly started = new Set<string>();
  private readonly batch = new Map<string, ToolCall>();
  /** Every call id of the conversation: none may be used twice. */
  readonly callIds = new Set<string>();

  constructor(
    private readonly strategy: Strategy,
    settings: LoopSettings,
  ) {
    this.stuck = new StuckGuard(settings);
  }

  add(record: JournalRecord): void {
    switch (record.type) {
      case 'turn/start':
        this.open(record.turn);
        return;
      case 'turn/end':
        this.turn = undefined;
        return;
      case 'step/start':
        this.stepOpen = true;
        return;
      case 'step/end':
        this.stepOpen = false;
        return;
      case 'user/message':
        this.addUser(record.source);
        return;
      case 'assistant/message':
        this.addResponse(record);
        return;
      case 'tool/call':
        this.started.add(record.call.id);
        return;
      case 'tool/result':
        this.started.delete(record.callId);
        if (record.callId === this.pausedCall) this.pausedCall = undefined;
        if (record.concluded === true && this.answer === undefined) {
          this.answer = record.content;
          this.concluded = true;
        }
        return;
      case 'turn/paused':
        this.pausedCall = record.callId;
        this.question = record.question;
        this.answer = undefined;
        this.concluded = false;
        return;
      case 'turn/resumed':
        if (record.repaired === true) this.dueNote = 'resume';
        if (record.by === 'crash' && !this.parked) this.crashes += 1;
        this.parked = false;
        return;
      case 'turn/parked':
        this.parked = true;
        return;
      case 'guard/tripped':
        this.tripped = record;
        return;
      default:
    }
  }

  /** Replays what the guards counted before a restart. Live, dispatch counts while it plans and commits. */
  recount(record: JournalRecord): void {
    if (record.type === 'tool/call') {
      this.stuck.countCall(record.call);
      this.batch.set(record.call.id, record.call);
    }
    if (record.type === 'tool/result') {
      this.stuck.countResult(record.name, record.status);
      if (!ranStatuses.has(record.status)) this.batch.delete(record.callId);
    }
    if (record.type === 'step/end' && this.batch.size > 0) {
      this.stuck.countBatch([...this.batch.values()]);
      this.batch.clear();
    }
  }

  private open(turn: TurnId): void {
    this.turn = turn;
    this.used = 0;
    this.settled = false;
    this.nudged = false;
    this.repairsInRow = 0;
    this.steers = 0;
    this.cuts = 0;
    this.crashes = 0;
    this.parked = false;
    this.tripped = undefined;
    this.closedAnswers = [];
    this.dueNote = undefined;
    this.pausedCall = undefined;
    this.stepOpen = false;
    this.parts = [];
    this.shown = '';
    this.answer = undefined;
    this.concluded = false;
    this.started.clear();
    this.stuck.reset();
  }

  private addUser(source: UserSource): void {
    if (source === this.dueNote) this.dueNote = undefined;
    if (source === 'settle') this.settled = true;
    if (source === 'nudge') this.nudged = true;
    if (source !== 'steer' && source !== 'inject') return;
    if (source === 'steer') {
      this.steers += 1;
      this.stuck.reset();
    }
    // The answer before it stands as a finished message; the turn goes on.
    if (this.answer !== undefined) {
      this.closedAnswers = [...this.closedAnswers, this.shown];
      this.shown = '';
      this.parts = [];
    }
    this.answer = undefined;
    this.concluded = false;
  }

  private addResponse(record: Extract<JournalRecord, { type: 'assistant/message' }>): void {
    this.used += 1;
    this.crashes = 0;
    this.tripped = undefined;
    for (const call of record.calls) this.callIds.add(call.id);
    const { fate } = record;
    if (record.interrupted === true && fate !== 'part') return;
    this.repairsInRow = isRepair(fate) ? this.repairsInRow + 1 : 0;
    this.dueNote = noteAfter(fate);
    if (record.calls.length > 0 || fate === 'thought' || fate === 'empty' || this.repairsInRow > 0) return;
    const text = this.strategy.answerIn(record.content);
    const joined = this.parts.length > 0 || this.shown === '' ? text : `\n\n${text}`;
    this.shown += joined;
    if (fate === 'part') {
      if (text !== '') this.parts.push(text);
      if (this.parts.length === 1) this.partLabel = this.strategy.labelIn(record.content);
      if (record.interrupted === true) this.cuts += 1;
      return;
    }
    if (fate === undefined) this.answer = [...this.parts, text].join('');
    else this.parts = [];
  }
}

/** `part` without text (a cut thought) still asks the model to go on; a plain thought or answer asks for nothing. */
function noteAfter(fate: Fate | undefined): DueNote | undefined {
  if (fate === 'part') return 'continue';
  if (fate === 'empty') return 'nudge';
  if (isRepair(fate)) return fate;
  return undefined;
}

function isRepair(fate: Fate | undefined): fate is `repair:${string}` {
  return fate?.startsWith('repair:') === true;
}

/** What a journal says about the turn that a process left behind. Pure: it proposes records, it writes none. */
import type { CallId } from '../domain/ids.ts';
import type { JournalRecord } from '../domain/journal.ts';
import type { ToolCall } from '../domain/message.ts';
import type { TurnEvent } from '../domain/turn.ts';
import { MessageFold } from './messages.ts';
import { pastWork } from './past-work.ts';
import { resultText } from './result-texts.ts';
import type { LoopSettings } from './settings.ts';
import type { Strategy } from './strategy.ts';
import { TurnState } from './turn-state.ts';

export type Recovery =
  /** The last turn is closed, or there was none. */
  | { readonly action: 'idle' }
  /** A question is open: wait for its answer. */
  | { readonly action: 'wait'; readonly callId: CallId }
  /** The answer is recorded: show it and close the turn, without a model call. */
  | { readonly action: 'deliver'; readonly answer: string }
  /** Go on in the same turn, after these made-up results. */
  | { readonly action: 'continue'; readonly results: readonly JournalRecord[] };

/** The journal folded once: what the model sees, where the turn stands, what to do about it. */
export interface Recovered {
  readonly fold: MessageFold;
  readonly state: TurnState;
  readonly recovery: Recovery;
  /** What the last turn has thought and done so far. */
  readonly work: readonly TurnEvent[];
}

/** `effectOf` says what repeating a call of this tool may do; it decides what the model is told about lost calls. */
export function recover(
  records: Iterable<JournalRecord>,
  strategy: Strategy,
  settings: LoopSettings,
  effectOf: (tool: string) => 'none' | 'idempotent' | 'unsafe' = () => 'unsafe',
): Recovered {
  const fold = new MessageFold(strategy.replay);
  const state = new TurnState(strategy, settings);
  let own: JournalRecord[] = [];
  for (const record of records) {
    if (record.type === 'turn/start') own = [];
    own.push(record);
    fold.add(record);
    state.add(record);
    state.recount(record);
  }
  const recovery = recoveryOf(fold, state, effectOf);
  const madeUpNow = recovery.action === 'continue' ? recovery.results : [];
  return { fold, state, recovery, work: pastWork([...own, ...madeUpNow], strategy) };
}

function recoveryOf(
  fold: MessageFold,
  state: TurnState,
  effectOf: (tool: string) => 'none' | 'idempotent' | 'unsafe',
): Recovery {
  if (state.turn === undefined) return { action: 'idle' };
  if (state.pausedCall !== undefined) return { action: 'wait', callId: state.pausedCall };
  const open = fold.openCalls();
  if (open.length === 0 && state.answer !== undefined) return { action: 'deliver', answer: state.answer };
  return {
    action: 'continue',
    results: open.map((call) => madeUp(call, state.started.has(call.id), effectOf)),
  };
}

function madeUp(
  call: ToolCall,
  wasStarted: boolean,
  effectOf: (tool: string) => 'none' | 'idempotent' | 'unsafe',
): JournalRecord {
  const status = wasStarted ? 'outcome_unknown' : 'not_started';
  const advice = wasStarted && effectOf(call.name) !== 'unsafe' ? 'It is safe to repeat.' : undefined;
  return {
    type: 'tool/result',
    callId: call.id,
    name: call.name,
    status,
    content: resultText(status, advice),
  };
}

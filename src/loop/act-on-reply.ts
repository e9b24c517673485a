/** What follows from a response: the strategy has judged it, here its verdict is carried out. */
import { isTruncated, planCalls, withFreshIds } from './call-plan.ts';
import { dispatch } from './dispatch.ts';
import type { ReadMode, Reply, Verdict } from './strategy.ts';
import { loopNote, type Place, type TurnContext } from './turn-context.ts';

/** A draft that broke the protocol is kept in the history up to this length. Unit: characters. */
const draftPreviewChars = 500;

export async function actOnReply(turn: TurnContext, reply: Reply, mode: ReadMode): Promise<Place> {
  const verdict = verdictOn(turn, reply, mode);
  switch (verdict.kind) {
    case 'tools':
      turn.feed.retract('narration');
      return runCalls(turn, reply);

    case 'finish':
      await turn.recordResponse(reply, reply.content);
      return { at: 'stopping', kind: 'finish', answer: turn.state.answer ?? '' };

    case 'keep': {
      const feedback = turn.input.rules.onIntermediate?.(verdict.label, verdict.text);
      const after = feedback ? [loopNote('feedback', feedback)] : [];
      await turn.recordResponse(reply, reply.content, { fate: verdict.shown ? 'shown' : 'thought', after });
      return { at: 'boundary' };
    }

    case 'continue':
      return continueReply(turn, reply);

    case 'nudge':
      if (turn.state.nudged) return fallBack(turn, reply);
      await turn.recordResponse(reply, reply.content, { fate: 'empty' });
      return { at: 'boundary' };

    case 'repair': {
      turn.feed.retract('repair');
      turn.emit({ type: 'notice', notice: 'repairing', detail: verdict.problem });
      await turn.recordResponse(reply, preview(reply.content), { fate: `repair:${verdict.problem}` });
      return { at: 'boundary' };
    }
  }
}

function verdictOn(turn: TurnContext, reply: Reply, mode: ReadMode): Verdict {
  turn.repairDetail = undefined;
  if (reply.calls.some((call) => call.name.trim() === '')) return { kind: 'repair', problem: 'no_name' };
  const verdict = turn.input.strategy.judge(reply, mode);
  if (verdict.kind !== 'finish' || verdict.label === undefined) return verdict;
  const refused = turn.input.rules.validateTerminal?.(verdict.label, verdict.text);
  if (refused === undefined) return verdict;
  turn.repairDetail = refused.note;
  return { kind: 'repair', problem: refused.problem };
}

/** The text stays and the next response goes on with it; after a second cut of the connection the turn ends visibly. */
async function continueReply(turn: TurnContext, reply: Reply): Promise<Place> {
  const interrupted = reply.stop === 'cut';
  await turn.recordResponse(reply, reply.content, { fate: 'part', interrupted });
  if (turn.state.cuts > 1) {
    return { at: 'end', outcome: { kind: 'interrupted', answer: turn.state.parts.join('') } };
  }
  turn.emit({ type: 'notice', notice: 'continuing' });
  return { at: 'boundary' };
}

/** Nothing to show for the second time: the fixed text is better than silence. */
async function fallBack(turn: TurnContext, reply: Reply): Promise<Place> {
  const { fallback } = turn.input.settings;
  turn.feed.replace(fallback);
  await turn.recordResponse(reply, turn.input.strategy.write(fallback));
  return { at: 'stopping', kind: 'finish', answer: turn.state.answer ?? fallback };
}

async function runCalls(turn: TurnContext, reply: Reply): Promise<Place> {
  const { input, io, state } = turn;
  const { maxCallsPerRound, maxTokens, parallel } = input.settings;
  const calls = withFreshIds(reply.calls, state.callIds, io.newId);
  const truncated = isTruncated({ ...reply, completionTokens: reply.usage.completion, maxTokens });
  const content = input.strategy.replay(reply.content, undefined, true);
  await turn.record(turn.response(reply, content, calls));
  const outcome = await dispatch({
    plan: planCalls({ calls, tools: turn.tools, maxCallsPerRound, truncated }),
    stuck: state.stuck,
    parallel,
    hooks: io.hooks,
    clock: io.clock,
    signal: io.signal,
    run: {
      key: input.key,
      user: input.user,
      turn: { conversation: input.conversation, address: input.address, isScheduled: input.isScheduled },
    },
    record: (...records) => turn.record(...records),
    emit: (event) => turn.emit(event),
  });
  if (outcome.next === 'pause') {
    const { callId, question } = outcome;
    await turn.record({ type: 'turn/paused', callId, question, at: io.clock.now() });
    turn.emit({ type: 'question.opened', callId, question });
    return { at: 'end', outcome: { kind: 'paused', callId, question } };
  }
  const stuck = outcome.next === 'stuck' ? outcome.reason : undefined;
  const tripped =
    stuck === undefined ? [] : [{ type: 'guard/tripped', guard: 'stuck', detail: stuck } as const];
  await turn.record(...tripped, { type: 'step/end', usage: reply.usage });
  if (outcome.next === 'stop') return { at: 'end', outcome: turn.stopped() };
  if (stuck !== undefined) return { at: 'close', why: 'stuck', detail: stuck };
  if (outcome.next !== 'conclude') return { at: 'boundary' };
  turn.feed.begin('paragraph');
  turn.feed.write(outcome.text);
  return { at: 'stopping', kind: 'concluded', answer: outcome.text };
}

function preview(draft: string): string {
  const text = draft.trim();
  if (text.length <= draftPreviewChars) return text;
  return `${text.slice(0, draftPreviewChars).toWellFormed().trimEnd()} […]`;
}

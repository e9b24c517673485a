/** The closing call: no tools, nothing claimed, its text is the answer whatever it looks like. */
import { ModelError } from '../domain/errors.ts';
import type { Outcome } from '../domain/turn.ts';
import { noteText } from './notes.ts';
import { startStep } from './start-step.ts';
import { type CloseReason, loopNote, type TurnContext } from './turn-context.ts';

/** How the turn is called in the end. A turn closed for want of a good step counts as one that ran out of budget. */
const kindOf = { budget: 'budget', repairs: 'budget', error: 'budget', stuck: 'stuck' } as const;

export async function closeTurn(turn: TurnContext, why: CloseReason, detail?: string): Promise<Outcome> {
  const { state, feed, input, io } = turn;
  io.log.info(
    { why, detail, used: state.used },
    'the loop closes the turn: one more model call, without tools',
  );
  turn.emit({ type: 'notice', notice: why === 'stuck' ? 'stuck' : 'closing' });
  const due = state.dueNote === undefined ? [] : [loopNote(state.dueNote, noteText(state.dueNote))];
  const source = why === 'stuck' ? 'stuck' : 'final';
  const opening = turn.opening;
  turn.opening = [];
  const notes = [...due, loopNote(source, noteText(source, detail))];
  const started = await startStep(turn, state.used + 1, [...opening, ...notes]);
  if (started.kind === 'failed') return failed(turn, started.error);

  const parts = [...state.parts];
  feed.begin(parts.length > 0 ? 'part' : 'paragraph');
  const asked = await turn.model.ask({ mode: { kind: 'closing' }, withTools: false, config: started.config });
  if (asked.kind === 'stopped') return turn.stoppedWhileStreaming(asked.partial);
  if (asked.kind === 'failed') {
    // A service that is away may be back later; anything else would fail again, so the person gets the fixed text.
    if (isTransport(asked.error)) {
      await turn.record({ type: 'step/end' });
      return failed(turn, asked.error);
    }
    const { fallback } = input.settings;
    feed.replace(fallback);
    const content = input.strategy.write(fallback);
    await turn.record({ type: 'assistant/message', content, calls: [] }, { type: 'step/end' });
    return { kind: kindOf[why], answer: [...parts, fallback].join('') };
  }
  const { reply } = asked;
  if (feed.stepText.trim() === '') feed.replace(input.settings.fallback);
  const answer = [...parts, feed.stepText].join('');
  const interrupted = reply.stop === 'cut';
  await turn.recordResponse(reply, input.strategy.write(feed.stepText), { interrupted });
  return { kind: interrupted ? 'interrupted' : kindOf[why], answer };
}

function failed(turn: TurnContext, error: unknown): Outcome {
  const answer = turn.state.parts.join('');
  if (answer !== '') return { kind: 'interrupted', answer };
  return turn.failed(error);
}

function isTransport(error: unknown): boolean {
  return error instanceof ModelError && error.detail.retryable;
}

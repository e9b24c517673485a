/** Opens a step: the request's configuration, then everything the step takes, recorded before the model is asked. */
import type { JournalRecord } from '../domain/journal.ts';
import { limitHook, type RequestConfig, runHook, type UserRecord } from './hooks.ts';
import type { TurnContext } from './turn-context.ts';

export type StartedStep =
  | { readonly kind: 'started'; readonly config: RequestConfig }
  | { readonly kind: 'failed'; readonly error: unknown };

/** What people wrote is recorded even when the request hook throws; then the step is over. */
export async function startStep(
  turn: TurnContext,
  step: number,
  messages: readonly UserRecord[],
): Promise<StartedStep> {
  const { hooks, clock, model } = turn.io;
  let started: StartedStep;
  try {
    const asked = runHook(hooks.request, { step, messages }, async (): Promise<RequestConfig> => ({}));
    started = { kind: 'started', config: await limitHook(asked, 'request', clock) };
  } catch (error) {
    started = { kind: 'failed', error };
  }
  const { system } = turn.input;
  const changed: readonly JournalRecord[] =
    turn.fold.systemText === system ? [] : [{ type: 'system/message', content: system }];
  await turn.record({ type: 'step/start', step, model: model.name }, ...changed, ...messages);
  if (started.kind === 'failed') await turn.record({ type: 'step/end' });
  return started;
}

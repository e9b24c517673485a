/** One turn from claim to commit: the only place that knows this order. */
import type { Capability } from '../capabilities/capability.ts';
import { type ConversationId, EventId, TurnId } from '../domain/ids.ts';
import type { JournalRecord } from '../domain/journal.ts';
import type { Outcome, TurnEvent } from '../domain/turn.ts';
import type { ContextBudget } from '../loop/context-window.ts';
import type { Hooks } from '../loop/hooks.ts';
import { recover } from '../loop/recover.ts';
import { runLoop } from '../loop/run-loop.ts';
import { defaultLoopSettings, type LoopSettings } from '../loop/settings.ts';
import type { Conversations } from '../ports/conversations.ts';
import type { Model } from '../ports/model.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import type { Tool } from '../ports/tool.ts';
import { composeTools, toolsFor } from '../tools/compose-tools.ts';
import { strategyFor, systemPrompt } from './context.ts';
import type { ProtocolChoice } from './protocol-choice.ts';
import { startFrom } from './resume.ts';

export interface TurnServices {
  readonly conversations: Conversations;
  readonly model: Model;
  readonly protocol: ProtocolChoice;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly capability: Capability;
  /** Laid over the loop's defaults; the capability's budget comes last. */
  readonly settings: Partial<LoopSettings>;
  readonly hooks: Hooks;
  readonly clock: Clock;
  readonly log: Logger;
  readonly newId: () => string;
  readonly estimateTokens: (text: string) => number;
}

export interface FinishedTurn {
  readonly outcome: Outcome;
  readonly context: ContextBudget | undefined;
  /** The inbox holds something that wants a turn of its own. */
  readonly more: boolean;
}

/**
 * Runs what a conversation has to do. Undefined when there was nothing: no new item, or a question still open. Throws
 * when the store fails; the claim is then simply taken again.
 */
export async function runTurn(
  services: TurnServices,
  conversation: ConversationId,
  emit: (event: TurnEvent) => void,
  signal: AbortSignal,
): Promise<FinishedTurn | undefined> {
  const { clock, capability, model } = services;
  const claim = await services.conversations.claim(conversation);
  const strategy = strategyFor(
    capability,
    protocolOf(claim.records) ?? (await services.protocol.for(model.name)),
  );
  const settings = { ...defaultLoopSettings, ...services.settings, ...capability.budget };
  const effectOf = (tool: string) => services.tools.get(tool)?.effect ?? 'unsafe';
  const recovered = recover(claim.records, strategy, settings, effectOf);
  const { state, recovery } = recovered;
  const open = recovery.action === 'wait' ? { callId: recovery.callId, question: state.question } : undefined;
  const start = startFrom(recovery, open, claim.opening, new Date(clock.now()).toISOString());
  if (start.kind === 'wait') {
    await claim.commit();
    return undefined;
  }
  const turn = state.turn ?? TurnId(services.newId());
  const log = services.log;
  const { outcome, parked, repairsExhausted, context } = await runLoop(
    {
      turn,
      key: `${conversation}:${turn}`,
      user: claim.opening.find((item) => item.author !== undefined)?.author,
      recovered,
      start: start.start,
      system: systemPrompt(capability, strategy),
      strategy,
      tools: toolsFor(composed(capability), services.tools),
      settings,
      scenes: capability.scenes,
      rules: capability.rules,
    },
    {
      model,
      journal: claim,
      inbox: claim,
      emit,
      hooks: services.hooks,
      clock,
      log,
      newId: services.newId,
      estimateTokens: services.estimateTokens,
      signal,
      onUnpaired: 'repair',
    },
  );
  if (repairsExhausted) await services.protocol.couldNotHoldLabels(model.name);
  for (const content of parked) {
    await services.conversations.append(conversation, {
      id: EventId(services.newId()),
      kind: 'note',
      content,
    });
  }
  const more = (await claim.commit()) === 'more';
  log.info({ conversation, turn, outcome: outcome.kind, context }, 'turn ended');
  return { outcome, context, more };
}

/** An open turn keeps the protocol it was begun with. */
function protocolOf(records: readonly JournalRecord[]): 'label' | 'native' | undefined {
  const last = records.findLast((record) => record.type === 'turn/start' || record.type === 'turn/end');
  return last?.type === 'turn/start' ? last.protocol : undefined;
}

/** The tools of a turn. Nothing can be switched on or attached yet, so every gate is closed. */
function composed(capability: Capability): string[] {
  return composeTools({
    toggles: null,
    optional: [],
    unregistered: [],
    flags: {},
    owned: capability.ownedTools,
    exclusive: false,
    builtinWhitelist: null,
    forced: [],
    suppressed: [],
  });
}

/** Runs the loop of one turn on a claimed conversation: what it reads, where it writes, who sees it. */
import type { Capability } from '../capabilities/capability.ts';
import { AnswerLeftError } from '../domain/errors.ts';
import { type CallId, EventId } from '../domain/ids.ts';
import type { JournalRecord } from '../domain/journal.ts';
import { zoneIn } from '../domain/person.ts';
import type { Outcome } from '../domain/turn.ts';
import { nestHooks } from '../loop/hooks.ts';
import type { Recovered } from '../loop/recover.ts';
import { runLoop } from '../loop/run-loop.ts';
import type { LoopSettings } from '../loop/settings.ts';
import type { Strategy } from '../loop/strategy.ts';
import type { LoopResult, TurnStart } from '../loop/turn-io.ts';
import { composeTools, toolsFor } from '../tools/compose-tools.ts';
import type { ClaimedTurn, RunningTurn } from './claimed-turn.ts';
import { systemPrompt } from './context.ts';
import { showQuestion, storeQuestion } from './question.ts';
import { wishesOf } from './wishes.ts';

export interface Drive {
  readonly recovered: Recovered;
  readonly strategy: Strategy;
  readonly settings: LoopSettings;
}

/** Runs the turn, or the rest of it, to its end or its pause, and does what follows from either. */
export async function drive(
  claimed: ClaimedTurn,
  turn: RunningTurn,
  start: TurnStart,
  { recovered, strategy, settings }: Drive,
): Promise<void> {
  const { services, claim, conversation, stopper } = claimed;
  const { capability, clock } = services;
  const screen = claimed.screen(turn);
  const log = services.logFor({ conversation, turn: turn.id });
  const written: JournalRecord[] = [];
  let tokens = 0;
  let askedAt = 0;
  const onRecord = (record: JournalRecord) => {
    written.push(record);
    if (record.type === 'step/start') askedAt = clock.now();
    if (record.type === 'assistant/message') services.meter.time('model', clock.now() - askedAt);
    if (record.type === 'step/end' && record.usage !== undefined)
      tokens += record.usage.prompt + record.usage.completion;
  };
  const preferences = turn.asker === undefined ? {} : await services.people.preferences(turn.asker);
  const zone = zoneIn(preferences);
  const closing = start.kind === 'answer' ? start.callId : undefined;
  const result = await runLoop(
    {
      conversation,
      turn: turn.id,
      key: `${conversation}:${turn.id}`,
      user: turn.asker,
      address: turn.address,
      isScheduled: turn.isScheduled,
      recovered,
      start,
      system: systemPrompt(capability, strategy, wishesOf(preferences)),
      now: `The time is ${services.spokenTime(clock.now(), zone)}.${zone === undefined ? '' : ` The learner's time zone is ${zone}.`}`,
      strategy,
      tools: toolsFor(composed(capability), services.tools),
      settings,
      scenes: capability.scenes,
      rules: capability.rules,
    },
    {
      model: services.model,
      journal: { append: (records) => append(claimed, records, closing) },
      inbox: claimed.inbox(),
      emit: (event) => screen.show(event),
      settle: async (outcome) => {
        if (await isTakenBack(claimed, outcome)) return screen.takeBack(outcome);
        await screen.finish(outcome);
        // Whoever claims it next finds the answer in the journal, and shows it.
        const isRecorded = outcome.kind === 'finish' || outcome.kind === 'concluded';
        if (screen.isLeft === true && isRecorded)
          throw new AnswerLeftError('an answer cannot be shown to its end');
      },
      hooks: nestHooks(services.hooks, { onRecord }),
      clock,
      log,
      newId: services.newId,
      estimateTokens: services.estimateTokens,
      signal: stopper.signal,
      onUnpaired: 'repair',
    },
  );
  if (result.outcome.kind === 'paused') {
    const pause = await storeQuestion(claimed, [...claim.records, ...written]);
    if (pause !== undefined) await showQuestion(claimed, pause, screen);
    await screen.finish(result.outcome);
  }
  await afterwards(claimed, turn, result, tokens);
  log.info({ outcome: result.outcome.kind, tokens, context: result.context }, 'turn ended');
}

/** The question was deleted while it was answered. */
async function isTakenBack({ claim }: ClaimedTurn, { kind }: Outcome): Promise<boolean> {
  if (kind !== 'aborted') return false;
  const stops = [...claim.opening, await claim.stopItem()];
  return stops.some((item) => item?.kind === 'stop' && item.takesBack === true);
}

/** A stored question stays until its answer is recorded: a process that dies before that leaves it to the next. */
async function append(
  { claim, services, conversation }: ClaimedTurn,
  records: readonly JournalRecord[],
  closing: CallId | undefined,
): Promise<void> {
  await claim.append(records);
  const isRecorded = records.some((record) => record.type === 'tool/result' && record.callId === closing);
  if (closing === undefined || !isRecorded) return;
  await claim.closePause(closing);
  await services.timers.clear(conversation, closing);
}

async function afterwards(
  { services, conversation }: ClaimedTurn,
  { asker, address }: RunningTurn,
  { parked, repairsExhausted }: LoopResult,
  tokens: number,
): Promise<void> {
  if (repairsExhausted) await services.protocol.couldNotHoldLabels(services.model.name);
  if (asker !== undefined && tokens > 0) await services.quotas.spend(asker, tokens);
  for (const content of parked) {
    const item = { id: EventId(services.newId()), kind: 'note', address, content } as const;
    await services.conversations.append({ conversation, item, wanted: 'always' });
  }
}

/** The tools of a turn. Nothing can be switched on or attached yet, so every gate but memory is closed. */
function composed(capability: Capability): string[] {
  return composeTools({
    toggles: null,
    optional: [],
    unregistered: [],
    flags: { has_memory: true, has_code: true },
    owned: capability.ownedTools,
    exclusive: false,
    builtinWhitelist: null,
    forced: [],
    suppressed: [],
  });
}

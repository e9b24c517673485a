/** One turn from claim to commit: the only place that knows this order. */
import type { Capability } from '../capabilities/capability.ts';
import type { SurfaceAddress } from '../domain/address.ts';
import { TurnParkedError } from '../domain/errors.ts';
import { type CallId, type ConversationId, EventId, TurnId, type UserId } from '../domain/ids.ts';
import type { InboxItem } from '../domain/inbound.ts';
import type { JournalRecord } from '../domain/journal.ts';
import type { OpenPause } from '../domain/pause.ts';
import { type Hooks, nestHooks } from '../loop/hooks.ts';
import { type Recovered, recover } from '../loop/recover.ts';
import { runLoop } from '../loop/run-loop.ts';
import { defaultLoopSettings, type LoopSettings } from '../loop/settings.ts';
import type { LoopResult, TurnStart } from '../loop/turn-io.ts';
import type { Claim, Conversations } from '../ports/conversations.ts';
import type { ArrivedItem, StepInbox } from '../ports/journal.ts';
import type { Model } from '../ports/model.ts';
import type { PauseTimers } from '../ports/pause-timers.ts';
import type { Quotas } from '../ports/quotas.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import type { Screens, TurnScreen } from '../ports/screen.ts';
import type { Tool } from '../ports/tool.ts';
import { wordsFor } from '../render/notices.ts';
import { composeTools, toolsFor } from '../tools/compose-tools.ts';
import { strategyFor, systemPrompt } from './context.ts';
import type { ProtocolChoice } from './protocol-choice.ts';
import { arrivedOf, closedQuestion, type Decision, decide, hasText, pauseFrom, recordOf } from './resume.ts';

export interface TurnServices {
  readonly conversations: Conversations;
  readonly screens: Screens;
  readonly timers: PauseTimers;
  readonly quotas: Quotas;
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
  /** A time with its day and zone, as the model is told it. */
  readonly spokenTime: (at: number) => string;
}

/**
 * Runs what a conversation has to do. `more`: its inbox holds something that wants a turn of its own. Throws
 * `LeaseLostError` when another worker took over, `TurnParkedError` when the signal said so, and whatever the store
 * throws; the conversation is then simply claimed again.
 */
export async function runTurn(
  services: TurnServices,
  conversation: ConversationId,
  signal: AbortSignal,
): Promise<'more' | 'idle'> {
  const claim = await services.conversations.claim(conversation);
  try {
    await new TurnRun(services, conversation, claim, signal).run();
  } catch (error) {
    if (error instanceof TurnParkedError) await claim.append([{ type: 'turn/parked' }]);
    throw error;
  }
  return claim.commit();
}

class TurnRun {
  /** Ends the turn: a person said stop, or this process ends. */
  private readonly stopper = new AbortController();
  /** Ends all writing to the surface: only when this process ends. A stopped turn still shows that it was stopped. */
  private readonly silencer = new AbortController();
  private spent = 0;
  /** The question whose answer this run is about to record. */
  private closing: CallId | undefined;
  /** What opened a turn whose process died before it was recorded; the first step takes it. */
  private late: ArrivedItem[] = [];

  constructor(
    private readonly services: TurnServices,
    private readonly conversation: ConversationId,
    private readonly claim: Claim,
    signal: AbortSignal,
  ) {
    const stop = () => {
      this.stopper.abort(signal.reason);
      if (signal.reason instanceof TurnParkedError) this.silencer.abort(signal.reason);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  }

  async run(): Promise<void> {
    const { claim, services } = this;
    if (claim.unreadable !== undefined) return this.tellUnreadable();
    const strategy = await this.strategy();
    const settings = { ...defaultLoopSettings, ...services.settings, ...services.capability.budget };
    const effectOf = (tool: string) => services.tools.get(tool)?.effect ?? 'unsafe';
    const recovered = recover(claim.records, strategy, settings, effectOf);
    const pause = await this.storedPause(recovered);
    const at = new Date(services.clock.now()).toISOString();
    const decision = decide(recovered.recovery, pause, claim.opening, claim.stopRequested, at);
    const run = (turn: RunningTurn, start: TurnStart) =>
      this.loop({ turn, start, recovered, strategy, settings });
    switch (decision.do) {
      case 'nothing':
        return;
      case 'open':
        return this.open(decision.items, run);
      case 'recover':
        return this.takeOver(run);
      case 'close':
        if (pause !== undefined) return this.closeQuestion(pause, decision, run);
        return;
      case 'keep_open':
        if (pause !== undefined) return this.keepOpen(pause, decision, recovered);
        return;
    }
  }

  /** A new turn, for the first person among those who wrote. */
  private async open(items: readonly InboxItem[], run: RunLoop): Promise<void> {
    this.claim.accept(items);
    const messages = items.filter(hasText);
    const first = messages.find((item) => item.kind !== 'note');
    if (first === undefined) return;
    const isScheduled = first.scheduled === true;
    const turn = {
      id: TurnId(this.services.newId()),
      address: first.address,
      asker: first.author,
      isScheduled,
    };
    if (first.author !== undefined && !isScheduled) {
      const quota = await this.services.quotas.message(first.author);
      if (!quota.ok) return this.refuse(turn, first.id, quota.freeAt);
    }
    await run(turn, { kind: 'open', messages: messages.map((item) => arrivedOf(item).record) });
  }

  private async closeQuestion(
    pause: OpenPause,
    decision: Extract<Decision, { do: 'close' }>,
    run: RunLoop,
  ): Promise<void> {
    const turn = this.openTurn();
    const card = this.screen(turn).closeCard(pause, decision.card, decision.answers);
    card.catch(() => {}); // the loop may fail before it is waited for
    this.closing = pause.callId;
    await run(turn, { kind: 'answer', callId: pause.callId, ...decision });
    await card;
  }

  /** Another process left the turn as the journal says; what it may not have come to is done here. */
  private async takeOver(run: RunLoop): Promise<void> {
    const { claim } = this;
    const turn = this.openTurn();
    const own = claim.records.slice(claim.records.findLastIndex(({ type }) => type === 'turn/start'));
    if (!own.some(({ type }) => type === 'step/start')) {
      const messages = claim.opening.filter(hasText);
      claim.accept(messages);
      this.late.push(...messages.map(arrivedOf));
    }
    const closed = closedQuestion(own);
    const card = closed && this.screen(turn).closeCard(closed.pause, closed.card, closed.answers);
    card?.catch(() => {}); // the loop may fail before it is waited for
    await run(turn, { kind: 'recover' });
    await card;
  }

  /** The question stays open. Everything said meanwhile is kept for the model, and nobody is left wondering. */
  private async keepOpen(
    pause: OpenPause,
    decision: Extract<Decision, { do: 'keep_open' }>,
    { state }: Recovered,
  ): Promise<void> {
    const { claim } = this;
    const screen = this.screen(this.openTurn());
    // Nobody said anything: the process that paused the turn died before it was done.
    if (claim.opening.length === 0) {
      screen.show({ type: 'turn.resumed', by: 'crash', closedAnswers: state.closedAnswers });
      if (state.shown !== '') screen.show({ type: 'answer.delta', text: state.shown });
    }
    const words = wordsFor(pause.address.locale);
    const notes = [...decision.notes, ...decision.misfits].filter(hasText);
    if (notes.length > 0) await claim.append(notes.map((item) => recordOf(item, 'inject')));
    const untold = decision.waiting.filter(
      (item) => item.author !== undefined && !pause.told.includes(item.author),
    );
    const told = untold.flatMap((item) => item.author ?? []);
    await claim.updatePause({
      answers: decision.answers,
      used: decision.used,
      told: [...pause.told, ...told],
    });
    for (const item of decision.misfits) await screen.tell(`hint:${item.id}`, words.chooseOption);
    for (const item of untold) await screen.tell(`waiting:${item.id}`, words.onlyAsker(nameOf(pause.asker)));
    claim.accept(claim.opening.filter((item) => decision.used.includes(item.id)));
    await this.showQuestion({ ...pause, answers: decision.answers }, screen);
    if (claim.opening.length === 0)
      await screen.finish({ kind: 'paused', callId: pause.callId, question: pause.question });
  }

  /** The stored question; what a process that died between journal and store left undone is done here. */
  private async storedPause({ recovery }: Recovered): Promise<OpenPause | undefined> {
    const { claim } = this;
    if (recovery.action !== 'wait') {
      if (claim.pause !== undefined) await claim.closePause(claim.pause.callId);
      return undefined;
    }
    if (claim.pause?.callId === recovery.callId) return claim.pause;
    const pause = pauseFrom(claim.records);
    if (pause !== undefined) await claim.openPause(pause);
    return pause;
  }

  private async showQuestion(pause: OpenPause, screen: TurnScreen): Promise<void> {
    await this.services.timers.set(this.conversation, pause.callId, pause.expiresAt);
    const card = await screen.ask(pause);
    if (card !== undefined && pause.card === undefined) await this.claim.updatePause({ card });
  }

  private async loop(run: LoopRun): Promise<void> {
    const { services, claim, conversation } = this;
    const { turn, start, recovered, strategy, settings } = run;
    const screen = this.screen(turn);
    const key = `${conversation}:${turn.id}`;
    const log = services.log;
    const result = await runLoop(
      {
        conversation,
        turn: turn.id,
        key,
        user: turn.asker,
        address: turn.address,
        isScheduled: turn.isScheduled,
        recovered,
        start,
        system: systemPrompt(services.capability, strategy),
        now: `The time is ${services.spokenTime(services.clock.now())}.`,
        strategy,
        tools: toolsFor(composed(services.capability), services.tools),
        settings,
        scenes: services.capability.scenes,
        rules: services.capability.rules,
      },
      {
        model: services.model,
        journal: { append: (records) => this.append(records) },
        inbox: this.inbox(),
        emit: (event) => screen.show(event),
        settle: (outcome) => screen.finish(outcome),
        hooks: nestHooks(services.hooks, { onRecord: (record) => this.count(record) }),
        clock: services.clock,
        log,
        newId: services.newId,
        estimateTokens: services.estimateTokens,
        signal: this.stopper.signal,
        onUnpaired: 'repair',
      },
    );
    if (result.outcome.kind === 'paused') {
      const pause = pauseFrom(claim.records.concat(this.written));
      if (pause !== undefined) {
        await claim.openPause(pause);
        await this.showQuestion(pause, screen);
      }
      await screen.finish(result.outcome);
    }
    await this.afterwards(turn, result);
  }

  /** A stored question stays until its answer is recorded: a process that dies before that leaves it to the next. */
  private async append(records: readonly JournalRecord[]): Promise<void> {
    await this.claim.append(records);
    const call = this.closing;
    if (
      call === undefined ||
      !records.some((record) => record.type === 'tool/result' && record.callId === call)
    )
      return;
    this.closing = undefined;
    await this.claim.closePause(call);
    await this.services.timers.clear(this.conversation, call);
  }

  private async afterwards(
    turn: RunningTurn,
    { outcome, parked, repairsExhausted, context }: LoopResult,
  ): Promise<void> {
    const { services, conversation } = this;
    if (repairsExhausted) await services.protocol.couldNotHoldLabels(services.model.name);
    if (turn.asker !== undefined && this.spent > 0) await services.quotas.spend(turn.asker, this.spent);
    for (const content of parked) {
      const item = { id: EventId(services.newId()), kind: 'note', address: turn.address, content } as const;
      await services.conversations.append({ conversation, item, wanted: 'always' });
    }
    services.log.info(
      { conversation, turn: turn.id, outcome: outcome.kind, tokens: this.spent, context },
      'turn ended',
    );
  }

  private async refuse(refused: RunningTurn, item: EventId, freeAt: number): Promise<void> {
    const time = new Date(freeAt).toISOString().slice(11, 16);
    // Named for the message: a process that dies here must not say it twice.
    const turn = { ...refused, id: TurnId(`refused-${item}`) };
    await this.screen(turn).tell(`quota:${item}`, wordsFor(turn.address.locale).tooMany(`${time} UTC`));
  }

  private async tellUnreadable(): Promise<void> {
    const { claim, services, conversation } = this;
    services.log.error({ conversation, error: claim.unreadable }, 'a conversation cannot be read');
    claim.accept(claim.opening);
    const item = claim.opening.find(hasText);
    if (item === undefined) return;
    const turn = {
      id: TurnId(`unreadable-${item.id}`),
      address: item.address,
      asker: item.author,
      isScheduled: false,
    };
    await this.screen(turn).tell('unreadable', wordsFor(item.address.locale).unreadable);
  }

  /** An open turn keeps the protocol it was begun with. */
  private async strategy() {
    const { capability, protocol, model } = this.services;
    const open = this.startRecord();
    return strategyFor(capability, open?.protocol ?? (await protocol.for(model.name)));
  }

  private openTurn(): RunningTurn {
    const start = this.startRecord();
    if (start === undefined) throw new Error(`${this.conversation} has no open turn`);
    const address = start.address ?? this.claim.opening[0]?.address ?? { surface: '', place: '' };
    return { id: start.turn, address, asker: start.asker, isScheduled: start.scheduled === true };
  }

  private startRecord(): Extract<JournalRecord, { type: 'turn/start' }> | undefined {
    const last = this.claim.records.findLast(({ type }) => type === 'turn/start' || type === 'turn/end');
    return last?.type === 'turn/start' ? last : undefined;
  }

  private screens = new Map<TurnId, TurnScreen>();

  private screen({ id, address }: RunningTurn): TurnScreen {
    const ledger = this.claim.ledger(id);
    const { conversation } = this;
    const { signal } = this.silencer;
    const open = () => this.services.screens.open({ conversation, turn: id, address, ledger, signal });
    const known = this.screens.get(id) ?? open();
    this.screens.set(id, known);
    return known;
  }

  /** The step inbox, which is also where a stop is noticed when the message about it was lost. */
  private inbox(): StepInbox {
    const { claim, stopper } = this;
    const look = <T>(seen: T): T => {
      if (claim.stopRequested) stopper.abort('user');
      return seen;
    };
    if (claim.stopRequested) stopper.abort('user');
    return {
      waiting: async () => look(await claim.waiting()),
      take: async (maxMessages) => [...this.late.splice(0), ...look(await claim.take(maxMessages))],
    };
  }

  private readonly written: JournalRecord[] = [];

  private count(record: JournalRecord): void {
    this.written.push(record);
    if (record.type === 'step/end' && record.usage !== undefined)
      this.spent += record.usage.prompt + record.usage.completion;
  }
}

interface RunningTurn {
  readonly id: TurnId;
  readonly address: SurfaceAddress;
  readonly asker: UserId | undefined;
  readonly isScheduled: boolean;
}

interface LoopRun {
  readonly turn: RunningTurn;
  readonly start: TurnStart;
  readonly recovered: Recovered;
  readonly strategy: Awaited<ReturnType<typeof strategyFor>>;
  readonly settings: LoopSettings;
}

type RunLoop = (turn: RunningTurn, start: TurnStart) => Promise<void>;

/** Ids of people read `surface:name`; the name is enough for a line to people. */
function nameOf(user: UserId | undefined): string {
  return user === undefined ? '?' : user.slice(user.indexOf(':') + 1);
}

/** The tools of a turn. Nothing can be switched on or attached yet, so every gate is closed. */
function composed(capability: Capability): string[] {
  return composeTools({
    toggles: null,
    optional: [],
    unregistered: [],
    flags: { has_memory: true },
    owned: capability.ownedTools,
    exclusive: false,
    builtinWhitelist: null,
    forced: [],
    suppressed: [],
  });
}

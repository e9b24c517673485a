/**
 * The loop: decide, call, feed back, decide again. A turn moves between four places until it ends, each a method here.
 * What a response means is the strategy's, what is so is the journal's; the loop owns order, budget and pairing.
 */
import type { JournalRecord } from '../domain/journal.ts';
import type { UserContent } from '../domain/message.ts';
import type { Outcome } from '../domain/turn.ts';
import { actOnReply } from './act-on-reply.ts';
import { budgetPhase } from './budget.ts';
import { closeTurn } from './close-turn.ts';
import { limitHook, runHook, type StepDecision, type UserRecord } from './hooks.ts';
import { noteText } from './notes.ts';
import { sceneAnswer } from './prepare-scene.ts';
import { startStep } from './start-step.ts';
import type { ReadMode } from './strategy.ts';
import { loopNote, type Place, TurnContext } from './turn-context.ts';
import type { LoopIo, LoopResult, TurnInput } from './turn-io.ts';

/**
 * Runs a turn, or the rest of one, to its end or its pause. Failures of the model and of tools are outcomes; it throws
 * only when the journal or the inbox cannot be used: nothing of this run may be trusted then.
 */
export async function runLoop(input: TurnInput, io: LoopIo): Promise<LoopResult> {
  return new Loop(new TurnContext(input, io)).run();
}

class Loop {
  private readonly parked: UserContent[] = [];
  private continued = 0;
  private repairsExhausted = false;

  constructor(private readonly turn: TurnContext) {}

  async run(): Promise<LoopResult> {
    let place = await this.open();
    while (place.at !== 'end') {
      if (place.at === 'boundary') place = await this.boundary();
      else if (place.at === 'stopping') place = await this.stopping(place.kind, place.answer);
      else place = await this.close(place);
    }
    return this.end(place.outcome);
  }

  /** A new turn, the answer to a question, or what another process left behind. */
  private async open(): Promise<Place> {
    const { turn } = this;
    const { start } = turn.input;
    if (start.kind === 'open') {
      turn.emit({ type: 'phase', phase: 'reading' });
      await turn.record(this.startRecord());
      turn.opening = await start.messages();
      return { at: 'boundary' };
    }
    const by = start.kind === 'answer' ? 'answer' : 'crash';
    const { work } = turn.input.recovered;
    turn.emit({ type: 'turn.resumed', by, closedAnswers: turn.state.closedAnswers, work });
    turn.feed.restore(turn.state.shown);
    if (start.kind === 'recover') return this.recover();
    const { callId, status, text, items } = start;
    const name = turn.fold.openCalls().find((call) => call.id === callId)?.name ?? '';
    await turn.record(
      { type: 'tool/result', callId, name, status, content: text, items },
      { type: 'turn/resumed', by: 'answer', ...this.time() },
      { type: 'step/end' },
    );
    turn.state.stuck.countResult(name, status);
    turn.emit({ type: 'tool.finished', callId, name, status, ms: 0 });
    if (status === 'no_reply') return { at: 'end', outcome: { kind: 'no_reply' } };
    return status === 'aborted' ? { at: 'end', outcome: turn.stopped() } : { at: 'boundary' };
  }

  /** What the journal shows as finished is not repeated. */
  private async recover(): Promise<Place> {
    const { turn } = this;
    const { recovery, state } = turn;
    const stepEnd = state.stepOpen ? [{ type: 'step/end' } as const] : [];
    switch (recovery.action) {
      case 'idle':
        throw new Error('recover was asked for a conversation without an open turn');
      case 'wait':
        return { at: 'end', outcome: { kind: 'paused', callId: recovery.callId, question: state.question } };
      case 'deliver':
        await turn.record(...stepEnd);
        if (state.concluded) this.show(recovery.answer);
        return { at: 'stopping', kind: state.concluded ? 'concluded' : 'finish', answer: recovery.answer };
      case 'continue': {
        const repaired = recovery.results.length > 0 ? ({ repaired: true } as const) : {};
        await turn.record(...recovery.results, ...stepEnd, {
          type: 'turn/resumed',
          by: 'crash',
          ...repaired,
          ...this.time(),
        });
        // Dying twice at the same place is no accident: a third try would only cost the person more time.
        if (state.crashes >= turn.input.settings.maxCrashes) {
          return { at: 'end', outcome: { kind: 'interrupted', answer: turn.feed.text } };
        }
        const { tripped } = state;
        if (tripped === undefined) return { at: 'boundary' };
        return { at: 'close', why: tripped.guard === 'stuck' ? 'stuck' : 'error', detail: tripped.detail };
      }
    }
  }

  private startRecord(): Extract<JournalRecord, { type: 'turn/start' }> {
    const { turn, strategy, address, user, isScheduled, start } = this.turn.input;
    return {
      type: 'turn/start',
      turn,
      protocol: strategy.name,
      ...(address === undefined ? {} : { address }),
      ...(user === undefined ? {} : { asker: user }),
      ...(isScheduled ? { scheduled: true } : {}),
      ...(start.kind === 'open' && start.again !== undefined ? { again: start.again } : {}),
      ...this.time(),
    };
  }

  private time(): { readonly now?: string } {
    const { now } = this.turn.input;
    return now === undefined ? {} : { now };
  }

  private show(text: string): void {
    this.turn.feed.begin('paragraph');
    this.turn.feed.write(text);
  }

  /** Between two steps: takes what people wrote meanwhile, then asks the model with tools. */
  private async boundary(): Promise<Place> {
    const { turn } = this;
    const { input, io, state } = turn;
    if (turn.isStopped) return { at: 'end', outcome: turn.stopped() };
    const phase = budgetPhase(state.used, input.settings);
    if (phase === 'close') return { at: 'close', why: 'budget' };
    const { maxRepairs } = input.settings;
    if (maxRepairs > 0 && state.repairsInRow >= maxRepairs) return { at: 'close', why: 'repairs' };

    const step = state.used + 1;
    const proposed = [...turn.opening, ...(await this.takeArrived())];
    turn.opening = [];
    let decision: StepDecision;
    try {
      await input.rules.beforeRound?.(state.used);
      const enter = async (): Promise<StepDecision> => ({ kind: 'enter', messages: proposed });
      decision = await limitHook(
        runHook(io.hooks.preStep, { step, messages: proposed }, enter),
        'preStep',
        io.clock,
      );
    } catch (error) {
      return { at: 'end', outcome: turn.failed(error) };
    }
    if (decision.kind === 'reject')
      return { at: 'end', outcome: { kind: 'blocked', reason: decision.reason } };
    const isEmptied = proposed.length > 0 && decision.messages.length === 0;
    if (isEmptied && (step === 1 || state.answer !== undefined)) {
      return { at: 'end', outcome: { kind: 'finish', answer: state.answer ?? '' } };
    }
    return this.step(step, decision.messages, phase === 'settle' && !state.settled);
  }

  private async step(step: number, messages: readonly UserRecord[], settles: boolean): Promise<Place> {
    const { turn } = this;
    const { state, input } = turn;
    const notes: UserRecord[] = [];
    if (state.dueNote !== undefined)
      notes.push(loopNote(state.dueNote, noteText(state.dueNote, turn.repairDetail)));
    if (settles) {
      notes.push(loopNote('settle', noteText('settle')));
      turn.emit({ type: 'notice', notice: 'settling' });
    }
    const started = await startStep(turn, step, [...messages, ...notes]);
    if (started.kind === 'failed') return { at: 'end', outcome: turn.failed(started.error) };
    // A stop that was noticed with what people wrote: it is recorded, but nobody is asked any more.
    if (turn.isStopped) {
      await turn.record({ type: 'step/end' });
      return { at: 'end', outcome: turn.stopped() };
    }
    const { config } = started;
    if (input.start.kind === 'open' && step === 1) {
      const answer = await sceneAnswer(turn, messages, config);
      if (answer !== undefined) return { at: 'stopping', kind: 'finish', answer };
    }
    const continues = state.parts.length > 0;
    const mode: ReadMode = continues ? { kind: 'continuation', label: state.partLabel } : { kind: 'step' };
    turn.feed.begin(continues ? 'part' : 'paragraph');
    const asked = await turn.model.ask({ mode, withTools: true, config });
    if (asked.kind === 'reply') return actOnReply(turn, asked.reply, mode);
    if (asked.kind === 'stopped')
      return { at: 'end', outcome: await turn.stoppedWhileStreaming(asked.partial) };
    return this.modelFailed(asked.error);
  }

  /** Nothing of the response was shown as an answer. After a good round one closing is tried, else the error surfaces. */
  private async modelFailed(error: unknown): Promise<Place> {
    const { turn } = this;
    await turn.record({ type: 'step/end' });
    const parts = turn.state.parts.join('');
    if (parts !== '') return { at: 'end', outcome: { kind: 'interrupted', answer: parts } };
    if (turn.state.used === 0) return { at: 'end', outcome: turn.failed(error) };
    turn.io.log.warn(
      { error },
      'a model call failed after good rounds; the turn is closed from what there is',
    );
    await turn.record({
      type: 'guard/tripped',
      guard: 'error',
      detail: error instanceof Error ? error.message : String(error),
    });
    return { at: 'close', why: 'error' };
  }

  private async takeArrived(): Promise<UserRecord[]> {
    const { settings } = this.turn.input;
    const left = Math.max(0, settings.maxSteersPerTurn - this.turn.state.steers);
    const arrived = await this.turn.io.inbox.take(Math.min(settings.maxSteersPerStep, left));
    const count = arrived.filter((item) => item.kind === 'message').length;
    if (count > 0) this.turn.emit({ type: 'steer.used', count });
    return arrived.map((item) => item.record);
  }

  private async close(place: Extract<Place, { at: 'close' }>): Promise<Place> {
    this.repairsExhausted = place.why === 'repairs';
    const outcome = await closeTurn(this.turn, place.why, place.detail);
    if (outcome.kind === 'budget' || outcome.kind === 'stuck') this.parked.push(...(await this.listen(true)));
    return { at: 'end', outcome };
  }

  /** The answer is complete. Whoever waits, or a listener that objects, keeps the turn open while calls are left. */
  private async stopping(kind: 'finish' | 'concluded', answer: string): Promise<Place> {
    const { turn } = this;
    if (turn.isStopped) return { at: 'end', outcome: turn.stopped() };
    const callsLeft = budgetPhase(turn.state.used, turn.input.settings) !== 'close';
    if (callsLeft && (await this.isHeldOpen())) return this.goOn([]);
    const steered = await this.listen(false);
    if (steered.length > 0 && callsLeft && this.continued < turn.input.settings.maxStopContinues) {
      this.continued += 1;
      return this.goOn(steered);
    }
    this.parked.push(...steered);
    if (callsLeft && turn.io.hooks.turnStopping !== undefined && (await this.isHeldOpen()))
      return this.goOn([]);
    return { at: 'end', outcome: { kind, answer } };
  }

  private goOn(steered: readonly UserContent[]): Place {
    this.turn.feed.close();
    this.turn.opening = steered.map((content) => ({ type: 'user/message', source: 'steer', content }));
    return { at: 'boundary' };
  }

  private async isHeldOpen(): Promise<boolean> {
    const { io, input, state } = this.turn;
    const { messages, notes } = await io.inbox.waiting();
    return (
      (messages && state.steers < input.settings.maxSteersPerTurn) ||
      (notes && input.settings.injectHoldsTurn)
    );
  }

  /** Tells the listeners that the turn is about to end; returns what they steer. */
  private async listen(forced: boolean): Promise<UserContent[]> {
    const { hooks, clock, log } = this.turn.io;
    const steered: UserContent[] = [];
    if (hooks.turnStopping === undefined) return steered;
    const stopping = {
      forced,
      continued: this.continued,
      steer: (content: UserContent) => void steered.push(content),
    };
    try {
      await limitHook(hooks.turnStopping(stopping), 'turnStopping', clock);
    } catch (error) {
      // A broken listener must not turn a good answer into an error.
      log.error({ error }, 'a turnStopping hook failed; the turn ends');
    }
    return steered;
  }

  private async end(outcome: Outcome): Promise<LoopResult> {
    const { turn, parked, repairsExhausted } = this;
    turn.emit({ type: 'turn.ended', outcome });
    if (outcome.kind !== 'paused') {
      await turn.io.settle(outcome);
      await turn.record({ type: 'turn/end', outcome: outcome.kind });
    }
    return { outcome, parked, repairsExhausted, context: turn.model.budget };
  }
}

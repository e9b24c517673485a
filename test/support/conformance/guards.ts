/** Runs a case of guards.json on the product's loop: a scripted model, scripted tools, events from outside. */
import { CallId, ConversationId, TurnId } from '../../../src/domain/ids.ts';
import type { JournalRecord } from '../../../src/domain/journal.ts';
import { textOf } from '../../../src/domain/message.ts';
import { groupCalls, planCalls } from '../../../src/loop/call-plan.ts';
import type { Hooks, StepDecision } from '../../../src/loop/hooks.ts';
import { messagesFrom } from '../../../src/loop/messages.ts';
import { recover } from '../../../src/loop/recover.ts';
import { runLoop } from '../../../src/loop/run-loop.ts';
import type { Scene } from '../../../src/loop/scene.ts';
import type { LoopIo, LoopResult, TurnInput, TurnStart } from '../../../src/loop/turn-io.ts';
import { systemClock } from '../../../src/observe/clock.ts';
import type { ArrivedItem } from '../../../src/ports/journal.ts';
import type { Model, ModelChunk, ModelRequest } from '../../../src/ports/model.ts';
import { quietLog } from '../quiet-log.ts';
import { compare, type Problems } from './compare.ts';
import {
  caseSettings,
  caseStrategy,
  caseTools,
  expandScript,
  type GuardCase,
  type GuardEvent,
  recordsFrom,
  type ScriptedReply,
  tokenOf,
} from './guard-case.ts';

const person = (text: string) => ({ type: 'user/message', source: 'person', content: text }) as const;

/** Returns what does not hold, as sentences; empty when the case passes. */
export async function checkGuardCase(raw: GuardCase): Promise<Problems> {
  if (raw.kind === 'sched') return checkGroups(raw);
  const run = new GuardRun(raw);
  return raw.kind === 'resume' ? run.resume() : run.turn();
}

function checkGroups(raw: GuardCase): Problems {
  const tools = new Map(
    caseTools(raw, async () => ({ kind: 'text', text: '' })).map((tool) => [tool.schema.name, tool]),
  );
  const calls = (raw.calls ?? []).map((call) => ({ ...call, id: CallId(call.id) }));
  const plan = planCalls({ calls, tools, maxCallsPerRound: 8, truncated: false });
  const groups = groupCalls(plan).map((group) => group.map((each) => each.call.id));
  return compare('groups', groups, raw.expect.groups);
}

class GuardRun {
  private readonly records: JournalRecord[] = [];
  private readonly requests: ModelRequest[] = [];
  private readonly executed: string[] = [];
  private readonly waiting: ArrivedItem[] = [];
  private readonly followups: string[] = [];
  private readonly stop = new AbortController();
  private readonly events: GuardEvent[];
  private readonly script: ScriptedReply[];
  private readonly problems: string[] = [];
  private madeUp = 0;
  private steps = 0;

  constructor(private readonly raw: GuardCase) {
    this.events = [...(raw.events ?? [])];
    this.script = expandScript(raw.script ?? []);
  }

  async turn(): Promise<Problems> {
    let result = await this.run({ kind: 'open', messages: async () => [person('hello')] });
    for (let pause = this.takeEvent('paused'); pause !== undefined; pause = this.takeEvent('paused')) {
      if (result.outcome.kind !== 'paused') break;
      const status = pause.do === 'reply' ? 'answered' : 'no_reply';
      result = await this.run({
        kind: 'answer',
        callId: result.outcome.callId,
        status,
        text: pause.text ?? '',
        items: [],
      });
    }
    return this.check(result);
  }

  async resume(): Promise<Problems> {
    this.records.push(...recordsFrom(this.raw.log ?? []));
    const { recovery } = recover(this.records, caseStrategy(this.raw), caseSettings(this.raw));
    this.problems.push(...compare('action', recovery.action, this.raw.expect.action));
    if (recovery.action === 'wait')
      this.problems.push(...compare('pending', recovery.callId, this.raw.expect.pending));
    const results = recovery.action === 'continue' ? recovery.results : [];
    const repaired = this.tokens([...this.records, ...results]);
    this.problems.push(...compare('repaired', repaired, this.raw.expect.repaired));
    if (recovery.action !== 'continue') return this.problems;
    return this.check(await this.run({ kind: 'recover' }));
  }

  private run(start: TurnStart): Promise<LoopResult> {
    const input: TurnInput = {
      conversation: ConversationId('test:talk'),
      turn: TurnId('t1'),
      key: 'c:t1',
      user: undefined,
      address: undefined,
      isScheduled: false,
      recovered: recover(this.records, caseStrategy(this.raw), caseSettings(this.raw)),
      start,
      system: 'system',
      strategy: caseStrategy(this.raw),
      tools: caseTools(this.raw, (callId, args) => this.runTool(callId, args)),
      settings: caseSettings(this.raw),
      scenes: this.scenes(),
      rules: {},
    };
    return runLoop(input, this.io());
  }

  private io(): LoopIo {
    return {
      model: this.model(),
      journal: { append: async (records) => void this.records.push(...records) },
      inbox: {
        waiting: async () => ({
          messages: this.waiting.some((item) => item.kind === 'message'),
          notes: this.waiting.some((item) => item.kind === 'note'),
        }),
        take: async () => this.waiting.splice(0),
      },
      emit: () => {},
      hooks: this.hooks(),
      settle: async () => {},
      clock: systemClock,
      log: quietLog,
      newId: () => `*${(this.madeUp += 1)}`,
      estimateTokens: (text) => text.length,
      signal: this.stop.signal,
      onUnpaired: 'throw',
    };
  }

  private hooks(): Hooks {
    return {
      preStep: async (_step, next): Promise<StepDecision> => {
        this.steps += 1;
        for (const event of this.takeEvents(`pre-step:${this.steps}`)) {
          if (event.do === 'reject') return { kind: 'reject', reason: 'refused by the case' };
          this.happen(event);
        }
        return next();
      },
      preExecute: async (call, next) => {
        const deny = this.raw.outcomes?.[call.id]?.deny;
        return deny === undefined ? next() : { kind: 'deny', reason: deny };
      },
      turnStopping: async ({ steer }) => {
        for (const event of this.takeEvents('turn-stopping'))
          if (event.do === 'steer') steer(event.text ?? '');
      },
    };
  }

  private model(): Model {
    const play = async function* (
      run: GuardRun,
      request: ModelRequest,
      signal: AbortSignal,
    ): AsyncGenerator<ModelChunk> {
      run.requests.push(request);
      const reply = run.script[run.requests.length - 1];
      if (reply === undefined) throw new Error(`model call ${run.requests.length} is beyond the script`);
      for (const event of run.takeEvents(`during-model:${run.requests.length}`)) {
        if (event.do === 'abort' && event.partial) yield { type: 'text', text: event.partial };
        run.happen(event);
      }
      if (signal.aborted) throw signal.reason;
      if (reply.text) yield { type: 'text', text: reply.text };
      for (const [index, call] of (reply.calls ?? []).entries()) yield { type: 'call', index, ...call };
      yield { type: 'finish', reason: reply.finish === 'length' ? 'length' : reply.calls ? 'calls' : 'stop' };
      yield { type: 'usage', usage: { prompt: 1, completion: 1 } };
    };
    return {
      name: 'scripted',
      contextWindow: 1_000_000,
      stream: (request, signal) => play(this, request, signal),
    };
  }

  private async runTool(callId: string, args: Readonly<Record<string, unknown>>) {
    this.executed.push(callId);
    for (const event of this.takeEvents(`during:${callId}`)) this.happen(event);
    await new Promise(setImmediate); // calls that overlap take equally long
    const outcome = this.raw.outcomes?.[callId] ?? {};
    if (outcome.timeout === true) return new Promise<never>(() => {});
    if (outcome.fail !== undefined) return { kind: 'failed', text: outcome.fail } as const;
    if ('question' in args) return { kind: 'pause', question: args } as const;
    if (outcome.conclude === true) return { kind: 'conclude', text: outcome.ok ?? 'done' } as const;
    return { kind: 'text', text: outcome.ok ?? 'done' } as const;
  }

  private scenes(): Scene[] {
    const { scene, prefetch } = this.raw;
    if (scene === undefined) return [];
    const prepare = async () => {
      if (prefetch?.throws === true) throw new Error('no data today');
      return prefetch?.ok;
    };
    const match = () => ({ confidence: scene.confidence, words: [scene.type] });
    return [{ name: scene.type, match, prepare, template: (text, data) => `${text}\n${data}` }];
  }

  private happen(event: GuardEvent): void {
    const content = event.text ?? '';
    if (event.do === 'steer' || event.do === 'inject') {
      const kind = event.do === 'steer' ? 'message' : 'note';
      this.waiting.push({ kind, record: { type: 'user/message', source: event.do, content } });
    } else if (event.do === 'followup') this.followups.push(content);
    else if (event.do === 'abort') this.stop.abort('user');
  }

  private takeEvents(when: string): GuardEvent[] {
    const due = this.events.filter((event) => event.when === when);
    for (const event of due) if (event.always !== true) this.events.splice(this.events.indexOf(event), 1);
    return due;
  }

  private takeEvent(when: string): GuardEvent | undefined {
    const at = this.events.findIndex((event) => event.when === when);
    return at < 0 ? undefined : this.events.splice(at, 1)[0];
  }

  private tokens(records: readonly JournalRecord[]): string[] {
    return messagesFrom(records, (content) => content).flatMap((message) => tokenOf(message) ?? []);
  }

  private check({ outcome, parked }: LoopResult): Problems {
    const { expect } = this.raw;
    const answer = 'answer' in outcome ? outcome.answer : undefined;
    const left = (kind: ArrivedItem['kind']) =>
      this.waiting.filter((item) => item.kind === kind).map((item) => textOf(item.record.content));
    const seen = {
      modelCalls: this.requests.length,
      executed: this.executed,
      executedCount: this.executed.length,
      end: outcome.kind,
      answer,
      history: this.tokens(this.records),
      nextTurn: [...this.followups, ...left('message')],
      parked: [...left('note'), ...parked.map(textOf)],
      path: this.path(),
    };
    for (const [key, value] of Object.entries(seen)) {
      this.problems.push(...compare(key, value, expect[key as keyof typeof seen]));
    }
    for (const [id, status] of Object.entries(expect.results ?? {})) {
      this.problems.push(...compare(`result of ${id}`, this.statusOf(id, outcome), status));
    }
    for (const [number, wanted] of Object.entries(expect.requests ?? {}))
      this.checkRequest(Number(number), wanted);
    this.checkInvariants(outcome, answer);
    return this.problems;
  }

  private path(): 'scene' | 'loop' {
    const routed = this.records.some((record) => record.type === 'scene/routed');
    const gaveUp = this.records.some(
      (record) => record.type === 'assistant/attempt' && record.reason === 'scene',
    );
    return routed && !gaveUp ? 'scene' : 'loop';
  }

  private statusOf(id: string, outcome: LoopResult['outcome']): string | undefined {
    if (outcome.kind === 'paused' && outcome.callId === id) return 'pending';
    for (const record of this.records)
      if (record.type === 'tool/result' && record.callId === id) return record.status;
    return undefined;
  }

  private checkRequest(number: number, wanted: NonNullable<GuardCase['expect']['requests']>[string]): void {
    const request = this.requests[number - 1];
    if (request === undefined) {
      this.problems.push(`request ${number} was not made`);
      return;
    }
    const shape = request.messages.flatMap((message) => tokenOf(message) ?? []);
    if (wanted.tools !== undefined) {
      this.problems.push(...compare(`request ${number} tools`, request.toolChoice === 'auto', wanted.tools));
    }
    this.problems.push(...compare(`request ${number} shape`, shape, wanted.shape));
    if (wanted.tail)
      this.problems.push(...compare(`request ${number} tail`, shape.slice(-wanted.tail.length), wanted.tail));
    for (const [token, times] of Object.entries(wanted.count ?? {})) {
      const count = shape.filter((each) => each === token).length;
      this.problems.push(...compare(`request ${number} count of ${token}`, count, times));
    }
  }

  /** The four things that must always hold; pairing throws inside the loop (`onUnpaired`). */
  private checkInvariants(outcome: LoopResult['outcome'], answer: string | undefined): void {
    const { exploration, settlement, maxIterations } = caseSettings(this.raw);
    const rounds = maxIterations === null ? exploration + settlement : Math.max(0, maxIterations - 2);
    const scene = this.records.some((record) => record.type === 'scene/routed') ? 1 : 0;
    if (this.requests.length > rounds + 1 + scene)
      this.problems.push(`${this.requests.length} model calls are too many`);
    const answered = ['finish', 'stuck', 'budget', 'concluded'].includes(outcome.kind);
    if (answered && !answer?.trim()) this.problems.push('the turn ended without an answer');
    const said = new Set(
      this.requests.flatMap((request) => request.messages).map((message) => textOf(message.content)),
    );
    for (const record of this.records) {
      if (record.type !== 'user/message' || record.source !== 'steer') continue;
      if (!said.has(textOf(record.content))) this.problems.push(`"${textOf(record.content)}" was dropped`);
    }
  }
}

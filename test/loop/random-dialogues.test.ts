/**
 * Seeded random dialogues over every path of the loop: stuck, limit, duplicates, truncated and broken calls, stops at
 * every await, pauses, forced closings, failing services. Each request is checked the way a strict service checks it.
 * A failing seed is printed and can be run alone.
 */
import { expect, test } from 'vitest';
import { chat } from '../../src/capabilities/chat.ts';
import { ConversationId, TurnId } from '../../src/domain/ids.ts';
import type { JournalRecord } from '../../src/domain/journal.ts';
import type { TurnEvent } from '../../src/domain/turn.ts';
import { messagesFrom } from '../../src/loop/messages.ts';
import { nativeStrategy } from '../../src/loop/native-strategy.ts';
import { unpaired } from '../../src/loop/pairing.ts';
import { recover } from '../../src/loop/recover.ts';
import { runLoop } from '../../src/loop/run-loop.ts';
import { defaultLoopSettings } from '../../src/loop/settings.ts';
import type { LoopResult, TurnStart } from '../../src/loop/turn-io.ts';
import { chatRequest } from '../../src/model/chat-request.ts';
import { systemClock } from '../../src/observe/clock.ts';
import type { ArrivedItem } from '../../src/ports/journal.ts';
import type { ModelChunk, ModelRequest } from '../../src/ports/model.ts';
import type { Tool, ToolResult } from '../../src/ports/tool.ts';
import { strategyFor } from '../../src/turns/context.ts';
import { type Chance, chance } from '../support/chance.ts';
import { shownBy, tool } from '../support/dialogue.ts';
import { checkRequest } from '../support/llm/check-request.ts';
import { quietLog } from '../support/quiet-log.ts';

const dialogues = Number(process.env['DIALOGUES'] ?? 10_000);

test(`${dialogues} random dialogues: no request is ever unpaired or malformed, every turn has an end`, async () => {
  const ends: Record<string, number> = {};
  for (let seed = 1; seed <= dialogues; seed += 1) {
    try {
      for (const kind of await new RandomDialogue(seed).run()) ends[kind] = (ends[kind] ?? 0) + 1;
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
  // The paths that matter were all walked.
  for (const kind of [
    'finish',
    'stuck',
    'budget',
    'concluded',
    'paused',
    'aborted',
    'error',
    'interrupted',
    'no_reply',
  ]) {
    expect(ends[kind] ?? 0, `no dialogue ended ${kind}`).toBeGreaterThan(0);
  }
}, 120_000);

class RandomDialogue {
  private readonly roll: Chance;
  private readonly records: JournalRecord[] = [];
  private waiting: ArrivedItem[] = [];
  private ids = 0;
  private turns = 0;
  /** Counts every await of the loop on the outside; the stop comes at one of them. */
  private awaits = 0;
  private stopAt = Number.POSITIVE_INFINITY;
  private stopper = new AbortController();

  constructor(seed: number) {
    this.roll = chance(seed);
  }

  async run(): Promise<string[]> {
    const ends: string[] = [];
    const protocol = this.roll.of(['label', 'native'] as const);
    for (let turn = this.roll.upTo(3); turn >= 0; turn -= 1) {
      this.turns += 1;
      let start: TurnStart = {
        kind: 'open',
        messages: async () => [{ type: 'user/message', source: 'person', content: 'hello' }],
      };
      for (;;) {
        this.stopper = new AbortController();
        this.awaits = 0;
        this.stopAt = this.roll.percent(15) ? this.roll.upTo(40) : Number.POSITIVE_INFINITY;
        const { outcome } = await this.turn(start, protocol);
        ends.push(outcome.kind);
        if (outcome.kind !== 'paused') break;
        const status = this.roll.of([
          'answered',
          'answered',
          'answered',
          'no_reply',
          'superseded',
          'aborted',
        ] as const);
        start = { kind: 'answer', callId: outcome.callId, status, text: 'the second one', items: [] };
      }
      this.checkJournal();
    }
    return ends;
  }

  private async turn(start: TurnStart, protocol: 'label' | 'native'): Promise<LoopResult> {
    const strategy = protocol === 'native' ? nativeStrategy : strategyFor(chat, 'label');
    const settings = {
      ...defaultLoopSettings,
      exploration: this.roll.upTo(4),
      settlement: this.roll.upTo(2),
      maxSameCalls: this.roll.of([0, 2, 3]),
      parallel: 1 + this.roll.upTo(4),
    };
    const events: TurnEvent[] = [];
    const result = await runLoop(
      {
        conversation: ConversationId('test:talk'),
        turn: TurnId(`t${this.turns}`),
        key: `c:t${this.turns}`,
        user: undefined,
        address: undefined,
        isScheduled: false,
        recovered: recover(structuredClone(this.records), strategy, settings),
        start,
        system: 'You are a tutor.',
        strategy,
        tools: this.tools(),
        settings,
        scenes: [],
        rules: {},
      },
      {
        model: {
          name: 'random',
          contextWindow: 1_000_000,
          stream: (request, signal) => this.respond(request, signal),
        },
        journal: {
          append: async (records) => {
            await this.outside();
            this.records.push(...records);
          },
        },
        inbox: {
          waiting: async () => {
            await this.outside();
            const has = (kind: ArrivedItem['kind']) => this.waiting.some((item) => item.kind === kind);
            return { messages: has('message'), notes: has('note') };
          },
          take: async () => {
            await this.outside();
            return this.waiting.splice(0);
          },
        },
        emit: (event) => void events.push(event),
        hooks: {},
        settle: async () => {},
        clock: systemClock,
        log: quietLog,
        newId: () => `made_${(this.ids += 1)}`,
        estimateTokens: (text) => text.length,
        signal: this.stopper.signal,
        onUnpaired: 'throw',
      },
    );
    this.checkTurn(result, events);
    return result;
  }

  /** Something outside answers: people may write, and the stop may come. */
  private async outside(): Promise<void> {
    this.awaits += 1;
    if (this.awaits === this.stopAt) this.stopper.abort('user');
    if (this.roll.percent(3)) this.arrive(this.roll.of(['message', 'note'] as const));
    await Promise.resolve();
  }

  private arrive(kind: ArrivedItem['kind']): void {
    const source = kind === 'message' ? 'steer' : 'inject';
    this.waiting.push({
      kind,
      record: { type: 'user/message', source, content: `wait, ${this.roll.upTo(99)}` },
    });
  }

  private tools(): Tool[] {
    const results: readonly ToolResult[] = [
      { kind: 'text', text: 'fine' },
      { kind: 'text', text: '' },
      { kind: 'failed', text: 'no' },
      { kind: 'text', text: 'fine' },
    ];
    const act = async (): Promise<ToolResult> => {
      await this.outside();
      if (this.roll.percent(5)) throw new Error('broken');
      return this.roll.of(results);
    };
    return [
      tool('look_up', act, { required: ['q'] }),
      tool('write', act, { mode: 'exclusive', effect: 'unsafe' }),
      tool('grade', async () => ({ kind: 'conclude', text: 'Seven of ten.' })),
      tool('ask', async () => ({ kind: 'pause', question: {} }), { isQuestion: true, mode: 'exclusive' }),
    ];
  }

  private async *respond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk> {
    const { body } = chatRequest(request, 'random', { limitField: 'max_tokens' }, new Set());
    const refusal = checkRequest(JSON.parse(JSON.stringify(body)), true);
    if (refusal !== undefined) throw new Error(`refused: ${JSON.stringify(refusal)}`);
    await this.outside();
    signal.throwIfAborted();
    if (this.roll.percent(3)) throw new Error('the service is away');
    const type = this.roll.percent(5) ? 'reasoning' : 'text';
    for (const text of this.text()) {
      yield { type, text };
      await this.outside();
      signal.throwIfAborted();
    }
    if (this.roll.percent(55)) yield* this.calls();
    if (this.roll.percent(4)) return;
    yield { type: 'finish', reason: this.roll.of(['stop', 'stop', 'calls', 'length'] as const) };
    if (this.roll.percent(80)) yield { type: 'usage', usage: { prompt: 10, completion: 10 } };
    signal.throwIfAborted();
  }

  private text(): string[] {
    const label = this.roll.of([
      '``FINISH``\n',
      '``TOOL``\n',
      '``TOOL``\n',
      '``TOOL``\n',
      '``THINK``\n',
      '``PAUSE``\n',
      'FINISH: ',
      '',
      '',
    ]);
    const body = this.roll.of([
      'The slope is 3.',
      '-5',
      '',
      '<think>hm</think>So it is.',
      '``FINISH``\nagain',
      '\uD800 lone',
      'a\u0000b',
    ]);
    const whole = label + body;
    const at = this.roll.upTo(whole.length);
    return [whole.slice(0, at), whole.slice(at)];
  }

  private *calls(): Generator<ModelChunk> {
    const count = this.roll.percent(10) ? 12 : 1 + this.roll.upTo(2);
    for (let index = 0; index < count; index += 1) {
      const name = this.roll.of(['look_up', 'look_up', 'write', 'grade', 'ask', 'no_such', 'odd name!', '']);
      const args = this.roll.of(['{"q":"x"}', '{"q":"y"}', '{"q":', '', '[1]', 'null', '{"q":""}']);
      const id = this.roll.of([
        '',
        'same',
        `id-${this.turns}-${this.roll.upTo(9999)}`,
        `id ${this.roll.upTo(5)}`,
      ]);
      yield {
        type: 'call',
        index: this.roll.percent(5) ? null : index,
        id,
        name: name === '' && this.roll.percent(80) ? 'write' : name,
        args,
      };
    }
  }

  /** What must hold at the end of a run, whatever happened in it. */
  private checkTurn({ outcome }: LoopResult, events: readonly TurnEvent[]): void {
    if (outcome.kind === 'error' && /refused|unpaired/.test(outcome.failure.message)) {
      throw new Error(outcome.failure.message);
    }
    const { messages } = shownBy(events);
    if (
      outcome.kind === 'finish' ||
      outcome.kind === 'stuck' ||
      outcome.kind === 'budget' ||
      outcome.kind === 'concluded'
    ) {
      expect(
        outcome.answer.trim(),
        `${outcome.kind} without an answer: ${JSON.stringify(this.records.slice(-6))}`,
      ).not.toBe('');
      expect(
        messages.at(-1)?.endsWith(outcome.answer),
        `shown ${JSON.stringify(messages)} for ${outcome.answer}`,
      ).toBe(true);
    }
    for (const text of messages) expect(text, 'thinking in the answer').not.toContain('hm');
    const started = events.flatMap((event) => (event.type === 'tool.started' ? [event.call.id] : []));
    const finished = new Set(
      events.flatMap((event) => (event.type === 'tool.finished' ? [event.callId] : [])),
    );
    const open = outcome.kind === 'paused' ? outcome.callId : undefined;
    for (const id of started) if (id !== open) expect(finished.has(id), `row ${id} has no end`).toBe(true);
  }

  private checkJournal(): void {
    const messages = messagesFrom(this.records, (content) => content);
    expect(unpaired(messages)).toEqual([]);
    const count = (type: JournalRecord['type']) =>
      this.records.filter((record) => record.type === type).length;
    expect(count('turn/start')).toBe(count('turn/end'));
    expect(count('step/start')).toBe(count('step/end'));
  }
}

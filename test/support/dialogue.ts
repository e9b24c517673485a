/** A turn as a test writes it: what the model sends, what tools do, what people say meanwhile; and what came of it. */

import { chat } from '../../src/capabilities/chat.ts';
import { type CallId, ConversationId, TurnId } from '../../src/domain/ids.ts';
import type { JournalRecord } from '../../src/domain/journal.ts';
import type { TurnEvent } from '../../src/domain/turn.ts';
import type { Hooks } from '../../src/loop/hooks.ts';
import { nativeStrategy } from '../../src/loop/native-strategy.ts';
import { recover } from '../../src/loop/recover.ts';
import { runLoop } from '../../src/loop/run-loop.ts';
import type { Scene } from '../../src/loop/scene.ts';
import { defaultLoopSettings, type LoopSettings } from '../../src/loop/settings.ts';
import type { LoopResult, TurnRules, TurnStart } from '../../src/loop/turn-io.ts';
import { systemClock } from '../../src/observe/clock.ts';
import type { ArrivedItem } from '../../src/ports/journal.ts';
import type { ModelChunk, ModelRequest } from '../../src/ports/model.ts';
import type { Clock } from '../../src/ports/runtime.ts';
import type { Tool, ToolResult } from '../../src/ports/tool.ts';
import { strategyFor } from '../../src/turns/context.ts';
import { quietLog } from './quiet-log.ts';

/** One scripted response: chunks, or a function that streams them itself. */
export type Response =
  | readonly ModelChunk[]
  | ((signal: AbortSignal, request: ModelRequest) => AsyncIterable<ModelChunk>);

export interface DialogueOptions {
  readonly protocol?: 'label' | 'native';
  readonly tools?: readonly Tool[];
  readonly settings?: Partial<LoopSettings>;
  readonly hooks?: Hooks;
  readonly rules?: TurnRules;
  readonly scenes?: readonly Scene[];
  readonly clock?: Clock;
  readonly message?: string;
}

/** `say('FINISH', 'text')`: a labelled reply in pieces of a few characters. */
export function say(label: string, text: string, pieceChars = 7): ModelChunk[] {
  return [...pieces(`\`\`${label}\`\`\n${text}`, pieceChars), { type: 'finish', reason: 'stop' }, usage];
}

/** Plain text without a label. */
export function plain(text: string, reason: 'stop' | 'length' = 'stop'): ModelChunk[] {
  return [...pieces(text, 7), { type: 'finish', reason }, usage];
}

/** A reply that calls tools: `call('search', { q: 'x' }, 'a')`, with some text before the calls. */
export function calling(text: string, ...calls: readonly ModelChunk[]): ModelChunk[] {
  const numbered = calls.map((each, index) => ({ ...each, index }) as ModelChunk);
  return [...pieces(text, 7), ...numbered, { type: 'finish', reason: 'calls' }, usage];
}

export function call(name: string, args: unknown, id = `call-${name}`): ModelChunk {
  return { type: 'call', id, name, args: typeof args === 'string' ? args : JSON.stringify(args) };
}

const usage: ModelChunk = { type: 'usage', usage: { prompt: 10, completion: 5 } };

export function pieces(text: string, chars: number): ModelChunk[] {
  const points = [...text];
  const cut: ModelChunk[] = [];
  for (let at = 0; at < points.length; at += chars) {
    cut.push({ type: 'text', text: points.slice(at, at + chars).join('') });
  }
  return cut;
}

export function tool(
  name: string,
  run: (args: Record<string, unknown>) => ToolResult | Promise<ToolResult>,
  more: Partial<Tool> = {},
): Tool {
  return {
    schema: { name, description: name, parameters: { type: 'object' } },
    required: [],
    mode: 'parallel',
    effect: 'none',
    timeoutMs: 10_000,
    run: async (args) => run({ ...args }),
    ...more,
  };
}

export const lookUp = tool('look_up', () => ({ kind: 'text', text: 'found' }));

/** A conversation that can be run turn by turn; journal, events and requests are kept for the test to read. */
export class Dialogue {
  readonly records: JournalRecord[] = [];
  readonly events: TurnEvent[] = [];
  readonly requests: ModelRequest[] = [];
  readonly waiting: ArrivedItem[] = [];
  readonly stopper = new AbortController();
  private readonly responses: Response[];
  private ids = 0;
  private turns = 0;

  constructor(
    responses: readonly Response[],
    private readonly options: DialogueOptions = {},
  ) {
    this.responses = [...responses];
  }

  /** Opens a turn with one message. */
  hears(text = this.options.message ?? 'hello'): Promise<LoopResult> {
    this.turns += 1;
    const message = { type: 'user/message', source: 'person', content: text } as const;
    return this.run({ kind: 'open', messages: async () => [message] });
  }

  answers(callId: CallId, text: string): Promise<LoopResult> {
    return this.run({ kind: 'answer', callId, status: 'answered', text, items: [] });
  }

  /** Somebody writes while the turn runs. */
  steer(text: string): void {
    this.waiting.push({ kind: 'message', record: { type: 'user/message', source: 'steer', content: text } });
  }

  inject(text: string): void {
    this.waiting.push({ kind: 'note', record: { type: 'user/message', source: 'inject', content: text } });
  }

  run(start: TurnStart): Promise<LoopResult> {
    const {
      protocol = 'label',
      tools = [lookUp],
      scenes = [],
      rules = {},
      hooks = {},
      clock = systemClock,
    } = this.options;
    const strategy = protocol === 'native' ? nativeStrategy : strategyFor(chat, 'label');
    const settings = { ...defaultLoopSettings, ...this.options.settings };
    return runLoop(
      {
        conversation: ConversationId('test:talk'),
        turn: TurnId(`t${this.turns}`),
        key: `c:t${this.turns}`,
        user: undefined,
        address: undefined,
        isScheduled: false,
        recovered: recover(this.records, strategy, settings),
        start,
        system: 'You are a tutor.',
        strategy,
        tools,
        settings,
        scenes,
        rules,
      },
      {
        model: {
          name: 'scripted',
          contextWindow: 200_000,
          stream: (request, signal) => this.respond(request, signal),
        },
        journal: { append: async (records) => void this.records.push(...records) },
        inbox: {
          waiting: async () => ({
            messages: this.waiting.some((item) => item.kind === 'message'),
            notes: this.waiting.some((item) => item.kind === 'note'),
          }),
          take: async (maxMessages) => this.take(maxMessages),
        },
        emit: (event) => void this.events.push(event),
        hooks,
        settle: async () => {},
        clock,
        log: quietLog,
        newId: () => `made-${(this.ids += 1)}`,
        estimateTokens: (text) => Math.ceil(text.length / 4),
        signal: this.stopper.signal,
        onUnpaired: 'throw',
      },
    );
  }

  /** The answer messages as a person reads them in the end. */
  answer(): string[] {
    return shownBy(this.events).messages;
  }

  thinking(): string {
    return this.events.map((event) => (event.type === 'thinking.delta' ? event.text : '')).join('');
  }

  /** Types of the journal records, results and user messages with what they are about. */
  log(): string[] {
    return this.records.map((record) => {
      switch (record.type) {
        case 'user/message':
          return record.source === 'person' ? 'user/message' : `user/message(${record.source})`;
        case 'assistant/message':
          if (record.calls.length > 0)
            return `assistant/message(${record.calls.map(({ id }) => id).join(',')})`;
          return record.interrupted === true ? 'assistant/message(interrupted)' : 'assistant/message';
        case 'tool/call':
          return `tool/call ${record.call.id}`;
        case 'tool/result':
          return record.status === 'ok'
            ? `tool/result ${record.callId}`
            : `tool/result ${record.callId}(${record.status})`;
        case 'turn/end':
          return `turn/end(${record.outcome})`;
        default:
          return record.type;
      }
    });
  }

  private async *respond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk> {
    this.requests.push(request);
    const response = this.responses.shift();
    if (response === undefined) throw new Error(`request ${this.requests.length} is beyond the script`);
    if (typeof response === 'function') {
      yield* response(signal, request);
      return;
    }
    for (const chunk of response) {
      signal.throwIfAborted();
      yield chunk;
    }
  }

  private take(maxMessages: number): ArrivedItem[] {
    let left = maxMessages;
    const taken = this.waiting.filter((item) => item.kind === 'note' || left-- > 0);
    for (const item of taken) this.waiting.splice(this.waiting.indexOf(item), 1);
    return taken;
  }
}

/** Applies answer events the way a screen does. `states` holds the running message after every event. */
export function shownBy(events: readonly TurnEvent[]): { messages: string[]; states: string[] } {
  const messages: string[] = [];
  const states: string[] = [];
  let text = '';
  for (const event of events) {
    if (event.type === 'answer.delta') text += event.text;
    else if (event.type === 'answer.retracted') text = text.slice(0, event.keep);
    else if (event.type === 'answer.closed') {
      messages.push(text);
      text = '';
    } else if (event.type === 'turn.ended' && event.outcome.kind !== 'paused' && text !== '') {
      messages.push(text);
      text = '';
      continue;
    } else continue;
    states.push(text);
  }
  return { messages: text === '' ? messages : [...messages, text], states };
}

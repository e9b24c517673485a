/** The form of guards.json, and how a case becomes settings, tools, records and tokens. */
import { CallId, TurnId } from '../../../src/domain/ids.ts';
import type { JournalRecord } from '../../../src/domain/journal.ts';
import type { ModelMessage, ResultStatus } from '../../../src/domain/message.ts';
import { labelProtocol } from '../../../src/loop/label-protocol.ts';
import { labelStrategy } from '../../../src/loop/label-strategy.ts';
import { nativeStrategy } from '../../../src/loop/native-strategy.ts';
import { defaultLoopSettings, type LoopSettings } from '../../../src/loop/settings.ts';
import type { Strategy } from '../../../src/loop/strategy.ts';
import type { Tool, ToolResult } from '../../../src/ports/tool.ts';

export interface GuardConfig extends Partial<LoopSettings> {
  readonly strategy?: 'native' | 'label';
  readonly labels?: { terminal: string[]; intermediate: string[]; final: string[]; tool: string };
}

export interface ScriptedReply {
  readonly repeat?: number;
  readonly text?: string;
  readonly calls?: readonly { id: string; name: string; args: string }[];
  readonly finish?: string;
}

export interface GuardEvent {
  readonly when: string;
  readonly do: 'steer' | 'followup' | 'inject' | 'abort' | 'reply' | 'expire' | 'reject';
  readonly text?: string;
  readonly partial?: string;
  readonly always?: boolean;
}

export interface GuardCase {
  readonly id: string;
  readonly about: string;
  readonly kind?: 'turn' | 'route' | 'resume' | 'sched';
  readonly config: GuardConfig;
  readonly tools?: Readonly<Record<string, { required?: string[]; mode?: 'parallel' | 'exclusive' }>>;
  readonly script?: readonly ScriptedReply[];
  readonly outcomes?: Readonly<
    Record<string, { ok?: string; fail?: string; timeout?: boolean; deny?: string; conclude?: boolean }>
  >;
  readonly events?: readonly GuardEvent[];
  readonly scene?: { type: string; confidence: number };
  readonly prefetch?: { ok?: string; none?: boolean; throws?: boolean };
  readonly log?: readonly string[];
  readonly calls?: readonly { id: string; name: string; args: string }[];
  readonly expect: {
    readonly [key: string]: unknown;
    readonly results?: Readonly<Record<string, string>>;
    readonly requests?: Readonly<
      Record<string, { tools?: boolean; shape?: string[]; tail?: string[]; count?: Record<string, number> }>
    >;
  };
}

const knownTools: NonNullable<GuardCase['tools']> = {
  search: { required: ['q'], mode: 'parallel' },
  calc: { required: ['expr'], mode: 'parallel' },
  poll: { required: ['job'], mode: 'parallel' },
  write: { required: ['text'], mode: 'exclusive' },
  ask_user: { required: ['question'], mode: 'exclusive' },
};

export function caseSettings({ config }: GuardCase): LoopSettings {
  return { ...defaultLoopSettings, ...config };
}

export function caseStrategy({ config }: GuardCase): Strategy {
  if (config.strategy !== 'label' || config.labels === undefined) return nativeStrategy;
  const { terminal, intermediate, final, tool } = config.labels;
  return labelStrategy(
    labelProtocol({ allowed: [...terminal, ...intermediate, tool], terminal, intermediate, final, tool }),
    '',
  );
}

export function caseTools(
  raw: GuardCase,
  run: (callId: string, args: Readonly<Record<string, unknown>>) => Promise<ToolResult>,
): Tool[] {
  const timesOut = Object.values(raw.outcomes ?? {}).some((outcome) => outcome.timeout === true);
  return Object.entries({ ...knownTools, ...raw.tools }).map(
    ([name, { required = [], mode = 'exclusive' }]) => ({
      schema: { name, description: name, parameters: { type: 'object' } },
      required,
      mode,
      isQuestion: name === 'ask_user',
      effect: 'unsafe',
      timeoutMs: timesOut ? 50 : 30_000,
      run: (args, context) => run(context.callId, args),
    }),
  );
}

/** `{"repeat": N, …}` stands for N replies with `{n}` replaced by 1 … N. */
export function expandScript(script: readonly ScriptedReply[]): ScriptedReply[] {
  return script.flatMap((reply) => {
    const { repeat = 1 } = reply;
    const fill = (n: number) =>
      JSON.parse(JSON.stringify(reply).replaceAll('{n}', String(n))) as ScriptedReply;
    return Array.from({ length: repeat }, (_, index) => fill(index + 1));
  });
}

/** The token of a message; undefined for the system prompt, which is not listed. */
export function tokenOf(message: ModelMessage): string | undefined {
  switch (message.role) {
    case 'system':
      return undefined;
    case 'user':
      return message.source === 'person' ? 'user' : `user:${message.source}`;
    case 'assistant':
      return message.calls.length === 0
        ? 'assistant'
        : `assistant[${message.calls.map((call) => call.id).join(',')}]`;
    case 'tool':
      return `tool:${message.callId}:${message.status}`;
  }
}

/** A stored log in tokens → journal records. */
export function recordsFrom(log: readonly string[]): JournalRecord[] {
  return log.map((token): JournalRecord => {
    const [head = '', id = '', status = ''] = token.split(':');
    if (token === 'turn/start') return { type: 'turn/start', turn: TurnId('t1'), protocol: 'native' };
    if (token === 'turn/end') return { type: 'turn/end', outcome: 'finish' };
    if (token === 'step/start') return { type: 'step/start', step: 1, model: 'scripted' };
    if (token === 'step/end') return { type: 'step/end' };
    if (head === 'user') return { type: 'user/message', source: 'person', content: 'hello' };
    if (head === 'call') return { type: 'tool/call', call: callOf(id) };
    if (head === 'paused') return { type: 'turn/paused', callId: CallId(id), question: {}, at: 0 };
    if (head === 'result') {
      return {
        type: 'tool/result',
        callId: CallId(id),
        name: 'search',
        status: status as ResultStatus,
        content: 'x',
      };
    }
    const calls = token.startsWith('assistant[')
      ? token.slice('assistant['.length, -1).split(',').map(callOf)
      : [];
    return { type: 'assistant/message', content: calls.length === 0 ? 'hello' : '', calls };
  });
}

function callOf(id: string) {
  return { id: CallId(id), name: 'search', args: JSON.stringify({ q: id }) };
}

/** Keeps a request inside the model's window, measured on the assembled request. Whole rounds are cut, never half. */
import { ModelError } from '../domain/errors.ts';
import { type ModelMessage, textOf } from '../domain/message.ts';
import type { ToolSchema } from '../ports/model.ts';

/** A request may fill this share of the window; the rest is for the reply. */
const windowShare = 0.9;
/** Assumed when the window is not known. Unit: tokens. */
const assumedWindow = 65_536;
/** What one picture is taken to cost. Unit: tokens. */
const imageTokens = 1_000;

/** What a request carries. Unit: tokens; the segments add up to `used`. */
export interface ContextBudget {
  readonly window: number;
  /** The window is assumed, not known. */
  readonly estimated: boolean;
  readonly used: number;
  readonly free: number;
  readonly segments: Readonly<Record<'system' | 'tools' | 'people' | 'replies' | 'results', number>>;
  /** Messages left out of this request, oldest first. */
  readonly cut: number;
}

export class ContextWindow {
  private readonly sizes = new WeakMap<ModelMessage, number>();
  /** Reported over estimated tokens of the last request that was reported. */
  private correction = 1;

  constructor(
    private readonly estimate: (text: string) => number,
    private readonly window: number | undefined,
  ) {}

  /** Learns from a provider's own count for a request that was measured here. */
  learn(reportedPrompt: number, measured: number): void {
    if (measured > 0 && reportedPrompt > 0) {
      this.correction = Math.min(2, Math.max(0.5, (this.correction * reportedPrompt) / measured));
    }
  }

  /**
   * The messages that fit, and what they cost. Throws `ModelError` context_too_long when even the newest round and the
   * person's message do not fit.
   */
  fit(
    messages: readonly ModelMessage[],
    tools: readonly ToolSchema[],
  ): { messages: ModelMessage[]; budget: ContextBudget } {
    const window = this.window ?? assumedWindow;
    const limit = window * windowShare;
    const fixed = this.tokens(JSON.stringify(tools));
    const units = roundsOf(messages);
    const keep = new Set(units);
    let used = fixed + messages.reduce((sum, message) => sum + this.size(message), 0);
    for (const unit of cuttable(units)) {
      if (used <= limit) break;
      keep.delete(unit);
      used -= unit.reduce((sum, message) => sum + this.size(message), 0);
    }
    if (used > limit) throw tooLong(used, window);
    const kept = units.filter((unit) => keep.has(unit)).flat();
    return { messages: kept, budget: this.budget(kept, fixed, window, messages.length - kept.length) };
  }

  private budget(kept: readonly ModelMessage[], tools: number, window: number, cut: number): ContextBudget {
    const segments = { system: 0, tools, people: 0, replies: 0, results: 0 };
    for (const message of kept) segments[segmentOf[message.role]] += this.size(message);
    const used = Object.values(segments).reduce((sum, each) => sum + each, 0);
    const free = Math.max(0, window - used);
    return { window, estimated: this.window === undefined, used, free, segments, cut };
  }

  private size(message: ModelMessage): number {
    const known = this.sizes.get(message) ?? measure(message, this.estimate);
    this.sizes.set(message, known);
    return Math.ceil(known * this.correction);
  }

  private tokens(text: string): number {
    return Math.ceil(this.estimate(text) * this.correction);
  }
}

const segmentOf = { system: 'system', user: 'people', assistant: 'replies', tool: 'results' } as const;

function measure(message: ModelMessage, estimate: (text: string) => number): number {
  const text = estimate(textOf(message.content));
  if (message.role === 'assistant') {
    return text + message.calls.reduce((sum, call) => sum + estimate(call.name) + estimate(call.args), 0);
  }
  if (message.role !== 'user' || typeof message.content === 'string') return text;
  return text + message.content.filter((part) => part.type === 'image').length * imageTokens;
}

/** Messages in units that stand or fall together: a message with calls and all of its results, or one message. */
function roundsOf(messages: readonly ModelMessage[]): ModelMessage[][] {
  const units: ModelMessage[][] = [];
  for (const message of messages) {
    if (message.role === 'tool' && units.length > 0) units.at(-1)?.push(message);
    else units.push([message]);
  }
  return units;
}

/** Oldest first; never the system prompt, the newest message of a person, or anything of the newest round. */
function cuttable(units: readonly ModelMessage[][]): ModelMessage[][] {
  const lastPerson = units.findLastIndex(([first]) => first?.role === 'user' && isPersons(first.source));
  const lastRound = units.findLastIndex(([first]) => first?.role === 'assistant' && first.calls.length > 0);
  const newest = lastRound > lastPerson ? lastRound : units.length - 1;
  return units.filter(([first], index) => first?.role !== 'system' && index !== lastPerson && index < newest);
}

function isPersons(source: string): boolean {
  return source === 'person' || source === 'steer' || source === 'scene';
}

function tooLong(used: number, window: number): ModelError {
  return new ModelError(
    'context_too_long',
    `the request needs about ${used} tokens, the model takes ${window}`,
    {
      hint: 'Send a shorter message or start a new conversation.',
      retryable: false,
    },
  );
}

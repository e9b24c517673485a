/** One streamed model call: chunks in, routed text and calls out. Knows when a stream is done, silent or cut. */

import { ModelError } from '../domain/errors.ts';
import { GrowingText } from '../domain/growing-text.ts';
import type { Usage } from '../domain/turn.ts';
import type { FinishReason, ModelChunk, ToolSchema } from '../ports/model.ts';
import type { Clock } from '../ports/runtime.ts';
import { writeLabel } from './label-protocol.ts';
import { declaredTypes, TextToolCalls } from './reading/text-tool-calls.ts';
import { ThinkFilter } from './reading/think-tags.ts';
import { ToolCallBuffer } from './reading/tool-call-buffer.ts';
import type { StreamLimits } from './settings.ts';
import type { RawCall, ReadMode, Reply, Strategy } from './strategy.ts';

export interface StepInput {
  /** Opens the stream. The signal is aborted when the person stops the turn or the stream is silent too long. */
  open(signal: AbortSignal): AsyncIterable<ModelChunk>;
  readonly strategy: Strategy;
  readonly mode: ReadMode;
  /** Tools offered in this request; calls written as text are read for these only. */
  readonly tools: readonly ToolSchema[];
  readonly limits: StreamLimits;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  onAnswer(text: string): void;
  onThinking(text: string): void;
  onRetrying(why: string): void;
  /** Counts what was received, when the provider reports no usage. */
  estimateTokens(text: string): number;
  /** What the request was measured as. Unit: tokens. */
  readonly estimatedPrompt: number;
}

export type StepResult =
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** Nothing usable came: no final text, no call. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly draft: string }
  | { readonly kind: 'stopped'; readonly partial: Reply };

/** Runs one step to its end. Never throws for a failure of the model. */
export async function runStep(input: StepInput): Promise<StepResult> {
  const reader = new ResponseReader(input);
  const controller = new AbortController();
  const stop = () => controller.abort(input.signal.reason);
  if (input.signal.aborted) stop();
  else input.signal.addEventListener('abort', stop, { once: true });
  const silence = new SilenceWatch(input.clock, () => controller.abort(new Error('the stream is silent')));
  let failure: unknown;
  try {
    silence.expect(input.limits.firstChunkMs);
    for await (const chunk of input.open(controller.signal)) {
      if (chunk.type === 'retrying') {
        silence.expect(input.limits.firstChunkMs + chunk.afterMs);
        input.onRetrying(chunk.why);
        continue;
      }
      reader.add(chunk);
      if (reader.isComplete) break;
      silence.expect(reader.silenceLimitMs);
    }
  } catch (error) {
    failure = error;
  } finally {
    silence.end();
    input.signal.removeEventListener('abort', stop);
  }
  const reply = reader.end();
  if (reader.finish !== undefined) return { kind: 'reply', reply };
  if (input.signal.aborted) return { kind: 'stopped', partial: reply };
  // Final text that was shown, and calls that had begun, make a cut response; anything less is a failure.
  if (reader.hasAnswer || reply.calls.length > 0) return { kind: 'reply', reply };
  const error = silence.tripped ? silent(silence.limitMs) : (failure ?? empty());
  return { kind: 'failed', error, draft: reply.content };
}

/** Turns chunks into routed text and a reply. O(new text) per chunk. */
class ResponseReader {
  finish: FinishReason | undefined;
  hasAnswer = false;
  private readonly thinkTags = new ThinkFilter();
  private readonly textCalls: TextToolCalls;
  private readonly calls = new ToolCallBuffer();
  private readonly reply;
  private readonly text = new GrowingText();
  private readonly content = new GrowingText();
  private readonly reasoning = new GrowingText();
  private reasoningBy: string | undefined;
  private usage: Usage | undefined;

  constructor(private readonly input: StepInput) {
    const knownTools = new Set(input.tools.map((tool) => tool.name));
    this.textCalls = new TextToolCalls(declaredTypes(input.tools), { knownTools });
    this.reply = input.strategy.reader(input.mode, {
      answer: (text) => {
        this.content.append(text);
        this.hasAnswer ||= text.trim() !== '';
        input.onAnswer(text);
      },
      thinking: (text) => {
        this.content.append(text);
        input.onThinking(text);
      },
      label: (label) => {
        this.content.append(`${writeLabel(label)}\n`);
      },
    });
  }

  add(chunk: Exclude<ModelChunk, { type: 'retrying' }>): void {
    switch (chunk.type) {
      case 'text':
        for (const piece of this.thinkTags.feed(chunk.text)) this.route(piece);
        return;
      case 'reasoning':
        this.reasoning.append(chunk.text);
        this.reasoningBy = chunk.model;
        this.input.onThinking(chunk.text);
        return;
      case 'call':
        this.calls.add(chunk);
        return;
      case 'finish':
        this.finish = chunk.reason;
        return;
      case 'usage':
        this.usage = chunk.usage;
    }
  }

  get isComplete(): boolean {
    return this.finish !== undefined && this.usage !== undefined;
  }

  get silenceLimitMs(): number {
    const { limits } = this.input;
    if (this.finish !== undefined) return limits.usageGraceMs;
    return this.hasAnswer ? limits.finalIdleMs : limits.idleMs;
  }

  end(): Reply {
    for (const piece of this.thinkTags.end()) this.route(piece);
    const rest = this.textCalls.end();
    this.show(rest.text);
    this.reply.end();
    const native = this.calls.calls();
    const calls: readonly RawCall[] =
      native.length > 0 ? native : rest.calls.map((call) => ({ id: '', ...call }));
    const text = this.text.toString();
    const reasoning = this.reasoning.toString();
    const written = text + reasoning + calls.map((call) => call.name + call.args).join('');
    return {
      text,
      content: this.content.toString(),
      reasoning,
      reasoningBy: this.reasoningBy,
      calls,
      stop: this.finish ?? 'cut',
      usage: this.usage ?? {
        prompt: this.input.estimatedPrompt,
        completion: this.input.estimateTokens(written),
        estimated: true,
      },
    };
  }

  private route(piece: { kind: 'visible' | 'thinking'; text: string; raw: string }): void {
    if (piece.kind === 'visible') {
      this.show(this.textCalls.feed(piece.text));
      return;
    }
    this.content.append(piece.raw);
    if (piece.text !== '') this.input.onThinking(piece.text);
  }

  private show(text: string): void {
    if (text === '') return;
    this.text.append(text);
    this.reply.feed(text);
  }
}

/** One timer for a whole stream, moved only when it fires too early or a shorter limit begins. */
class SilenceWatch {
  tripped = false;
  limitMs = 0;
  private since = 0;
  private firesAt = Number.POSITIVE_INFINITY;
  private cancel = () => {};

  constructor(
    private readonly clock: Clock,
    private readonly onSilence: () => void,
  ) {}

  /** The next chunk must come within `limitMs` from now. */
  expect(limitMs: number): void {
    this.since = this.clock.now();
    this.limitMs = limitMs;
    if (this.firesAt > this.since + limitMs) this.arm(limitMs);
  }

  end(): void {
    this.cancel();
  }

  private arm(inMs: number): void {
    this.cancel();
    this.firesAt = this.clock.now() + inMs;
    this.cancel = this.clock.after(inMs, () => this.check());
  }

  private check(): void {
    const leftMs = this.since + this.limitMs - this.clock.now();
    if (leftMs > 0) return this.arm(leftMs);
    this.tripped = true;
    this.onSilence();
  }
}

function silent(limitMs: number): ModelError {
  return new ModelError('idle', `the model sent nothing for ${Math.round(limitMs / 1000)} s`, {
    hint: 'Try again; if it happens often, the model server is overloaded or the limits MODEL_FIRST_CHUNK_S and MODEL_IDLE_S are too short for it.',
    retryable: true,
  });
}

function empty(): ModelError {
  return new ModelError('cut', 'the model ended its reply without a finish reason and without text', {
    hint: 'Try again; if it happens often, look at the log of the model server.',
    retryable: true,
  });
}

/** One step's request: derived from the journal, measured, checked, streamed, asked again when a hook says so. */
import { ModelError, PairingError } from '../domain/errors.ts';
import type { JournalRecord } from '../domain/journal.ts';
import type { UserContent } from '../domain/message.ts';
import type { TurnEvent } from '../domain/turn.ts';
import type { ModelRequest } from '../ports/model.ts';
import type { AnswerFeed } from './answer-feed.ts';
import { type ContextBudget, ContextWindow } from './context-window.ts';
import { limitHook, type RequestConfig, runHook } from './hooks.ts';
import type { MessageFold } from './messages.ts';
import { repairPairs, unpaired } from './pairing.ts';
import { runStep, type StepResult } from './step.ts';
import type { ReadMode } from './strategy.ts';
import type { LoopIo, TurnInput } from './turn-io.ts';

export interface Asked {
  readonly mode: ReadMode;
  /** Without tools the response must be text. */
  readonly withTools: boolean;
  readonly config: RequestConfig;
  /** Stands in the request in place of the person's last message. */
  readonly prepared?: UserContent;
}

/** Attempts of one step that a hook may ask for, the first one included. */
const maxAttempts = 3;

export class ModelCalls {
  /** The last request as it was measured. */
  budget: ContextBudget | undefined;
  private readonly window: ContextWindow;

  constructor(
    private readonly input: TurnInput,
    private readonly io: LoopIo,
    private readonly fold: MessageFold,
    private readonly feed: AnswerFeed,
    private readonly emit: (event: TurnEvent) => void,
    private readonly record: (...records: JournalRecord[]) => Promise<void>,
  ) {
    this.window = new ContextWindow(io.estimateTokens, io.model.contextWindow);
  }

  /** Never throws for a failure of the model, a request that is too long included. */
  async ask(asked: Asked): Promise<StepResult> {
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.attempt(asked);
      if (result.kind !== 'failed' || attempt === maxAttempts) return result;
      const shown = this.feed.stepText !== '';
      const failure = { error: result.error, attempt, shown };
      if ((await this.mayRetry(failure)) !== 'retry') return result;
      this.feed.retract('retry');
      this.emit({ type: 'notice', notice: 'retrying' });
      const content = result.draft;
      if (content !== '') await this.record({ type: 'assistant/attempt', reason: 'failed', content });
    }
  }

  private async attempt(asked: Asked): Promise<StepResult> {
    let request: ModelRequest;
    try {
      request = this.request(asked);
    } catch (error) {
      if (error instanceof ModelError) return { kind: 'failed', error, draft: '' };
      throw error;
    }
    return this.stream(request, asked);
  }

  private async mayRetry(failure: {
    error: unknown;
    attempt: number;
    shown: boolean;
  }): Promise<'retry' | 'fail'> {
    const { hooks, clock, log, signal } = this.io;
    if (hooks.requestError === undefined || signal.aborted) return 'fail';
    try {
      return await limitHook(
        runHook(hooks.requestError, failure, async () => 'fail'),
        'requestError',
        clock,
      );
    } catch (error) {
      log.error({ error }, 'the requestError hook failed; the request stays failed');
      return 'fail';
    }
  }

  private request({ withTools, config, prepared }: Asked): ModelRequest {
    const all = this.fold.messages();
    const last = all.findLastIndex((message) => message.role === 'user');
    if (prepared !== undefined && last >= 0) all[last] = { role: 'user', source: 'scene', content: prepared };
    // Listed even when they must not be called: some services refuse a history with calls and no list.
    const tools = this.input.tools.map((tool) => tool.schema);
    const { messages, budget } = this.window.fit(all, tools);
    if (budget.cut > (this.budget?.cut ?? 0)) this.emit({ type: 'notice', notice: 'context_cut' });
    this.budget = budget;
    const { maxTokens } = this.input.settings;
    return {
      messages: this.paired(messages),
      tools,
      toolChoice: withTools ? 'auto' : 'none',
      ...(maxTokens === null ? {} : { maxTokens }),
      ...config,
    };
  }

  private paired(messages: ModelRequest['messages']): ModelRequest['messages'] {
    const problems = unpaired(messages);
    if (problems.length === 0) return messages;
    if (this.io.onUnpaired === 'throw') throw new PairingError(problems.join('; '));
    this.io.log.error({ problems }, 'a request was not paired and has been repaired; please report this');
    return repairPairs(messages);
  }

  private async stream(request: ModelRequest, { mode }: Asked): Promise<StepResult> {
    const { model, hooks, clock, signal, estimateTokens } = this.io;
    const { emit } = this;
    let writing = false;
    const measured = this.budget?.used ?? 0;
    emit({ type: 'phase', phase: 'thinking' });
    const result = await runStep({
      open: (stop) => runHook(hooks.stream, { request, signal: stop }, () => model.stream(request, stop)),
      strategy: this.input.strategy,
      mode,
      tools: request.tools,
      limits: this.input.settings.limits,
      clock,
      signal,
      estimateTokens,
      estimatedPrompt: measured,
      onAnswer: (text) => {
        if (!writing) emit({ type: 'phase', phase: 'writing' });
        writing = true;
        this.feed.write(text);
      },
      onThinking: (text) => emit({ type: 'thinking.delta', text }),
      onRetrying: (why) => emit({ type: 'notice', notice: 'retrying', detail: why }),
    });
    if (result.kind === 'reply' && result.reply.usage.estimated !== true) {
      this.window.learn(result.reply.usage.prompt, measured);
    }
    return result;
  }
}

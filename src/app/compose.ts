/** Builds every real implementation from the settings; the only place that sees all layers. */
import { randomUUID } from 'node:crypto';
import { chat } from '../capabilities/chat.ts';
import type { Config } from '../config/load.ts';
import { defaultLoopSettings } from '../loop/settings.ts';
import { firstModelId } from '../model/first-model.ts';
import { openAiModel } from '../model/openai.ts';
import { estimateTokens } from '../model/token-estimate.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import { memoryConversations, memoryModelNotes } from '../store/memory.ts';
import { askUser } from '../tools/ask-user.ts';
import { protocolChoice } from '../turns/protocol-choice.ts';
import type { TurnServices } from '../turns/run-turn.ts';

export interface App {
  readonly services: TurnServices;
  /** Which model answers, and where: for the start line. */
  readonly modelLine: string;
  close(): Promise<void>;
}

const openAiUrl = 'https://api.openai.com/v1';
/** Used at OpenAI when no model is set. */
const openAiModelName = 'gpt-4.1-mini';

/** Throws `ModelError` when the model has to be asked for its name and cannot be reached. */
export async function compose(config: Config, clock: Clock, log: Logger): Promise<App> {
  const { baseUrl, apiKey, name, line, close } = await modelService(config);
  const notes = memoryModelNotes(clock);
  const model = openAiModel({
    baseUrl,
    apiKey,
    model: name,
    fallbackModel: config.model.fallbackName,
    notes,
    clock,
    log,
  });
  const { protocol, maxRepairs, limits } = config.loop;
  return {
    modelLine: line,
    close,
    services: {
      conversations: memoryConversations(),
      model,
      protocol: protocolChoice(protocol, baseUrl, notes, log),
      tools: new Map([[askUser.schema.name, askUser]]),
      capability: chat,
      settings: { maxRepairs, limits: { ...defaultLoopSettings.limits, ...limits } },
      hooks: {},
      clock,
      log,
      newId: randomUUID,
      estimateTokens,
    },
  };
}

/** The model that is set; without key and address the practice model, started here. */
async function modelService({ model }: Config) {
  const { apiKey = '', baseUrl, name } = model;
  const close = async () => {};
  if (baseUrl === undefined && apiKey === '') {
    const { startPracticeModel } = await import('../model/practice/server.ts');
    const practice = await startPracticeModel();
    return {
      baseUrl: practice.baseUrl,
      apiKey,
      name: practice.model,
      close: () => practice.close(),
      line: practiceLine,
    };
  }
  const url = baseUrl ?? openAiUrl;
  const isOpenAi = new URL(url).hostname === 'api.openai.com';
  const chosen = name ?? (isOpenAi ? openAiModelName : await firstModelId(url, apiKey));
  return { baseUrl: url, apiKey, name: chosen, close, line: `Model: ${chosen} at ${new URL(url).host}.` };
}

const practiceLine =
  'No model is set: a small practice program answers. It works sums and linear equations. For a real tutor set OPENAI_API_KEY, or OPENAI_BASE_URL for a local server.';

/** The model of this process: the one that is set, or the practice model, started here. */
import type { Config } from '../config/load.ts';
import { firstModelId } from '../model/first-model.ts';
import { openAiModel } from '../model/openai.ts';
import type { Model } from '../ports/model.ts';
import type { Clock, Logger, ModelNotes } from '../ports/runtime.ts';

export interface AppModel {
  readonly model: Model;
  /** The base URL: the same model name elsewhere is another model. */
  readonly service: string;
  /** Which model answers, and where: for the start line. */
  readonly line: string;
  close(): Promise<void>;
}

const openAiUrl = 'https://api.openai.com/v1';
/** Used at OpenAI when no model is set. */
const openAiModelName = 'gpt-4.1-mini';

const practiceLine =
  'No model is set: a small practice program answers. It works sums and linear equations. For a real tutor set OPENAI_API_KEY, or OPENAI_BASE_URL for a local server.';

/** Throws `ModelError` when the model has to be asked for its name and cannot be reached. */
export async function openModel(
  config: Config,
  notes: ModelNotes,
  clock: Clock,
  log: Logger,
): Promise<AppModel> {
  const { baseUrl, apiKey, name, line, close } = await modelService(config);
  const { fallbackName } = config.model;
  const model = openAiModel({ baseUrl, apiKey, model: name, fallbackModel: fallbackName, notes, clock, log });
  return { model, service: baseUrl, line, close };
}

async function modelService({ model }: Config) {
  const { apiKey = '', baseUrl, name, isFound } = model;
  if (baseUrl === undefined && apiKey === '') {
    const { startPracticeModel } = await import('../model/practice/server.ts');
    const practice = await startPracticeModel();
    const close = () => practice.close();
    return { baseUrl: practice.baseUrl, apiKey, name: practice.model, close, line: practiceLine };
  }
  const url = baseUrl ?? openAiUrl;
  const isOpenAi = new URL(url).hostname === 'api.openai.com';
  const chosen = name ?? (isOpenAi ? openAiModelName : await firstModelId(url, apiKey));
  return {
    baseUrl: url,
    apiKey,
    name: chosen,
    close: async () => {},
    line: `Model: ${chosen} at ${new URL(url).host}${isFound === true ? ', found on this machine; OPENAI_BASE_URL names another' : ''}.`,
  };
}

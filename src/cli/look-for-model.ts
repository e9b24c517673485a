/** Somebody starts Docent at a terminal and has named no model: the one that runs on this machine is used. */
import type { Config } from '../config/load.ts';
import { localModelId, localModelUrl } from '../model/local-model.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Never where nobody looks: in tests, in CI and in production the model is what the settings say. */
export function mayLook(config: Config, env: Environment, isTty: boolean): boolean {
  const { apiKey, baseUrl } = config.model;
  const isNamed = apiKey !== undefined || baseUrl !== undefined;
  const isWatched = isTty && !env['CI'] && env['NODE_ENV'] !== 'production' && env['NODE_ENV'] !== 'test';
  return isWatched && !isNamed;
}

/** The same settings, with the model that was found here. */
export async function withLocalModel(config: Config, find = localModelId): Promise<Config> {
  const found = await find();
  if (found === undefined) return config;
  const name = config.model.name ?? found;
  return { ...config, model: { ...config.model, baseUrl: localModelUrl, name, isFound: true } };
}

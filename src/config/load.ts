/** Environment and `.env` → `Config`, or one `ConfigError` that lists every problem with its remedy. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { cutText } from '../domain/cut-text.ts';
import { ConfigError } from '../domain/errors.ts';
import { maskSecrets } from '../domain/secrets.ts';
import { nearbyBaseUrl, type SettingValues, schema } from './schema.ts';
import { type Setting, settings } from './settings.ts';
import { unknownNames } from './unknown-names.ts';

export interface Config {
  readonly model: {
    readonly apiKey: string | undefined;
    /** Without a slash at its end. */
    readonly baseUrl: string | undefined;
    readonly name: string | undefined;
    readonly fallbackName: string | undefined;
  };
  readonly loop: {
    readonly protocol: 'auto' | 'label' | 'native';
    /** 0: no limit. */
    readonly maxRepairs: number;
    readonly limits: { readonly firstChunkMs: number; readonly idleMs: number; readonly finalIdleMs: number };
  };
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** As written, hence relative to the working folder. */
  readonly dataFolder: string;
}

const MAX_SHOWN_CHARS = 80;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `readEnvFile` returns the text of `.env`, or `undefined` when there is none; what stands in the environment wins over
 * it. Values are trimmed, and an empty one counts as unset. Warnings are sentences for the operator.
 */
export function loadConfig(
  env: Environment,
  readEnvFile: () => string | undefined = readDotEnv,
): { config: Config; warnings: readonly string[] } {
  const { file, problems } = envFile(readEnvFile);
  const given = present(env);
  const raw = Object.fromEntries(
    settings.map((setting: Setting) => [
      setting.name,
      given[setting.name] ?? file[setting.name] ?? setting.fallback,
    ]),
  );
  const read = schema.safeParse(raw);
  const wrong = new Set(read.error?.issues.map((issue) => issue.path[0]));
  problems.push(
    ...settings
      .filter(({ name }) => wrong.has(name))
      .map((setting) => problem(setting, raw[setting.name] ?? '', given[setting.name] === undefined)),
  );
  if (!read.success || problems.length > 0) throw new ConfigError(problems);
  return { config: configFrom(read.data), warnings: unknownNames(given, file) };
}

function configFrom(values: SettingValues): Config {
  return {
    model: {
      apiKey: values.OPENAI_API_KEY,
      baseUrl: values.OPENAI_BASE_URL,
      name: values.OPENAI_MODEL,
      fallbackName: values.OPENAI_FALLBACK_MODEL,
    },
    loop: {
      protocol: values.LOOP_PROTOCOL,
      maxRepairs: values.LOOP_MAX_REPAIRS,
      limits: {
        firstChunkMs: values.MODEL_FIRST_CHUNK_S * 1000,
        idleMs: values.MODEL_IDLE_S * 1000,
        finalIdleMs: values.MODEL_FINAL_IDLE_S * 1000,
      },
    },
    logLevel: values.LOG_LEVEL,
    dataFolder: values.DOCENT_DATA,
  };
}

/** `NAME: expected …, got … What to do.` */
function problem(setting: Setting, raw: string, isFromFile: boolean): string {
  const nearby = setting.name === 'OPENAI_BASE_URL' ? nearbyBaseUrl(raw) : undefined;
  const fix = nearby === undefined ? setting.fix : `Did you mean ${maskSecrets(nearby)} ?`;
  return `${setting.name}: expected ${setting.expected}, got ${shown(setting, raw)}${isFromFile ? ' (in .env)' : ''}. ${fix}`;
}

function shown(setting: Setting, raw: string): string {
  if (setting.isSecret) return `something else of ${raw.length} characters (not shown)`;
  return JSON.stringify(cutText(maskSecrets(raw), MAX_SHOWN_CHARS));
}

function envFile(read: () => string | undefined): { file: Environment; problems: string[] } {
  try {
    return { file: present(parseEnv((read() ?? '').replace(/^\uFEFF/, ''))), problems: [] };
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { file: {}, problems: [`.env: expected a readable text file, got ${why}. Correct or remove it.`] };
  }
}

function readDotEnv(): string | undefined {
  try {
    return readFileSync('.env', 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function present(env: Environment): Environment {
  const trimmed = Object.entries(env).map(([name, value]) => [name, value?.trim()] as const);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== undefined && value !== ''));
}

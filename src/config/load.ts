/** Environment and `.env` → `Config`, or one `ConfigError` that lists every problem with its remedy. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { cutText } from '../domain/cut-text.ts';
import { ConfigError } from '../domain/errors.ts';
import { maskSecrets } from '../domain/secrets.ts';
import { hostZone, type Placement } from './readers.ts';
import type { Role } from './role.ts';
import { isLoopback, nearbyBaseUrl, type SettingValues, schema } from './schema.ts';
import { type Setting, settings } from './settings.ts';
import { unknownNames } from './unknown-names.ts';

export interface Config {
  readonly model: {
    readonly apiKey: string | undefined;
    /** Without a slash at its end. */
    readonly baseUrl: string | undefined;
    readonly name: string | undefined;
    readonly fallbackName: string | undefined;
    /** Nobody named it: it was found on this machine. */
    readonly isFound?: true;
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
  /** Unset: a Redis of our own in the data folder. */
  readonly redisUrl: string | undefined;
  readonly http: { readonly host: string; readonly port: number; readonly webToken: string | undefined };
  /** IANA name, for people whose own zone is not known. */
  readonly defaultZone: string;
  readonly turns: { readonly concurrency: number; readonly lockMs: number; readonly poisonLimit: number };
  readonly retentionDays: number;
  readonly catchUpMaxAgeMs: number;
  readonly maxBlobBytes: number;
  /** Unset: kept in the data folder, see `secret.ts`. */
  readonly secret: string | undefined;
  readonly githubToken: string | undefined;
  readonly discord: {
    /** Unset: not on Discord. */
    readonly token: string | undefined;
    /** Without a slash at its end. */
    readonly apiUrl: string;
    readonly shards: number | 'auto';
    /** The only server that gets the commands; undefined: all. */
    readonly guildId: string | undefined;
  };
  /** By the name of the surface; what is usual there where it has none. */
  readonly placement: { readonly discord?: Placement; readonly slack?: Placement };
  readonly access: Access;
  /** 0 messages a minute, and no number of tokens: no limit. */
  readonly quotas: { readonly messagesPerMinute: number; readonly tokensPerDay: number | undefined };
}

/** Ids as the platform shows them, or with the surface in front (`discord:42`). An empty list is no rule. */
export interface Access {
  readonly admins: readonly string[];
  readonly followAllThreads: boolean;
  readonly allow: IdLists & { readonly bots: readonly string[] };
  readonly deny: IdLists;
}

interface IdLists {
  readonly servers: readonly string[];
  readonly channels: readonly string[];
  readonly roles: readonly string[];
  readonly users: readonly string[];
}

const MAX_SHOWN_CHARS = 80;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `readEnvFile` returns the text of `.env`, or `undefined` when there is none; what stands in the environment wins over
 * it. Values are trimmed, and an empty one counts as unset. `role` is the one to be started, if any: some need more than
 * others. Warnings are sentences for the operator.
 */
export function loadConfig(
  env: Environment,
  readEnvFile: () => string | undefined = readDotEnv,
  role?: Role,
): { config: Config; warnings: readonly string[] } {
  const { file, problems, ignored } = envFile(readEnvFile);
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
  if (!wrong.has('HOST') && raw['WEB_TOKEN'] === undefined)
    problems.push(...openDoor(raw['HOST'] ?? '', role));
  const warnings = [...ignored, ...unknownNames(given, file)];
  // A misspelt name is part of what has to be corrected, and would show at the next start only.
  if (!read.success || problems.length > 0) throw new ConfigError([...problems, ...warnings]);
  return { config: configFrom(read.data), warnings };
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
    redisUrl: values.REDIS_URL,
    http: { host: values.HOST, port: values.PORT, webToken: values.WEB_TOKEN },
    defaultZone: values.DEFAULT_TZ ?? hostZone(),
    turns: {
      concurrency: values.TURN_CONCURRENCY,
      lockMs: values.LOCK_MS,
      poisonLimit: values.POISON_LIMIT,
    },
    retentionDays: values.RETENTION_DAYS,
    catchUpMaxAgeMs: values.CATCH_UP_MAX_AGE,
    maxBlobBytes: values.MAX_BLOB_BYTES,
    secret: values.DOCENT_SECRET,
    githubToken: values.GITHUB_TOKEN,
    discord: {
      token: values.DISCORD_TOKEN,
      apiUrl: values.DISCORD_API_URL,
      shards: values.DISCORD_SHARDS,
      guildId: values.DISCORD_GUILD_ID,
    },
    placement: values.ANSWER_PLACEMENT,
    access: accessFrom(values),
    quotas: {
      messagesPerMinute: values.QUOTA_MESSAGES_PER_MINUTE,
      tokensPerDay: values.QUOTA_TOKENS_PER_DAY,
    },
  };
}

function accessFrom(values: SettingValues): Access {
  return {
    admins: values.DOCENT_ADMINS ?? [],
    followAllThreads: values.FOLLOW_ALL_THREADS,
    allow: {
      servers: values.ALLOW_SERVERS ?? [],
      channels: values.ALLOW_CHANNELS ?? [],
      roles: values.ALLOW_ROLES ?? [],
      users: values.ALLOW_USERS ?? [],
      bots: values.ALLOW_BOTS ?? [],
    },
    deny: {
      servers: values.DENY_SERVERS ?? [],
      channels: values.DENY_CHANNELS ?? [],
      roles: values.DENY_ROLES ?? [],
      users: values.DENY_USERS ?? [],
    },
  };
}

/** The web page on a network without a token would be open to everybody there. */
function openDoor(host: string, role: Role | undefined): string[] {
  if ((role !== 'web' && role !== 'all') || isLoopback(host)) return [];
  return [
    `WEB_TOKEN: expected a token, because HOST ${host} can be reached from other machines. Make one with: openssl rand -hex 32, or leave HOST out for 127.0.0.1.`,
  ];
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

function envFile(read: () => string | undefined): {
  file: Environment;
  problems: string[];
  ignored: string[];
} {
  try {
    const text = (read() ?? '').replace(/^\uFEFF/, '');
    return { file: present(parseEnv(text)), problems: [], ignored: ignoredLines(text) };
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    const unreadable = `.env: expected a readable text file, got ${why}. Correct or remove it.`;
    return { file: {}, problems: [unreadable], ignored: [] };
  }
}

/** Lines of `.env` that set nothing; what they hold may be half a secret and is not shown. A quoted value may span lines. */
function ignoredLines(text: string): string[] {
  const unquoted = text.replace(/=\s*(["'`])[^]*?\1/g, (value) => `=${value.replace(/[^\n]/g, '')}`);
  return unquoted.split('\n').flatMap((line, at) => {
    if (/^\s*(#|$)/.test(line) || /^\s*(export\s+)?[\w.-]+\s*=/.test(line)) return [];
    return [`.env: line ${at + 1} is not NAME=value and is ignored. Correct or remove it.`];
  });
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

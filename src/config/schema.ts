/** How the text of each setting becomes a value. */
import { z } from 'zod';
import { duration, list, placement, seconds, size, wholeNumber, yesOrNo, zone } from './readers.ts';
import type { SettingName } from './settings.ts';

/** Visible ASCII: anything else cannot stand in a header. */
const key = z.string().regex(/^[\x21-\x7e]+$/);
const modelName = z.string().regex(/^\S+$/u);
/** An address is used as written, without slashes at its end. */
const baseUrl = z
  .string()
  .transform((text) => text.replace(/\/{1,8}$/, ''))
  .refine(isBaseUrl);
/** The library appends the version. */
const apiUrl = z
  .string()
  .transform((text) => text.replace(/\/{1,8}$/, ''))
  .refine((text) => URL.canParse(text) && /^https?:\/\/[^?#]+$/.test(text) && !/\/v\d+$/.test(text));
/** Its parts are read where the connection is made; here only what no address of Redis can be. */
const redisUrl = z.string().regex(/^(?:rediss?(?:\+(?:cluster|sentinel|unix))?|unix):\/\/\S+$/i);
/** A name, an IPv4 address, or an IPv6 address with or without its brackets, which are taken off. */
const host = z
  .string()
  .regex(/^(?:[\w.-]+|[\da-f:.]*:[\da-f:.]+(?:%\w+)?|\[[\da-f:.]+(?:%\w+)?\])$/i)
  .transform((text) => text.replace(/^\[|\]$/g, ''));

const shape = {
  OPENAI_API_KEY: key.optional(),
  OPENAI_BASE_URL: baseUrl.optional(),
  OPENAI_MODEL: modelName.optional(),
  OPENAI_FALLBACK_MODEL: modelName.optional(),
  LOOP_PROTOCOL: z.enum(['auto', 'label', 'native']),
  MODEL_FIRST_CHUNK_S: seconds,
  MODEL_IDLE_S: seconds,
  MODEL_FINAL_IDLE_S: seconds,
  LOOP_MAX_REPAIRS: wholeNumber(0, 100),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
  DOCENT_DATA: z.string().refine((path) => !path.includes('\0')),
  REDIS_URL: redisUrl.optional(),
  HOST: host,
  PORT: wholeNumber(0, 65_535),
  WEB_TOKEN: key.optional(),
  DEFAULT_TZ: zone.optional(),
  TURN_CONCURRENCY: wholeNumber(1, 10_000),
  LOCK_MS: wholeNumber(1_000, 600_000),
  POISON_LIMIT: wholeNumber(1, 1_000),
  RETENTION_DAYS: wholeNumber(1, 3_650),
  CATCH_UP_MAX_AGE: duration,
  MAX_BLOB_BYTES: size,
  DOCENT_SECRET: key.min(16).optional(),
  GITHUB_TOKEN: key.optional(),
  DISCORD_TOKEN: key.optional(),
  DISCORD_API_URL: apiUrl,
  DISCORD_SHARDS: z.literal('auto').or(wholeNumber(1, 1_000)),
  DISCORD_GUILD_ID: z
    .string()
    .regex(/^\d{17,20}$/)
    .optional(),
  ANSWER_PLACEMENT: placement,
  DOCENT_ADMINS: list.optional(),
  FOLLOW_ALL_THREADS: yesOrNo,
  ALLOW_SERVERS: list.optional(),
  DENY_SERVERS: list.optional(),
  ALLOW_CHANNELS: list.optional(),
  DENY_CHANNELS: list.optional(),
  ALLOW_ROLES: list.optional(),
  DENY_ROLES: list.optional(),
  ALLOW_USERS: list.optional(),
  DENY_USERS: list.optional(),
  ALLOW_BOTS: list.optional(),
  QUOTA_MESSAGES_PER_MINUTE: wholeNumber(0, 10_000),
  QUOTA_TOKENS_PER_DAY: wholeNumber(1, 1e12).optional(),
} as const satisfies Record<SettingName, z.ZodType>;

export const schema = z.object(shape);
export type SettingValues = z.output<typeof schema>;

/** The remedy for an address that is nearly right; `undefined` when there is no telling. */
export function nearbyBaseUrl(text: string): string | undefined {
  const withScheme = /^[a-z][\w+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(withScheme)) return undefined;
  const url = new URL(withScheme);
  const upToVersion = /^.*?\/v1(?=\/|$)/.exec(url.pathname)?.[0];
  url.pathname = upToVersion ?? `${url.pathname.replace(/\/$/, '')}/v1`;
  url.search = '';
  url.hash = '';
  return isBaseUrl(url.href) ? url.href : undefined;
}

/** Whether only programs on this machine can reach what listens there. */
export function isLoopback(name: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?(?:::1|(?:0{1,4}:){7}0{0,3}1)\]?)$/i.test(name);
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && pathname.endsWith('/v1') && search === '' && hash === '';
}

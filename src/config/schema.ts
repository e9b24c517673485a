/** How the text of each setting becomes a value. */
import { z } from 'zod';
import type { SettingName } from './settings.ts';

const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform(Number)
  .pipe(z.number().positive().max(86_400));

/** Visible ASCII: anything else cannot stand in a header. */
const key = z.string().regex(/^[\x21-\x7e]+$/);
const modelName = z.string().regex(/^\S+$/u);
/** An address is used as written, without slashes at its end. */
const baseUrl = z
  .string()
  .transform((text) => text.replace(/\/{1,8}$/, ''))
  .refine(isBaseUrl);

const shape = {
  OPENAI_API_KEY: key.optional(),
  OPENAI_BASE_URL: baseUrl.optional(),
  OPENAI_MODEL: modelName.optional(),
  OPENAI_FALLBACK_MODEL: modelName.optional(),
  LOOP_PROTOCOL: z.enum(['auto', 'label', 'native']),
  MODEL_FIRST_CHUNK_S: seconds,
  MODEL_IDLE_S: seconds,
  MODEL_FINAL_IDLE_S: seconds,
  LOOP_MAX_REPAIRS: z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.number().max(100)),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
  DOCENT_DATA: z.string().refine((path) => !path.includes('\0')),
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

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && pathname.endsWith('/v1') && search === '' && hash === '';
}

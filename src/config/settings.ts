/**
 * Every setting of this version, as plain data: what `--help`, the README and the error messages say about it. How a
 * value is read is `schema.ts`.
 */

import { accessSettings } from './access-settings.ts';
import { discordSettings } from './discord-settings.ts';
import { serviceSettings } from './service-settings.ts';

export interface Setting {
  readonly name: string;
  /** As it would be written; absent when unset means something of its own. */
  readonly fallback?: string;
  /** Of the value; empty when it has none. */
  readonly unit: string;
  readonly meaning: string;
  /** What a value must be, to follow "expected". */
  readonly expected: string;
  /** What to do about a wrong value, in one sentence. */
  readonly fix: string;
  /** Never shown. */
  readonly isSecret?: true;
  /** Works, but nobody should need it: left out of `--help`. */
  readonly isInternal?: true;
}

export const settings = [
  {
    name: 'OPENAI_API_KEY',
    unit: '',
    meaning: 'Key of the model service. Without it and without OPENAI_BASE_URL the practice model answers.',
    expected: 'a key without spaces or line breaks',
    fix: 'Copy it once more from the page of the service.',
    isSecret: true,
  },
  {
    name: 'OPENAI_BASE_URL',
    unit: '',
    meaning: 'Address of an OpenAI-compatible service, ending in /v1. Unset: OpenAI itself.',
    expected: 'an http(s) address that ends in /v1',
    fix: 'Write it like http://localhost:11434/v1.',
  },
  {
    name: 'OPENAI_MODEL',
    unit: '',
    meaning:
      'Model to use. Unset: the first one a server other than OpenAI lists, else a fixed name; the start line says which.',
    expected: 'the name of one model',
    fix: 'Use a name that the service lists under /v1/models.',
  },
  {
    name: 'OPENAI_FALLBACK_MODEL',
    unit: '',
    meaning: 'Model to use when the first one fails before it has shown anything.',
    expected: 'the name of one model',
    fix: 'Use a name that the service lists under /v1/models.',
  },
  {
    name: 'LOOP_PROTOCOL',
    fallback: 'auto',
    unit: '',
    meaning:
      'How a reply says what it is: label, native, or auto (label, native for models remembered as unable).',
    expected: 'auto, label or native',
    fix: 'Use one of these, or leave it out for auto.',
  },
  {
    name: 'MODEL_FIRST_CHUNK_S',
    fallback: '120',
    unit: 'seconds',
    meaning: 'How long the model may take until its first piece of text.',
    expected: 'a number of seconds above 0, at most 86400',
    fix: 'Leave it out for 120.',
  },
  {
    name: 'MODEL_IDLE_S',
    fallback: '60',
    unit: 'seconds',
    meaning: 'How long the model may be silent between two pieces of text.',
    expected: 'a number of seconds above 0, at most 86400',
    fix: 'Leave it out for 60.',
  },
  {
    name: 'MODEL_FINAL_IDLE_S',
    fallback: '8',
    unit: 'seconds',
    meaning: 'How long the model may be silent once it has begun its answer.',
    expected: 'a number of seconds above 0, at most 86400',
    fix: 'Leave it out for 8.',
    isInternal: true,
  },
  {
    name: 'LOOP_MAX_REPAIRS',
    fallback: '3',
    unit: 'replies',
    meaning:
      'Replies in a row that may break the label protocol before the turn is closed; 0 switches the limit off.',
    expected: 'a whole number from 0 to 100',
    fix: 'Leave it out for 3.',
    isInternal: true,
  },
  {
    name: 'LOG_LEVEL',
    fallback: 'info',
    unit: '',
    meaning: 'Least important log lines that are written.',
    expected: 'debug, info, warn, error or silent',
    fix: 'Use one of these, or leave it out for info.',
  },
  {
    name: 'DOCENT_DATA',
    fallback: './.docent',
    unit: '',
    meaning: 'Folder for what Docent keeps on this machine, such as docent.log.',
    expected: 'the path of a folder',
    fix: 'Leave it out for ./.docent.',
  },
  ...serviceSettings,
  ...discordSettings,
  ...accessSettings,
] as const satisfies readonly Setting[];

export type SettingName = (typeof settings)[number]['name'];

/** Settings of versions to come. Set today, they do nothing, and the person should know. */
export const laterSettings: readonly string[] = [
  'OPENAI_EMBEDDING_MODEL',
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_API_URL',
  'SLACK_CLIENT_ID',
];

/** What a person reads about a tool call: a verb, and the arguments that say what it is about. */
import { parseArguments } from '../domain/arguments.ts';
import { cutText } from '../domain/cut-text.ts';
import { maskSecrets } from '../domain/secrets.ts';
import type { TraceWords } from './words.ts';

const MAX_ARGUMENT_CHARS = 40;
const MAX_CHARS = 80;

/** Their arguments are on the screen anyway, or are none of a row's business. */
const silent: ReadonlySet<string> = new Set(['ask_user', 'write_memory']);
const withheld = /^_|token|secret|passw|authorization|api_?key/i;

export function toolVerb(name: string, { tools, using }: TraceWords): string {
  const known = Object.entries(tools).find(([tool]) => tool === name);
  return known?.[1] ?? using(name.replaceAll('_', ' '));
}

/** Short, on one line, without secrets and without what the program added itself; empty when there is nothing to say. */
export function argumentsInShort(name: string, raw: string): string {
  const args = silent.has(name) ? undefined : parseArguments(raw);
  const shown = Object.entries(args ?? {})
    .filter(([key]) => !withheld.test(key))
    .flatMap(([, value]) => valueInShort(value));
  return cutText(shown.join(', '), MAX_CHARS);
}

function valueInShort(value: unknown): string[] {
  if (typeof value === 'string') {
    const line = maskSecrets(value.slice(0, MAX_ARGUMENT_CHARS * 4))
      .replaceAll(/\s+/gu, ' ')
      .trim();
    return line === '' ? [] : [cutText(line, MAX_ARGUMENT_CHARS)];
  }
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}

/** Fields as they may be logged: secrets masked by name and by shape, what people wrote reduced to its length. */
import { cutText } from '../domain/cut-text.ts';
import { TutorError } from '../domain/errors.ts';
import { maskSecrets } from '../domain/secrets.ts';

type Fields = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 6;
const MAX_ITEMS = 50;
const MAX_CHARS = 2_000;

const secretName = /token(?!s)|secret|passw|authorization|cookie|api_?key|^key$/i;
const messageName =
  /^(?:text|content|contents|body|answer|answers|reply|draft|prompt|question|questions|args|arguments|reasoning|thinking|delta|messages|note)$/i;
/** Pino's own names: a field of the same name would stand twice in the line. */
const pinoName = /^(?:level|time|pid|msg)$/;

export function safeFields(fields: Fields): Record<string, unknown> {
  const named = Object.entries(fields).map(
    ([name, value]) => [pinoName.test(name) ? `${name}_` : name, value] as const,
  );
  return safeEntries(named, 0, new Set([fields]));
}

function safeEntries(entries: Iterable<readonly [string, unknown]>, depth: number, above: Set<object>) {
  const safe: Record<string, unknown> = {};
  for (const [name, value] of entries) safe[name] = safeNamed(name, value, depth, above);
  return safe;
}

function safeNamed(name: string, value: unknown, depth: number, above: Set<object>): unknown {
  if (value === undefined || value === null) return value;
  if (secretName.test(name)) return '[secret]';
  if (messageName.test(name) && (typeof value === 'string' || typeof value === 'object'))
    return withheld(value);
  return safeValue(value, depth, above);
}

function withheld(value: string | object): string {
  if (typeof value === 'string') return `[${value.length} characters]`;
  return Array.isArray(value) ? `[${value.length} items]` : '[withheld]';
}

/** `above` holds the objects on the way here, so that a circle ends. */
function safeValue(value: unknown, depth: number, above: Set<object>): unknown {
  if (typeof value === 'string') return cutText(maskSecrets(value), MAX_CHARS);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? '[function]' : value;
  if (above.has(value)) return '[circle]';
  if (depth >= MAX_DEPTH) return '[too deep]';
  const path = new Set([...above, value]);
  if (value instanceof Error) return safeError(value, depth, path);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => safeValue(item, depth + 1, path));
    return value.length > MAX_ITEMS ? [...items, `and ${value.length - MAX_ITEMS} more`] : items;
  }
  return safeEntries(Object.entries(value).slice(0, MAX_ITEMS), depth + 1, path);
}

/** An error keeps what finds its cause. Its further fields (a request, a response) may hold anything: left out. */
function safeError(error: Error, depth: number, path: Set<object>): Record<string, unknown> {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    message: safeValue(error.message, depth, path),
    ...(error instanceof TutorError ? { hint: error.hint } : {}),
    stack: safeValue(error.stack, depth, path),
    ...(error.cause === undefined ? {} : { cause: safeValue(error.cause, depth + 1, path) }),
  };
}

/** Why a call's arguments do not fit, in words a model can act on: which argument, what it should be, what it was. */
import type { z } from 'zod';
import { cutText } from '../domain/cut-text.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

const MAX_PROBLEMS = 8;
const MAX_SHOWN_CHARS = 60;

/** `args` is what the model sent, `parameters` the published schema that the expectation is read from. */
export function argumentProblems(
  tool: string,
  parameters: JsonSchema,
  args: unknown,
  issues: readonly Issue[],
): string {
  const lines = issues.slice(0, MAX_PROBLEMS).map((issue) => `- ${problem(parameters, args, issue)}`);
  if (issues.length > MAX_PROBLEMS) lines.push(`- and ${issues.length - MAX_PROBLEMS} more`);
  return [
    `Not run: the arguments of ${tool} do not fit.`,
    ...lines,
    'The same call will fail again: correct these arguments before you repeat it.',
  ].join('\n');
}

function problem(parameters: JsonSchema, args: unknown, issue: Issue): string {
  const name = spell(issue.path);
  const schema = schemaAt(parameters, issue.path);
  // A rule of our own has no form in the schema; its message says what to do.
  if (schema === undefined || issue.code === 'custom') return `${name}: ${issue.message}`;
  return `${name}: expected ${expectation(schema)}, got ${shown(valueAt(args, issue.path))}.`;
}

/** `questions[1].options[0].label` */
function spell(path: Path): string {
  if (path.length === 0) return 'the arguments';
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${String(part)}`))
    .join('');
}

function schemaAt(root: JsonSchema, path: Path): JsonSchema | undefined {
  let here: unknown = root;
  for (const part of path) {
    if (!isRecord(here)) return undefined;
    if (typeof part === 'number') here = here.items;
    else if (isRecord(here.properties)) here = here.properties[String(part)];
    else return undefined;
  }
  return isRecord(here) ? here : undefined;
}

function valueAt(root: unknown, path: Path): unknown {
  let here = root;
  for (const part of path) here = isRecord(here) || Array.isArray(here) ? Reflect.get(here, part) : undefined;
  return here;
}

function expectation(schema: JsonSchema): string {
  if (Array.isArray(schema.enum))
    return `one of ${schema.enum.map((choice) => JSON.stringify(choice)).join(', ')}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.anyOf)) return schema.anyOf.filter(isRecord).map(expectation).join(' or ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => expectation({ ...schema, type })).join(' or ');
  switch (schema.type) {
    case 'string':
      return limited(
        typeof schema.format === 'string' ? `text (${schema.format})` : 'text',
        'characters',
        schema,
      );
    case 'integer':
      return bounded('a whole number', schema);
    case 'number':
      return bounded('a number', schema);
    case 'boolean':
      return 'true or false';
    case 'array':
      return limited('a list', 'items', schema);
    case 'object': {
      const names = isRecord(schema.properties) ? Object.keys(schema.properties) : [];
      return names.length === 0 ? 'an object' : `an object with ${names.join(', ')}`;
    }
    default:
      return typeof schema.type === 'string' ? schema.type : 'another value';
  }
}

function limited(what: string, unit: string, schema: JsonSchema): string {
  const { minLength, maxLength, minItems = minLength, maxItems = maxLength } = schema;
  const parts = [bound('at least', minItems), bound('at most', maxItems)].filter((part) => part !== '');
  return parts.length === 0 ? what : `${what} of ${parts.join(' and ')} ${unit}`;
}

function bounded(what: string, schema: JsonSchema): string {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
  const parts = [
    bound('at least', minimum),
    bound('more than', exclusiveMinimum),
    bound('at most', maximum),
    bound('less than', exclusiveMaximum),
  ].filter((part) => part !== '');
  return parts.length === 0 ? what : `${what}, ${parts.join(' and ')}`;
}

function bound(words: string, limit: unknown): string {
  return typeof limit === 'number' ? `${words} ${limit}` : '';
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return 'an object';
  return typeof value === 'string' ? JSON.stringify(cutText(value, MAX_SHOWN_CHARS)) : JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The values of tool calls that are written as text: what a tool's schema declares decides whether `5` is a number or
 * a text.
 */
import type { ToolSchema } from '../../ports/model.ts';

/** Tool → parameter → the JSON types its schema allows. */
export type DeclaredTypes = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Reads the types from JSON schemas. A parameter whose schema names no type is left out. */
export function declaredTypes(schemas: readonly ToolSchema[]): DeclaredTypes {
  return new Map(schemas.map(({ name, parameters }) => [name, parameterTypes(parameters)]));
}

function parameterTypes(schema: Readonly<Record<string, unknown>>): Map<string, readonly string[]> {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const types = new Map<string, readonly string[]>();
  for (const [parameter, property] of Object.entries(properties)) {
    const allowed = [...new Set(typesOf(property))];
    if (allowed.length > 0) types.set(parameter, allowed);
  }
  return types;
}

function typesOf(schema: unknown): string[] {
  if (!isRecord(schema)) return [];
  const own = [schema['type']].flat().filter((type) => typeof type === 'string');
  const branches = [schema['anyOf'], schema['oneOf'], schema['allOf']].flat().flatMap(typesOf);
  const implied = [
    ...('properties' in schema ? ['object'] : []),
    ...('items' in schema || 'prefixItems' in schema ? ['array'] : []),
  ];
  return [...own, ...branches, ...implied];
}

/**
 * A written value as JSON text. JSON that fits a declared type other than text is taken as it stands (beside text only
 * lists and objects, which nobody means as text); then what is marked or declared as text; then any JSON; else text.
 * JSON is passed on unparsed, so that long numbers keep their digits.
 */
export function argumentJson(text: string, types: readonly string[], markedAsText: boolean): string {
  const kinds = jsonKinds(text);
  const besideText = types.includes('string');
  const fits = kinds.some((kind) => types.includes(kind) && (!besideText || isContainer(kind)));
  if (fits) return text;
  const onlyText = besideText && types.every((type) => type === 'string');
  if (markedAsText || onlyText || kinds.length === 0) return JSON.stringify(text);
  return text;
}

/** Is this text one JSON object? */
export function isJsonObject(text: string): boolean {
  return jsonKinds(text).includes('object');
}

/** The JSON schema types of a text; none when it is not JSON. */
function jsonKinds(text: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return []; // Not JSON: an expected answer here, most values are plain text.
  }
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  return Number.isInteger(value) ? ['integer', 'number'] : [typeof value];
}

function isContainer(kind: string): boolean {
  return kind === 'array' || kind === 'object';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

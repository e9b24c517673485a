/** An error of the scripted service, in OpenAI's form, and the small checks its rules share. */

export interface Refusal {
  readonly message: string;
  readonly param: string | null;
  readonly code: string | null;
}

export type Fields = Readonly<Record<string, unknown>>;

export function refuse(message: string, param: string | null = null, code: string | null = null): Refusal {
  return { message, param, code };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isToolName(name: unknown): name is string {
  return typeof name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(name);
}

export function badName(at: string): Refusal {
  return refuse(
    `Invalid '${at}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    at,
    'invalid_value',
  );
}

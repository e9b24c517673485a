/** Raw arguments of a call → values, and what is missing in them. Nothing is repaired: half a write must not run. */

export type Arguments = Readonly<Record<string, unknown>>;

/**
 * The arguments as an object; empty text is an empty object. `undefined` for everything that is not one complete JSON
 * object, so that the model is told instead of the tool being run on a guess.
 */
export function parseArguments(raw: string): Arguments | undefined {
  if (isBlank(raw)) return {};
  try {
    const value: unknown = JSON.parse(raw);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // not JSON: the caller answers the call with that fact
  }
}

/** Required names that are absent, null or blank text. Empty lists, empty objects, zero and false are present. */
export function missingArguments(args: Arguments, required: readonly string[]): string[] {
  return required.filter((name) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    return value === undefined || value === null || (typeof value === 'string' && isBlank(value));
  });
}

function isObject(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Unicode white space, which `trim` does not cover fully. */
function isBlank(text: string): boolean {
  return /^\p{White_Space}*$/u.test(text);
}

/** What does not hold, one sentence each. */
export type Problems = readonly string[];

/** One problem when a value differs from an expectation that was stated; none when nothing was stated. */
export function compare(what: string, seen: unknown, expected: unknown): string[] {
  if (expected === undefined || JSON.stringify(seen) === JSON.stringify(expected)) return [];
  return [`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(seen)}`];
}

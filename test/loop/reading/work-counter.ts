import { vi } from 'vitest';

/**
 * Counts how many characters a parser looks at through patterns and searches, so that a test can say "linear" without a
 * clock. A pattern with the flag g is charged for the distance it moves, any other for the whole text it is given.
 */
export function charactersRead(run: () => void): number {
  const patterns = vi.spyOn(RegExp.prototype, 'exec');
  const searches = vi.spyOn(String.prototype, 'includes');
  try {
    run();
    let read = 0;
    for (const searched of searches.mock.contexts) read += String(searched).length;
    const reached = new Map<unknown, number>();
    for (const [i, [text]] of patterns.mock.calls.entries()) {
      const pattern = patterns.mock.contexts[i];
      const match = patterns.mock.results[i]?.value;
      const isMoving = pattern instanceof RegExp && pattern.global;
      const end = isMoving && match ? match.index + match[0].length : text.length;
      read += end - (reached.get(pattern) ?? 0);
      if (isMoving) reached.set(pattern, end);
    }
    return read;
  } finally {
    patterns.mockRestore();
    searches.mockRestore();
  }
}

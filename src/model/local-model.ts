/** A model server on this machine that nobody has named: Ollama listens where it always does. */
import { firstModelId } from './first-model.ts';
import type { Fetch } from './http-fetch.ts';

export const localModelUrl = 'http://127.0.0.1:11434/v1';
/** What runs here answers at once. Unit: milliseconds. */
const limitMs = 1_000;

/** The first model it lists; undefined when nothing answers, or what answers has none. */
export async function localModelId(fetch: Fetch = globalThis.fetch): Promise<string | undefined> {
  try {
    return await firstModelId(localModelUrl, '', fetch, AbortSignal.timeout(limitMs));
  } catch {
    return undefined; // then the practice program answers, as if nobody had looked
  }
}

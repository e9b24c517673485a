/** What a service refused, kept for a day under its address and model, so that each day pays for a refusal once. */
import { z } from 'zod';
import type { Logger, ModelNotes } from '../ports/runtime.ts';
import { type Downgrade, downgrades } from './downgrade.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** Words that an older version wrote and this one does not know are left out. */
const stored = z.array(z.string());

export interface DowngradeMemory {
  recall(model: string): Promise<Set<Downgrade>>;
  remember(model: string, known: ReadonlySet<Downgrade>): Promise<void>;
}

/** Notes that cannot be read or written cost a repeated refusal, so both are logged and otherwise passed over. */
export function downgradeMemory(notes: ModelNotes, baseUrl: string, log: Logger): DowngradeMemory {
  const keyOf = (model: string) => `downgrades:${baseUrl}:${model}`;
  return {
    async recall(model) {
      try {
        const text = await notes.get(keyOf(model));
        const words = text === undefined ? [] : stored.parse(JSON.parse(text));
        return new Set(downgrades.filter((known) => words.includes(known)));
      } catch (error) {
        log.warn({ model, error }, 'could not read what the model service refused before');
        return new Set();
      }
    },
    async remember(model, known) {
      try {
        await notes.set(keyOf(model), JSON.stringify([...known]), dayMs);
      } catch (error) {
        log.warn({ model, error }, 'could not keep what the model service refused');
      }
    },
  };
}

/** The `read_memory` tool: what is remembered about the person who is answered, best first, within a token budget. */
import { z } from 'zod';
import type { Memory } from '../domain/memory.ts';
import type { Memories } from '../ports/memories.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Tool } from '../ports/tool.ts';
import { defineTool } from './define-tool.ts';
import { leftOut, positiveNumber } from './lenient.ts';
import { rankMemories } from './rank-memories.ts';

export interface ReadMemoryMeans {
  readonly memories: Memories;
  readonly clock: Clock;
  readonly estimateTokens: (text: string) => number;
}

const maxTokens = 1_500;
const defaultCount = 8;
const maxCount = 50;

const args = z.object({
  query: z
    .preprocess(leftOut, z.string().default(''))
    .meta({ description: 'What it should be about; the newest when left out.' }),
  k: z
    .preprocess(positiveNumber, z.int().min(1).max(maxCount).default(defaultCount))
    .meta({ description: `At most so many; ${defaultCount} when left out.` }),
});

export function readMemoryTool({ memories, clock, estimateTokens }: ReadMemoryMeans): Tool {
  return defineTool({
    name: 'read_memory',
    description: 'What is remembered about the person you answer, with the ids for write_memory.',
    args,
    mode: 'parallel',
    effect: 'none',
    run: async ({ query, k }, { user }) => {
      const all = user === undefined ? [] : await memories.list(user);
      if (all.length === 0) return { kind: 'text', text: 'Nothing is remembered about this person yet.' };
      const best = rankMemories(all, query, clock.now()).slice(0, k).map(entry);
      const kept = withinBudget(best, estimateTokens);
      const more = all.length - kept.length;
      return {
        kind: 'text',
        text: JSON.stringify(more === 0 ? { memories: kept } : { memories: kept, more }),
      };
    },
  });
}

function entry({ id, text, kind, scope, changedAt }: Memory) {
  return { id, text, kind, scope, on: new Date(changedAt).toISOString().slice(0, 10) };
}

/** As many of the first as fit, frame included. */
function withinBudget<Entry>(entries: readonly Entry[], estimateTokens: (text: string) => number): Entry[] {
  const kept: Entry[] = [];
  let tokens = estimateTokens('{"memories":[],"more":100}');
  for (const each of entries) {
    tokens += estimateTokens(`${JSON.stringify(each)},`);
    if (tokens > maxTokens) break;
    kept.push(each);
  }
  return kept;
}

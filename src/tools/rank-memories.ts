/** Which memories fit a query best: words they share, rare ones first, then how new they are. */
import type { Memory } from '../domain/memory.ts';

/** A memory this old counts half as new. Unit: milliseconds. */
const halfLifeMs = 30 * 24 * 3_600_000;
/** What newness is worth beside a query whose words all occur (1). */
const newnessWeight = 0.2;
/** Longer words also match as the beginning of one another: exam, exams. Unit: characters. */
const minStemChars = 4;
/** The word segmenter takes gigabytes for one very long text; memories are short anyway. Unit: characters. */
const maxQueryChars = 300;

/** Best first, all of them. Without a query, newest first. */
export function rankMemories(memories: readonly Memory[], query: string, now: number): Memory[] {
  const wanted = [...wordsIn(query.slice(0, maxQueryChars))];
  const words = new Map(memories.map((memory) => [memory, wordsIn(memory.text)]));
  const has = (memory: Memory, word: string) =>
    [...(words.get(memory) ?? [])].some((own) => alike(own, word));
  const weights = wanted.map((word) => {
    const count = memories.filter((memory) => has(memory, word)).length;
    return count === 0 ? 0 : Math.log(1 + memories.length / count);
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const score = (memory: Memory) => {
    const shared = wanted.reduce((sum, word, at) => sum + (has(memory, word) ? (weights[at] ?? 0) : 0), 0);
    const newness = 2 ** (-Math.max(0, now - memory.changedAt) / halfLifeMs);
    return (total === 0 ? 0 : shared / total) + newnessWeight * newness;
  };
  const scored = memories.map((memory) => ({ memory, score: score(memory) }));
  return scored.toSorted((a, b) => b.score - a.score).map(({ memory }) => memory);
}

function alike(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= minStemChars && long.startsWith(short);
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

function wordsIn(text: string): Set<string> {
  const segments = segmenter.segment(text.normalize('NFKC').toLowerCase());
  return new Set([...segments].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment));
}

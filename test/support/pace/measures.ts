/** What readers notice of shown answers. Times in milliseconds. */
import type { ShownAnswer } from './run-answers.ts';

export interface Measures {
  /** Mean over all tokens of all answers: from its arrival to its visibility. */
  readonly meanStaleness: number;
  /** The longest that any text stood unseen. */
  readonly worstStaleness: number;
  /** The longest between two visible changes of one answer while its text flowed. */
  readonly worstGap: number;
  /** From the end of each answer to its final text, rising. */
  readonly finalLags: readonly number[];
  readonly refused: number;
  readonly lost: number;
}

export function measures(shown: readonly ShownAnswer[]): Measures {
  let sum = 0;
  let count = 0;
  let worstStaleness = 0;
  let worstGap = 0;
  const finalLags: number[] = [];
  for (const { answer, writes } of shown) {
    let seen = 0;
    let before: number | undefined;
    for (const { at, tokens, isFinal } of writes) {
      const oldest = answer.tokens[seen];
      if (oldest !== undefined) worstStaleness = Math.max(worstStaleness, at - oldest);
      if (before !== undefined && oldest !== undefined)
        worstGap = Math.max(worstGap, at - Math.max(before, oldest));
      for (; seen < tokens; seen++) {
        sum += at - (answer.tokens[seen] ?? at);
        count += 1;
      }
      before = at;
      if (isFinal) finalLags.push(at - answer.endsAt);
    }
  }
  return {
    meanStaleness: sum / count,
    worstStaleness,
    worstGap,
    finalLags: finalLags.toSorted((a, b) => a - b),
    refused: shown.reduce((total, { refused }) => total + refused, 0),
    lost: shown.filter(({ writes }) => writes.at(-1)?.isFinal !== true).length,
  };
}

/** Nearest rank. NaN for none. */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

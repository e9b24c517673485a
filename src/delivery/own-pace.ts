/** The budgets of a surface without limits of its own: every message has its pace, and none waits for another. */
import type { Importance, RateBudget, RateBudgets } from '../ports/rate-budget.ts';
import type { Clock } from '../ports/runtime.ts';

/** More often than this the eye sees no difference. Unit: milliseconds. */
const gapMs = 50;
/** What is written at once, whenever the message was written before. */
const urgent: ReadonlySet<Importance> = new Set<Importance>(['final', 'question', 'click', 'first']);

/** For the messages of one screen: it forgets none. */
export function ownPaceBudgets(clock: Pick<Clock, 'now'>): RateBudgets {
  const writtenAt = new Map<string, number>();
  const budget: RateBudget = {
    async ask({ message, importance }) {
      const now = clock.now();
      const waitMs = (writtenAt.get(message) ?? Number.NEGATIVE_INFINITY) + gapMs - now;
      if (waitMs > 0 && !urgent.has(importance)) return { granted: false, waitMs };
      writtenAt.set(message, now);
      return { granted: true };
    },
    learn: async () => {},
    leave: async () => {},
  };
  return { budget: () => budget };
}

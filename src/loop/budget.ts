/** The round budget: exploration, settlement, one closing call. Counts model responses of one turn. */
import type { LoopSettings } from './settings.ts';

export type Phase = 'explore' | 'settle' | 'close';

type BudgetSettings = Pick<LoopSettings, 'exploration' | 'settlement' | 'maxIterations'>;

/** The phase of the next model call, after `used` responses. */
export function budgetPhase(used: number, settings: BudgetSettings): Phase {
  const { exploration, settlement } = rounds(settings);
  if (used >= exploration + settlement) return 'close';
  return used >= exploration ? 'settle' : 'explore';
}

/** "remaining ≤ 2" of a plain M-iteration loop is round E + S of ours, so M = E + S + 2. */
function rounds({ exploration, settlement, maxIterations }: BudgetSettings) {
  if (maxIterations === null) return { exploration, settlement };
  return { exploration: Math.max(0, maxIterations - 2), settlement: 0 };
}

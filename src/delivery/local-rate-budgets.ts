/** Rate budgets of one process that is alone with its platform: the terminal, a trial without Redis, tests. */
import type { RateBudget, RateBudgets } from '../ports/rate-budget.ts';
import type { Clock } from '../ports/runtime.ts';
import { Pace } from './pace.ts';

export function localRateBudgets(clock: Pick<Clock, 'now'>): RateBudgets {
  const all = new Map<string, RateBudget>();
  return {
    budget({ name: { surface, route, scope }, rule }) {
      const key = JSON.stringify([surface, route, scope]);
      const known = all.get(key) ?? over(new Pace(rule));
      all.set(key, known);
      return known;
    },
  };

  function over(pace: Pace): RateBudget {
    return {
      ask: async (want) => pace.ask(clock.now(), want),
      learn: async (message, reply) => pace.learn(clock.now(), message, reply),
      leave: async (message) => pace.leave(message),
    };
  }
}

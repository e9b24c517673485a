/**
 * Rate budgets that all processes share. Redis keeps the time: the clocks of the processes may differ. A budget that
 * nobody used for an hour is forgotten, and with it what was learned of the platform.
 */
import { importances, type RateBudget, type RateBudgets } from '../../ports/rate-budget.ts';
import { type RedisClient, redisScript } from './client.ts';
import { rateBudgetKey } from './keys.ts';
import { rateBudgetScript } from './rate-budget-script.ts';

export function redisRateBudgets(redis: RedisClient): RateBudgets {
  const script = redisScript(redis, rateBudgetScript);
  return {
    budget({ name, rule: { calls, perMs } }): RateBudget {
      const keys = [rateBudgetKey(name)];
      return {
        async ask({ message, importance, unseenMs }) {
          const rank = importances.indexOf(importance);
          const waitMs = Number(await script(keys, ['ask', calls, perMs, message, rank, unseenMs]));
          return waitMs < 0 ? { granted: true } : { granted: false, waitMs };
        },

        async learn(message, { callMs, outcome, headers, retryAfterMs, isLast }) {
          const { limit = '', remaining = '', resetAfterMs = '' } = headers ?? {};
          const told = [limit, remaining, resetAfterMs, retryAfterMs ?? '', isLast ? 1 : ''];
          await script(keys, ['learn', calls, perMs, message, callMs, outcome, ...told]);
        },

        async leave(message) {
          await script(keys, ['leave', calls, perMs, message]);
        },
      };
    },
  };
}

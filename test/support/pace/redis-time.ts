/** Rate budgets in a real Redis whose clock is the test's: the script reads the time from a list instead. */
import type { Redis } from 'ioredis';
import type { RateBudgets } from '../../../src/ports/rate-budget.ts';
import { redisRateBudgets } from '../../../src/store/redis/rate-budget.ts';

const timeKey = 'test:time';

export function rateBudgetsAtTestTime(redis: Redis, now: () => number): RateBudgets {
  const run = async (lua: string, count: number, ...args: (string | number)[]) => {
    const ms = Math.floor(now());
    const seconds = Math.floor(ms / 1_000);
    await redis
      .multi()
      .del(timeKey)
      .rpush(timeKey, seconds, (ms - seconds * 1_000) * 1_000)
      .exec();
    return redis.eval(
      lua.replaceAll("redis.call('TIME')", `redis.call('LRANGE', '${timeKey}', 0, 1)`),
      count,
      ...args,
    );
  };
  const client: Pick<Redis, 'sendCommand' | 'eval'> = {
    sendCommand: async () => Promise.reject(new Error('NOSCRIPT by the test: the text has to be changed')),
    eval: run as Redis['eval'],
  };
  return redisRateBudgets(client as Redis);
}

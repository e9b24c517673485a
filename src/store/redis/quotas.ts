/**
 * What a person may use, counted in Redis over fixed windows that begin with the first use. Redis keeps the time; a
 * process only adds what is left to its own clock.
 */
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { UserId } from '../../domain/ids.ts';
import type { Quotas } from '../../ports/quotas.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { RedisClient } from './client.ts';
import { quotaPrefixes } from './keys.ts';

export interface RedisQuotasOptions {
  readonly redis: RedisClient;
  readonly clock: Clock;
  /** 0: no limit. */
  readonly messagesPerMinute: number;
  /** Undefined: no limit. */
  readonly tokensPerDay: number | undefined;
}

/** Rejects when Redis is away. */
export function redisQuotas({ redis, clock, messagesPerMinute, tokensPerDay }: RedisQuotasOptions): Quotas {
  const limiter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterRedis({ storeClient: redis, keyPrefix, points, duration });
  const messages =
    messagesPerMinute === 0 ? undefined : limiter(quotaPrefixes.messages, messagesPerMinute, 60);
  const tokens =
    tokensPerDay === undefined ? undefined : limiter(quotaPrefixes.tokens, tokensPerDay, 24 * 3600);

  return {
    async message(user: UserId) {
      const spent = await tokens?.get(user);
      // What a turn uses is known when it ends: the turn that goes over the limit is the last.
      if (spent && spent.remainingPoints === 0) return refused(spent);
      try {
        await messages?.consume(user);
        return { ok: true };
      } catch (reason) {
        if (reason instanceof RateLimiterRes) return refused(reason);
        throw reason;
      }
    },

    async spend(user: UserId, used: number) {
      if (used > 0) await tokens?.penalty(user, Math.round(used));
    },
  };

  function refused({ msBeforeNext }: RateLimiterRes) {
    return { ok: false, freeAt: clock.now() + Math.max(0, msBeforeNext) } as const;
  }
}

/** Which workers are alive, and whether Redis takes what is written. */
import type { Clock } from '../../ports/runtime.ts';
import type { RedisClient } from './client.ts';
import { globalKeys } from './keys.ts';

const aliveMs = 10_000;
const renewEveryMs = 3_000;

export interface Presence {
  /** Says that a worker is alive until the returned function is called. */
  announce(id: string): () => Promise<void>;
  /** How many workers are alive. */
  workers(): Promise<number>;
  /** Rejects when Redis is away or takes no writes: a full one still answers PING. */
  writable(): Promise<void>;
}

export function redisPresence(redis: RedisClient, clock: Clock): Presence {
  return {
    announce(id) {
      const over = new AbortController();
      const renewing = (async () => {
        while (!over.signal.aborted) {
          await redis.zadd(globalKeys.workers, clock.now() + aliveMs, id).catch(() => {}); // the next one counts
          await clock.sleep(renewEveryMs, over.signal).catch(() => {}); // it is over
        }
      })();
      return async () => {
        over.abort();
        await renewing;
        await redis.zrem(globalKeys.workers, id);
      };
    },
    async workers() {
      await redis.zremrangebyscore(globalKeys.workers, '-inf', clock.now());
      return redis.zcard(globalKeys.workers);
    },
    async writable() {
      await redis.set(globalKeys.writable, '1', 'PX', aliveMs);
    },
  };
}

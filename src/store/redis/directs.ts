/** Where people write to the bot directly, for a platform that does not list it. */
import type { Clock } from '../../ports/runtime.ts';
import type { RedisClient } from './client.ts';
import { globalKeys } from './keys.ts';

export interface Directs {
  /** Somebody wrote there now. */
  note(place: string): Promise<void>;
  /** The places where somebody wrote last, newest first. */
  newest(count: number): Promise<readonly string[]>;
  forget(place: string): Promise<void>;
}

const maxPlaces = 10_000;

export function redisDirects(
  redis: RedisClient,
  clock: Pick<Clock, 'now'>,
  surface: string,
  retentionS: number,
): Directs {
  const key = globalKeys.directs(surface);
  return {
    async note(place) {
      await redis
        .multi()
        .zadd(key, clock.now(), place)
        .zremrangebyscore(key, '-inf', clock.now() - retentionS * 1_000)
        .zremrangebyrank(key, 0, -maxPlaces - 1)
        .expire(key, retentionS)
        .exec();
    },
    newest: (count) => redis.zrevrange(key, 0, count - 1),
    async forget(place) {
      await redis.zrem(key, place);
    },
  };
}

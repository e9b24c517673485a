/** Of several processes that hear the same thing, one acts on it. */
import type { RedisClient } from './client.ts';
import { globalKeys } from './keys.ts';

/** As long as an interaction of a platform lives. Unit: seconds. */
const rememberedS = 15 * 60;

/** True for whoever asks first. */
export function redisOnce(redis: RedisClient): (thing: string, forS?: number) => Promise<boolean> {
  return async (thing, forS = rememberedS) =>
    (await redis.set(globalKeys.once(thing), '1', 'EX', forS, 'NX')) === 'OK';
}

/** Facts about models, shared by all workers and kept over restarts. */
import type { ModelNotes } from '../../ports/runtime.ts';
import type { RedisClient } from './client.ts';
import { globalKeys } from './keys.ts';

export function redisModelNotes(redis: RedisClient): ModelNotes {
  return {
    get: async (key) => (await redis.get(globalKeys.note(key))) ?? undefined,
    set: async (key, value, ttlMs) => void (await redis.set(globalKeys.note(key), value, 'PX', ttlMs)),
  };
}

/**
 * How far the gateways of a surface have come, with reading or with what they put in place there: whoever starts next goes
 * on from there.
 */
import type { RedisClient } from './client.ts';
import { globalKeys } from './keys.ts';

export interface Cursor {
  /** Undefined when nobody has read anything yet. */
  get(): Promise<string | undefined>;
  set(position: string): Promise<void>;
}

export function redisCursor(redis: RedisClient, surface: string, retentionS: number): Cursor {
  const key = globalKeys.cursor(surface);
  return {
    get: async () => (await redis.get(key)) ?? undefined,
    async set(position) {
      await redis.set(key, position, 'EX', retentionS);
    },
  };
}

/** A Redis connection of either kind, and scripts that survive `SCRIPT FLUSH`. */
import { createHash } from 'node:crypto';
import { type Cluster, Command, type Redis } from 'ioredis';

export type RedisClient = Redis | Cluster;

/** Runs with keys of one slot. Arguments and results are as Redis has them. */
export type RedisScript = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

const utf8 = { replyEncoding: 'utf8' } as const;

export function redisScript(redis: RedisClient, lua: string): RedisScript {
  const sha = createHash('sha1').update(lua).digest('hex');
  return async (keys, args) => {
    try {
      return await redis.sendCommand(new Command('evalsha', [sha, keys.length, ...keys, ...args], utf8));
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(lua, keys.length, ...keys, ...args);
    }
  };
}

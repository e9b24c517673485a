/** Opens a row about memory: fills a Redis once, looks, and compares what it found. */

import type { ModelChunk } from '../../src/ports/model.ts';
import type { NotHere, Pair } from '../harness.ts';
import { type BenchRedis, startRedis } from './redis-server.ts';
import { type StoredTalk, storedTalk } from './stored-talk.ts';

export interface Found {
  readonly bytes: number;
  readonly json: number;
  readonly detail: string;
}

export async function memoryPair(
  reply: readonly ModelChunk[],
  measure: (redis: BenchRedis, talk: StoredTalk) => Promise<Found>,
): Promise<Pair | NotHere> {
  const redis = await startRedis();
  if ('notHere' in redis) return redis;
  const talk = storedTalk(redis.url, reply);
  try {
    const { bytes, json, detail } = await measure(redis, talk);
    return { product: async () => bytes, anchor: async () => json, detail, close: async () => {} };
  } finally {
    await talk.close();
    await redis.close();
  }
}

/** Product and anchor as programs of their own. */
import type { NotHere, Pair } from '../harness.ts';
import { giveOwnCpu } from './own-cpu.ts';
import { Programs, type Sampler } from './programs.ts';
import { type BenchRedis, startRedis } from './redis-server.ts';

/** What a file in `variants/` exports as `prepare`. */
export type Prepare = (baseUrl: string, argument: string) => Work | Promise<Work>;

/** Does its work once and counts the items, for whose CPU time it is asked; or tells a figure that it took itself. */
export type Work = () => Promise<number | { readonly told: number }>;

/** Each in a process of its own, against one model service: neither pays for the other's garbage. */
export function inTwoProcesses(product: string, anchor: string): Promise<Pair> {
  return pairOf(async (programs) => holdBoth(programs, await programs.serve(), product, anchor));
}

/** Each in a process of its own, on one Redis that belongs to the bench and has a CPU for itself. */
export async function onOneRedis(
  product: string,
  anchor: string,
  take: (redis: BenchRedis, sampler: Sampler) => Promise<number>,
): Promise<Pair | NotHere> {
  const redis = await startRedis();
  if ('notHere' in redis) return redis;
  try {
    const pair = await pairOf(async (programs) => {
      const samplers = await holdBoth(programs, redis.url, product, anchor);
      giveOwnCpu(redis.pid, programs.pids);
      return samplers;
    });
    return {
      product: () => take(redis, pair.product),
      anchor: () => take(redis, pair.anchor),
      async close() {
        await pair.close();
        await redis.close();
      },
    };
  } catch (error) {
    await redis.close();
    throw error;
  }
}

/** Both in one process, because they are the same code doing two amounts of work; no model service. */
export function inOneProcess(product: string, anchor: string): Promise<Pair> {
  return pairOf((programs) => programs.hold('', product, anchor));
}

async function holdBoth(
  programs: Programs,
  url: string,
  product: string,
  anchor: string,
): Promise<Sampler[]> {
  return [...(await programs.hold(url, product)), ...(await programs.hold(url, anchor))];
}

async function pairOf(start: (programs: Programs) => Promise<Sampler[]>): Promise<Pair> {
  const programs = new Programs();
  try {
    const [product, anchor] = await start(programs);
    if (product === undefined || anchor === undefined) throw new Error('a pair has two sides');
    return { product, anchor, close: () => programs.close() };
  } catch (error) {
    await programs.close();
    throw error;
  }
}

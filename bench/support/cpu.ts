/** CPU time of this process: all its threads, the garbage collector's included. */

import type { Work } from './pairs.ts';

/**
 * Runs `work` once and returns its cost per item, in microseconds, or the figure that it tells. Garbage is
 * collected whenever V8 sees fit, as it is in a bot: a collection forced before each sample doubles the cost of both
 * sides, since it also throws away what the compiler had learned.
 */
export async function sampleOf(work: Work): Promise<number> {
  const before = process.cpuUsage();
  const done = await work();
  if (typeof done !== 'number') return done.told;
  const { user, system } = process.cpuUsage(before);
  return (user + system) / done;
}

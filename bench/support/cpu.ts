/** CPU time of this process: all its threads, the garbage collector's included. */

/**
 * Runs `work` once and returns its cost per item. Unit: microseconds. `work` returns how many items it did. Garbage is
 * collected whenever V8 sees fit, as it is in a bot: a collection forced before each sample doubles the cost of both
 * sides, since it also throws away what the compiler had learned.
 */
export async function cpuPerItem(work: () => Promise<number>): Promise<number> {
  const before = process.cpuUsage();
  const items = await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / items;
}

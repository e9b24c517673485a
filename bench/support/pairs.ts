/** Product and anchor as programs of their own. */
import type { Pair } from '../harness.ts';
import { Programs, type Sampler } from './programs.ts';

/** What a file in `variants/` exports as `prepare`. The returned function does its work once and counts the items. */
export type Prepare = (baseUrl: string, argument: string) => () => Promise<number>;

/** Each in a process of its own, against one model service: neither pays for the other's garbage. */
export function inTwoProcesses(product: string, anchor: string): Promise<Pair> {
  return pairOf(async (programs) => {
    const url = await programs.serve();
    return [...(await programs.hold(url, product)), ...(await programs.hold(url, anchor))];
  });
}

/** Both in one process, because they are the same code doing two amounts of work; no model service. */
export function inOneProcess(product: string, anchor: string): Promise<Pair> {
  return pairOf((programs) => programs.hold('', product, anchor));
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

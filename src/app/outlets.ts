/** How a worker deals with several platforms at once. */
import type { Outlets } from './worker.ts';

export interface ClosableOutlets extends Outlets {
  close(): Promise<void>;
}

/** Each platform has names of its own. */
export function joinOutlets(all: readonly Outlets[]): Outlets {
  return {
    surfaces: new Map(all.flatMap(({ surfaces }) => [...surfaces])),
    fetchers: new Map(all.flatMap(({ fetchers }) => [...fetchers])),
    earlier: new Map(all.flatMap(({ earlier }) => [...earlier])),
    marks: new Map(all.flatMap(({ marks }) => [...marks])),
    times: new Map(all.flatMap(({ times }) => [...times])),
  };
}

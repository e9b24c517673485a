/** Every row of the bench, in the order in which they run. A new one is a file in `rows/` and a line here. */
import type { Row } from './harness.ts';
import { chunkCost } from './rows/chunk-cost.ts';
import { labelRouting } from './rows/label-routing.ts';
import { linearText } from './rows/linear-text.ts';
import { loopCost } from './rows/loop-cost.ts';
import { loopCostOfAgents, loopCostOfAi } from './rows/loop-cost-of-peers.ts';
import { startUp } from './rows/start-up.ts';

export const rows: readonly Row[] = [
  chunkCost,
  labelRouting,
  linearText,
  loopCost,
  loopCostOfAi,
  loopCostOfAgents,
  startUp,
];

/** Every row of the bench, in the order in which they run. A new one is a file in `rows/` and a line here. */
import type { Row } from './harness.ts';
import { chunkCost } from './rows/chunk-cost.ts';
import { deliveryCost } from './rows/delivery-cost.ts';
import { journalMemory } from './rows/journal-memory.ts';
import { labelRouting } from './rows/label-routing.ts';
import { linearText } from './rows/linear-text.ts';
import { liveEdits } from './rows/live-edits.ts';
import { loopCost } from './rows/loop-cost.ts';
import { loopCostOfAgents, loopCostOfAi } from './rows/loop-cost-of-peers.ts';
import { pauseMemory } from './rows/pause-memory.ts';
import { startUp } from './rows/start-up.ts';
import { turnOrder } from './rows/turn-order.ts';
import { turnRate, turnRateOfFew } from './rows/turn-rate.ts';
import { turnRedisCost, turnRedisCostOfFew } from './rows/turn-redis-cost.ts';
import { turnStart } from './rows/turn-start.ts';
import { workerStartUp } from './rows/worker-start-up.ts';

export const rows: readonly Row[] = [
  turnRate,
  turnRateOfFew,
  turnRedisCost,
  turnRedisCostOfFew,
  turnStart,
  turnOrder,
  journalMemory,
  pauseMemory,
  chunkCost,
  labelRouting,
  linearText,
  deliveryCost,
  loopCost,
  loopCostOfAi,
  loopCostOfAgents,
  startUp,
  workerStartUp,
  ...liveEdits,
];

/** L1: what a tool round costs, against a loop written by hand on the openai SDK. */
import type { Row } from '../harness.ts';
import { inTwoProcesses } from '../support/pairs.ts';

export const loopCost: Row = {
  id: 'L1',
  metric: 'CPU per tool round, 20 rounds a turn / hand-written openai SDK loop; µs',
  kind: 'cpu',
  goal: 1.25,
  bound: 'max',
  warmUps: { quick: 6, full: 20 },
  rounds: { quick: 5, full: 15 },
  open: () => inTwoProcesses('docent-loop.ts', 'openai-loop.ts'),
};

/** S1: what a chunk of an answer costs from the socket to the scheduled edit, against the bare SDK's iteration. */
import type { Row } from '../harness.ts';
import { inTwoProcesses } from '../support/pairs.ts';

export const chunkCost: Row = {
  id: 'S1',
  metric: 'CPU per chunk of a 20,000-chunk answer, turn with scheduled edits / bare openai SDK iteration; µs',
  kind: 'cpu',
  goal: 1.1,
  bound: 'max',
  warmUps: { quick: 6, full: 8 },
  rounds: { quick: 5, full: 15 },
  open: () => inTwoProcesses('docent-answer.ts', 'openai-answer.ts'),
};

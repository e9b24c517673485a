/** S3: does a character of a long answer cost what one of a short answer costs? */
import type { Row } from '../harness.ts';
import { inOneProcess } from '../support/pairs.ts';

export const linearText: Row = {
  id: 'S3',
  metric: 'CPU per character of an answer of 64,000 characters / of 4,000, read from memory; µs',
  kind: 'cpu',
  goal: 1.15,
  bound: 'max',
  warmUps: { quick: 2, full: 3 },
  rounds: { quick: 9, full: 21 },
  open: () => inOneProcess('memory-answer.ts:64000x32', 'memory-answer.ts:4000x512'),
};

/** Q4: how long a message waits for the start of its turn when nothing else is going on, against a raw BullMQ job. */
import type { Row } from '../harness.ts';
import { onOneRedis } from '../support/pairs.ts';

/** In one sample. Few, and many rounds: product and anchor stand close together, so that both see the same machine. */
const starts = 25;

export const turnStart: Row = {
  id: 'Q4',
  metric: 'from a message at the door to the start of its turn, idle, 50 a second, p50 / raw BullMQ job; ms',
  kind: 'wall',
  goal: 1.4,
  bound: 'max',
  warmUps: { quick: 2, full: 2 },
  rounds: { quick: 7, full: 41 },
  open: () =>
    onOneRedis(`docent-starts.ts:${starts}`, `bull-starts.ts:${starts}`, (_redis, sampler) => sampler()),
};

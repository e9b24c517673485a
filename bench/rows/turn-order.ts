/** Q5: what becomes of messages when one of two workers is killed: order, completeness, one turn at a time. */
import type { Mode, NotHere, Pair, Row } from '../harness.ts';
import { survivingWork } from '../support/killed-worker.ts';
import { startRedis } from '../support/redis-server.ts';

const messages: Readonly<Record<Mode, number>> = { quick: 3_000, full: 20_000 };

export const turnOrder: Row = {
  id: 'Q5',
  metric:
    'messages out of order, lost or doubled and turns that overlap, one of two workers killed / messages; count',
  kind: 'exact',
  goal: 0,
  bound: 'max',
  warmUps: { quick: 0, full: 0 },
  rounds: { quick: 1, full: 1 },
  open,
};

async function open(mode: Mode): Promise<Pair | NotHere> {
  const redis = await startRedis();
  if ('notHere' in redis) return redis;
  try {
    const { broken, lost, doubled, overlapping, cut } = await survivingWork(redis.url, messages[mode]);
    if (cut === 0) throw new Error('the worker that was killed was not at work');
    return {
      product: async () => broken + lost + doubled + overlapping,
      anchor: async () => messages[mode],
      detail: `${broken} out of order, ${lost} lost, ${doubled} doubled, ${overlapping} overlapping, ${cut} turns cut`,
      close: async () => {},
    };
  } finally {
    await redis.close();
  }
}

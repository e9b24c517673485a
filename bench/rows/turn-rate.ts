/** Q1, Q2: how many turns that do nothing pass through door, queue, claim and commit, against raw BullMQ jobs. */
import type { Mode, NotHere, Pair, Row } from '../harness.ts';
import { onOneRedis } from '../support/pairs.ts';
import type { Sampler } from '../support/programs.ts';
import type { BenchRedis } from '../support/redis-server.ts';
import { fewConversations, messages } from '../support/turn-load.ts';

export const turnRate: Row = {
  id: 'Q1',
  metric:
    'messages through turns that do nothing, each in a conversation of its own / raw BullMQ jobs; per ms',
  kind: 'wall',
  goal: 0.5,
  bound: 'min',
  warmUps: { quick: 3, full: 4 },
  rounds: { quick: 5, full: 15 },
  open: (mode) => open(mode, messages[mode]),
};

export const turnRateOfFew: Row = {
  ...turnRate,
  id: 'Q2',
  metric: `the same in ${fewConversations} conversations / raw BullMQ jobs; per ms`,
  goal: 0.75,
  open: (mode) => open(mode, fewConversations),
};

function open(mode: Mode, conversations: number): Promise<Pair | NotHere> {
  const count = messages[mode];
  const rate = async (_redis: BenchRedis, sampler: Sampler) => {
    const from = performance.now();
    await sampler();
    return count / (performance.now() - from);
  };
  return onOneRedis(`docent-turns.ts:${count}/${conversations}`, `bull-jobs.ts:${count}`, rate);
}

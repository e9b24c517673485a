/** Q3: what a turn that does nothing costs Redis, against a raw BullMQ job. */
import type { Mode, NotHere, Pair, Row } from '../harness.ts';
import { onOneRedis } from '../support/pairs.ts';
import type { Sampler } from '../support/programs.ts';
import type { BenchRedis } from '../support/redis-server.ts';
import { fewConversations, messages } from '../support/turn-load.ts';

export const turnRedisCost: Row = {
  id: 'Q3.distinct',
  metric: 'CPU of Redis per message, each a turn of a conversation of its own / per raw BullMQ job; µs',
  kind: 'cpu',
  goal: 1.9,
  bound: 'max',
  warmUps: { quick: 3, full: 4 },
  rounds: { quick: 5, full: 15 },
  open: (mode) => open(mode, messages[mode]),
};

export const turnRedisCostOfFew: Row = {
  ...turnRedisCost,
  id: `Q3.${fewConversations}`,
  metric: `the same in ${fewConversations} conversations / per raw BullMQ job; µs`,
  goal: 1,
  open: (mode) => open(mode, fewConversations),
};

function open(mode: Mode, conversations: number): Promise<Pair | NotHere> {
  const count = messages[mode];
  const cost = async (redis: BenchRedis, sampler: Sampler) => {
    const before = await redis.cpu();
    await sampler();
    return ((await redis.cpu()) - before) / count;
  };
  return onOneRedis(`docent-turns.ts:${count}/${conversations}`, `bull-jobs.ts:${count}`, cost);
}

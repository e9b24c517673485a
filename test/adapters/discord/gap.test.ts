import { ChannelType } from 'discord.js';
import { expect, test } from 'vitest';
import { Gap } from '../../../src/adapters/discord/gap.ts';
import { Inflow } from '../../../src/gateway/inflow.ts';
import { Progress } from '../../../src/gateway/progress.ts';
import { manualClock } from '../../support/clock.ts';
import { quietLog } from '../../support/quiet-log.ts';

test('channels are read a few at a time: three gateways that begin together stay below 50 calls a second', async () => {
  const clock = manualClock();
  const { signal } = new AbortController();
  const means = { clock, log: quietLog, signal };
  const read: string[] = [];
  const gap = new Gap({
    ...means,
    inflow: new Inflow({ ...means, maxKept: 10 }),
    progress: new Progress(undefined),
    rest: async ({ route }) => {
      read.push(route);
      return { body: [], rate: undefined };
    },
    store: async () => {},
    catchUpMaxAgeMs: 60_000,
  });
  for (let channel = 1; channel <= 100; channel += 1)
    gap.read({ id: String(channel), type: ChannelType.GuildText }, '1');
  for (let second = 1; second <= 10; second += 1) {
    const before = read.length;
    await clock.advance(1_000);
    expect(read.length - before).toBeLessThanOrEqual(16);
  }
  expect(new Set(read).size).toBe(100);
});

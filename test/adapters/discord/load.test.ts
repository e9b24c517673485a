/**
 * Many answers at once on the real adapter, and the goals of live edits (E1 to E4) there, all in virtual time. The policy
 * alone: `test/delivery/pace-goals.test.ts`. `TEST_FULL=1` takes more seeds.
 */
import { expect, test, vi } from 'vitest';
import { answersOnDiscord } from '../../support/discord/answers-at-once.ts';
import { isFull } from '../../support/flows/full.ts';
import { sentAnswer, shapes } from '../../support/pace/answers.ts';
import { bounds, discord } from '../../support/pace/goals.ts';
import { measures, percentile } from '../../support/pace/measures.ts';

vi.setConfig({ testTimeout: isFull ? 3_600_000 : 120_000 });

const flowing = { tokensPerS: 50, flowsS: 60, hasPauses: false, orElseS: 2.5 };
const kinds = ['window', 'bucket'] as const;

/** Begun so far apart in one channel. Unit: milliseconds. */
const apartMs = 7_500;

const crowds = kinds.flatMap((shape) => [
  { shape, count: 40, rooms: 8 },
  { shape, count: 8, rooms: 1 },
]);
test.each(crowds)(
  '$count answers in $rooms channels, $shape: all move, all end in time',
  async ({ shape, count, rooms }) => {
    for (let seed = 0; seed < (isFull ? 20 : 1); seed++) {
      const answers = Array.from({ length: count }, (_, index) =>
        sentAnswer(flowing, seed * 1_009 + index * 131, Math.floor(index / rooms) * apartMs),
      );
      const { shown, calls, refused } = await answersOnDiscord({ answers, rooms, shape });
      const seen = measures(shown);
      console.log({
        shape,
        count,
        rooms,
        calls,
        refused,
        gap: seen.worstGap,
        final: seen.finalLags.at(-1),
        lost: seen.lost,
      });
      expect(refused / calls).toBeLessThan(0.02);
      expect(seen.lost).toBe(0);
      expect(seen.worstGap).toBeLessThanOrEqual(1.25 * (count / rooms) * 1_000);
      expect(Math.max(...seen.finalLags)).toBeLessThanOrEqual(5_000);
    }
  },
);

const goals = [
  { shape: 'window' as const, mean: 1.05, finalMs: 450 },
  { shape: 'bucket' as const, mean: 0.95, finalMs: 200 },
];
test.each(goals)('E1 to E4 for one answer in a channel, $shape', async ({ shape, mean, finalMs }) => {
  const all = [];
  let provoked = 0;
  for (const [index, form] of shapes.entries())
    for (let seed = 0; seed < (isFull ? 40 : 1); seed++) {
      const answers = [sentAnswer(form, seed * 1_009 + index * 7_919)];
      const { shown, refused } = await answersOnDiscord({ answers, rooms: 1, shape });
      all.push(...shown);
      provoked += refused;
    }
  const seen = measures(all);
  const bound = bounds(discord);
  console.log({
    shape,
    mean: seen.meanStaleness / bound.mean,
    worst: seen.worstStaleness / bound.worst,
    p95: percentile(seen.finalLags, 95),
    provoked,
    lost: seen.lost,
  });
  expect(seen.meanStaleness / bound.mean, 'E1').toBeLessThanOrEqual(mean);
  expect(seen.worstStaleness / bound.worst, 'E2').toBeLessThanOrEqual(1.05);
  expect({ provoked, lost: seen.lost }, 'E3').toEqual({ provoked: 0, lost: 0 });
  expect(percentile(seen.finalLags, 95), 'E4').toBeLessThanOrEqual(finalMs);
});

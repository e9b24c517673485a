/**
 * Many answers at once on the real adapter, and the goals of live edits (E1 to E4) there, all in virtual time. The policy
 * alone: `test/delivery/pace-goals.test.ts`. `TEST_FULL=1` takes twenty times as many seeds.
 */
import { describe, expect, test, vi } from 'vitest';
import { type AnswersAtOnce, answersOnDiscord } from '../../support/discord/answers-at-once.ts';
import { isFull } from '../../support/flows/full.ts';
import { type AnswerShape, sentAnswer, shapes } from '../../support/pace/answers.ts';
import { bounds, discord } from '../../support/pace/goals.ts';
import { measures, percentile } from '../../support/pace/measures.ts';

vi.setConfig({ testTimeout: isFull ? 3_600_000 : 120_000 });

const seeds = Array.from({ length: isFull ? 20 : 1 }, (_, seed) => seed);

/** Discord does not say how it counts, nor what its headers tell of a bucket. */
const counted: readonly { name: string; limits: AnswersAtOnce['limits'] }[] = [
  { name: 'windows', limits: { shape: 'window' } },
  { name: 'a bucket that tells when it is full', limits: { shape: 'bucket', tells: 'full' } },
  { name: 'a bucket that tells when the next call is free', limits: { shape: 'bucket', tells: 'next' } },
];
const crowds = [
  { count: 40, rooms: 8 },
  { count: 8, rooms: 1 },
];

/** Answers of a channel begin so far apart. Unit: milliseconds. */
const apartMs = 5_000;

async function crowd(
  shape: AnswerShape,
  { limits, count, rooms }: { limits: AnswersAtOnce['limits']; count: number; rooms: number },
) {
  const all = [];
  let calls = 0;
  let refused = 0;
  for (const seed of seeds) {
    const answers = Array.from({ length: count }, (_, index) =>
      sentAnswer(shape, seed * 1_009 + index * 131, Math.floor(index / rooms) * apartMs),
    );
    const seen = await answersOnDiscord({ answers, rooms, limits });
    all.push(...seen.shown);
    calls += seen.calls;
    refused += seen.refused;
  }
  const { worstGap, finalLags, lost } = measures(all);
  return { refusedShare: refused / calls, worstGap, slowestFinal: Math.max(...finalLags), lost };
}

/** 20 tokens per second fill one message in this time, 50 need two or three. */
const paces = [
  { what: 'answers', tokensPerS: 20 },
  { what: 'answers of several messages', tokensPerS: 50 },
];
const many = paces.flatMap((pace) => crowds.map((each) => ({ ...pace, ...each })));

describe.each(counted)('Discord counts in $name:', ({ limits }) => {
  test.each(many)('$count $what in $rooms channels all move and end in time', async (all) => {
    const { tokensPerS, count, rooms } = all;
    const minute = { tokensPerS, flowsS: 60, hasPauses: false, orElseS: 2.5 };
    const seen = await crowd(minute, { limits, count, rooms });
    expect(seen.refusedShare).toBeLessThan(0.02);
    expect(seen.lost).toBe(0);
    expect(seen.worstGap).toBeLessThanOrEqual(1.25 * (count / rooms) * 1_000);
    expect(seen.slowestFinal).toBeLessThanOrEqual(5_000);
  });
});

const goals = [
  { name: 'windows', limits: { shape: 'window' }, mean: 1.05, finalMs: 450 },
  { name: 'a bucket', limits: { shape: 'bucket', tells: 'full' }, mean: 0.95, finalMs: 200 },
] as const;
test.each(goals)(
  'one answer in a channel that counts in $name is as fresh as the goals ask',
  async (goal) => {
    const all = [];
    let refused = 0;
    // Those that fit in one message.
    for (const [index, shape] of shapes
      .filter(({ tokensPerS, flowsS }) => tokensPerS * flowsS <= 1_000)
      .entries())
      for (const seed of seeds) {
        const answers = [sentAnswer(shape, seed * 1_009 + index * 7_919)];
        const seen = await answersOnDiscord({ answers, rooms: 1, limits: goal.limits });
        all.push(...seen.shown);
        refused += seen.refused;
      }
    const { meanStaleness, worstStaleness, finalLags, lost } = measures(all);
    const bound = bounds(discord);
    expect(meanStaleness / bound.mean, 'E1').toBeLessThanOrEqual(goal.mean);
    expect(worstStaleness / bound.worst, 'E2').toBeLessThanOrEqual(1.05);
    expect({ refused, lost }, 'E3').toEqual({ refused: 0, lost: 0 });
    expect(percentile(finalLags, 95), 'E4').toBeLessThanOrEqual(goal.finalMs);
  },
);

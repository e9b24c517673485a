/**
 * The goals of live edits, E1 to E5, in virtual time: 20, 50 and 100 tokens per second for 6, 15 and 40 s, with and
 * without pauses, each from 40 seeds. `TEST_FULL=1` takes ten times as many.
 */
import { describe, expect, test } from 'vitest';
import type { RateRule } from '../../src/ports/rate-budget.ts';
import { isFull } from '../support/flows/full.ts';
import { alone, bounds, discord, slack, type Trial, together } from '../support/pace/goals.ts';
import { type Measures, percentile } from '../support/pace/measures.ts';
import { bucket, clockWindow, fixedWindow, slidingWindow } from '../support/pace/platforms.ts';

const seeds = Array.from({ length: isFull ? 400 : 40 }, (_, seed) => seed);
const nothingWrong = { refused: 0, lost: 0 };
const wrong = ({ refused, lost }: Measures) => ({ refused, lost });

const onWindow = (rule: RateRule) => ({ rule, place: () => fixedWindow(rule.calls, rule.perMs) });
const onBucket = (rule: RateRule) => ({ rule, place: () => bucket(rule.calls, rule.perMs) });
const onNextBucket = (rule: RateRule) => ({ rule, place: () => bucket(rule.calls, rule.perMs, 'next') });
const flowing = { tokensPerS: 50, flowsS: 60, hasPauses: false, orElseS: 2.5 };

describe('one answer in a Discord channel', () => {
  const kinds = [
    { name: 'counted in windows', on: onWindow(discord), mean: 1.05, finalMs: 450, anyEndMs: 550 },
    { name: 'from a bucket', on: onBucket(discord), mean: 0.95, finalMs: 200, anyEndMs: 200 },
  ];
  test.each(kinds)('$name: text is fresh, final text is prompt, nothing is refused', async (kind) => {
    const seen = await alone({ ...kind.on, hasHeaders: true, seeds });
    const bound = bounds(discord);
    expect(seen.meanStaleness / bound.mean, 'E1').toBeLessThanOrEqual(kind.mean);
    expect(seen.worstStaleness / bound.worst, 'E2').toBeLessThanOrEqual(1.05);
    expect(wrong(seen), 'E3').toEqual(nothingWrong);
    expect(percentile(seen.finalLags, 95), 'E4').toBeLessThanOrEqual(kind.finalMs);
  });

  // 6, 15 and 40 s are whole numbers of windows or nearly so: this is what other answers see.
  test.each(kinds)('$name: final text is prompt wherever in a window it comes', async (kind) => {
    const seen = await alone({ ...kind.on, hasHeaders: true, seeds }, 2.5);
    expect(percentile(seen.finalLags, 95)).toBeLessThanOrEqual(kind.anyEndMs);
  });
});

describe('several answers in a Slack workspace, counted without headers', () => {
  test.each([1, 5, 10])('%i at once: text is as fresh as their share allows', async (count) => {
    for (const on of [onWindow(slack), onBucket(slack)]) {
      const seen = await together({ ...on, hasHeaders: false, seeds }, count, flowing, 0);
      expect(seen.meanStaleness / bounds(slack, count).mean, 'E5').toBeLessThanOrEqual(1.1);
      expect(wrong(seen)).toEqual(nothingWrong);
    }
  });
});

describe('nothing is refused however the platform counts, however long calls take, however busy the process is', () => {
  const { calls, perMs } = discord;
  const places: [string, Trial['place']][] = [
    ['a window from the first call', () => fixedWindow(calls, perMs)],
    ["windows by the platform's clock", (seed) => clockWindow(calls, perMs, seed * 731)],
    ['a sliding window', () => slidingWindow(calls, perMs)],
    ['a bucket that tells when it is full', () => bucket(calls, perMs)],
    ['a bucket that tells when the next call is free', () => bucket(calls, perMs, 'next')],
  ];
  test.each(places)('%s', async (_, place) => {
    const networks = [
      { slowestWayMs: 60 },
      { slowestWayMs: 240 },
      // The process is slow to make a call, and to tell what came of it.
      { slowestWayMs: 60, busyMs: 200 },
    ];
    const each = [true, false].flatMap((hasHeaders) =>
      networks.map((network) => ({ ...network, hasHeaders })),
    );
    for (const network of each) {
      const trial: Trial = { rule: discord, place, ...network, seeds: seeds.slice(0, 40) };
      const one = await alone(trial);
      const eight = await together(trial, 8, { ...flowing, hasPauses: true }, 1_000);
      const found = { ...network, one: wrong(one), eight: wrong(eight) };
      expect(found).toEqual({ ...network, one: nothingWrong, eight: nothingWrong });
    }
  });
});

describe('many answers', () => {
  const kinds = [
    { name: 'windows', on: onWindow(discord) },
    { name: 'a bucket', on: onBucket(discord) },
    { name: 'a bucket that tells when the next call is free', on: onNextBucket(discord) },
  ];
  const roundMs = (count: number) => (count * discord.perMs) / discord.calls;

  test.each(kinds)(
    '8 on one budget that begin and end together, $name: each moves, all end in time',
    async ({ on }) => {
      const seen = await together({ ...on, hasHeaders: true, seeds }, 8, flowing, 0);
      expect(wrong(seen)).toEqual(nothingWrong);
      expect(seen.worstGap).toBeLessThanOrEqual(1.25 * roundMs(8));
      expect(Math.max(...seen.finalLags)).toBeLessThanOrEqual(roundMs(8) + 2_000);
    },
  );

  test.each(kinds)('5 on one budget that begin and end 500 ms apart, $name: each moves', async ({ on }) => {
    const seen = await together({ ...on, hasHeaders: true, seeds }, 5, flowing, 500);
    expect(wrong(seen)).toEqual(nothingWrong);
    expect(seen.worstGap).toBeLessThanOrEqual(1.25 * roundMs(5));
    expect(Math.max(...seen.finalLags)).toBeLessThanOrEqual(roundMs(5) + 2_000);
  });

  const oneAfterTheOther = kinds.flatMap((kind) =>
    [2_500, 5_000, 7_500].map((everyMs) => ({ ...kind, everyMs })),
  );
  test.each(oneAfterTheOther)(
    '8 on one budget that begin and end $everyMs ms apart, $name: finals within 5 s',
    async ({ on, everyMs }) => {
      const seen = await together({ ...on, hasHeaders: true, seeds }, 8, flowing, everyMs);
      expect(wrong(seen)).toEqual(nothingWrong);
      expect(seen.worstGap).toBeLessThanOrEqual(1.25 * roundMs(8));
      expect(Math.max(...seen.finalLags)).toBeLessThanOrEqual(5_000);
    },
  );

  test.each(kinds)('40 on 8 budgets, $name: each moves, finals within 5 s', async ({ on }) => {
    // Budgets know nothing of each other: eight seeds are eight channels.
    const seen = await together({ ...on, hasHeaders: true, seeds: seeds.slice(0, 8) }, 5, flowing, 5_000);
    expect(wrong(seen)).toEqual(nothingWrong);
    expect(seen.finalLags).toHaveLength(40);
    expect(seen.worstGap).toBeLessThanOrEqual(1.25 * roundMs(5));
    expect(Math.max(...seen.finalLags)).toBeLessThanOrEqual(5_000);
  });
});

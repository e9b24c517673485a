/**
 * Many answers at once, and one that outlives its stream, on the real adapter in virtual time. The policy alone:
 * `test/delivery/pace-goals.test.ts`. `TEST_FULL=1` takes ten times as many seeds.
 */
import { describe, expect, test, vi } from 'vitest';
import { isFull } from '../../support/flows/full.ts';
import { type AnswerShape, sentAnswer } from '../../support/pace/answers.ts';
import { callMs, slack } from '../../support/pace/goals.ts';
import { measures } from '../../support/pace/measures.ts';
import { answersOnSlack } from '../../support/slack/answers-at-once.ts';

vi.setConfig({ testTimeout: isFull ? 3_600_000 : 120_000 });

const seeds = Array.from({ length: isFull ? 10 : 1 }, (_, seed) => seed * 1_009);
const steady: Omit<AnswerShape, 'flowsS'> = { tokensPerS: 20, hasPauses: false };

test.each(seeds)('an answer of six minutes outlives its stream: one text, complete (%i)', async (seed) => {
  // Slow enough to stay in the message that it began in.
  const answer = sentAnswer({ tokensPerS: 5, hasPauses: true, flowsS: 360 }, seed);
  const { shown, pages, refused, problems } = await answersOnSlack({ answers: [answer], rooms: 1 });
  const { lost, worstGap } = measures(shown);
  expect({ lost, refused, problems }).toEqual({ lost: 0, refused: 0, problems: [] });
  expect(worstGap).toBeLessThanOrEqual(5_000);
  const text = pages[0]?.map(({ shown: page }) => page.replaceAll(/\s/g, '')).join('');
  expect(text).toBe('x'.repeat(answer.tokens.length));
});

test.each(seeds)(
  'thirty people ask at once: each sees a sign of life and a complete answer, and Slack has little to refuse (%i)',
  async (seed) => {
    const answers = Array.from({ length: 30 }, (_, index) =>
      sentAnswer({ ...steady, flowsS: 15, orElseS: 5 }, seed + index * 131),
    );
    const { shown, signs, calls, refused, problems } = await answersOnSlack({ answers, rooms: 5 });
    const { lost, finalLags } = measures(shown);
    expect({ lost, problems }).toEqual({ lost: 0, problems: [] });
    expect(Math.max(...signs)).toBeLessThanOrEqual(1_000);
    expect(refused / calls).toBeLessThan(0.02);
    // As if all had ended together, in the budget of updates alone.
    expect(finalLags.at(-1)).toBeLessThanOrEqual((30 * slack.perMs) / slack.calls + 2_000);
  },
);

describe.each([5, 10])('E5: %i answers in one channel are as fresh as the goals ask', (count) => {
  test.each([
    { how: 'streamed', isStreamingAllowed: true },
    { how: 'edited', isStreamingAllowed: false },
  ])('when they are $how', async ({ isStreamingAllowed }) => {
    for (const seed of seeds) {
      const answers = Array.from({ length: count }, (_, index) =>
        sentAnswer({ ...steady, flowsS: 60 }, seed + index * 131, index * 2_000),
      );
      const workspace = { isStreamingAllowed };
      const { shown, calls, refused, problems } = await answersOnSlack({ answers, rooms: 1, workspace });
      const { lost, meanStaleness } = measures(shown);
      const best = (count * slack.perMs) / slack.calls / 2 + callMs / 2;
      expect({ lost, problems }).toEqual({ lost: 0, problems: [] });
      expect(meanStaleness / best).toBeLessThanOrEqual(1.1);
      // Where nothing streams each answer finds that out, and posts what it had not planned to.
      expect(refused).toBeLessThanOrEqual(isStreamingAllowed ? calls / 50 : count);
    }
  });
});

/**
 * E1 to E5: how fresh live text is under a platform's limit, in virtual time, so the same on every machine. Each round
 * takes other seeds. What no policy can be better than stands in `bounds`.
 */
import type { RateRule } from '../../src/ports/rate-budget.ts';
import { alone, bounds, discord, slack, together } from '../../test/support/pace/goals.ts';
import { type Measures, percentile } from '../../test/support/pace/measures.ts';
import { bucket, fixedWindow } from '../../test/support/pace/platforms.ts';
import type { Mode, Row } from '../harness.ts';

/** How a channel's five edits in five seconds are counted. */
const kinds = {
  window: () => fixedWindow(discord.calls, discord.perMs),
  bucket: () => bucket(discord.calls, discord.perMs),
} as const;
type Kind = keyof typeof kinds;

const seedsPerRound: Readonly<Record<Mode, number>> = { quick: 10, full: 40 };
const exact = {
  kind: 'exact',
  bound: 'max',
  warmUps: { quick: 0, full: 0 },
  rounds: { quick: 3, full: 5 },
} as const;

export const liveEdits: readonly Row[] = [
  ofOne('E1', 'window', 1.05, 'mean staleness of text / the least possible', freshness),
  ofOne('E1', 'bucket', 0.95, 'mean staleness of text / the least possible', freshness),
  ofOne('E2', 'window', 1.05, 'worst staleness of flowing text / the least possible', worst),
  ofOne('E2', 'bucket', 1.05, 'worst staleness of flowing text / the least possible', worst),
  ofOne('E3', 'window', 0, 'refused calls and lost final texts / turn', failures, '1'),
  ofOne('E3', 'bucket', 0, 'refused calls and lost final texts / turn', failures, '1'),
  ofOne('E4', 'window', 450, 'p95 from the end of the model to the visible final text / ms', finalLag),
  ofOne('E4', 'bucket', 200, 'p95 from the end of the model to the visible final text / ms', finalLag),
  ofMany(5),
  ofMany(10),
];

interface Figures {
  readonly product: number;
  readonly anchor: number;
}

function freshness({ meanStaleness }: Measures): Figures {
  return { product: meanStaleness, anchor: bounds(discord).mean };
}

function worst({ worstStaleness }: Measures): Figures {
  return { product: worstStaleness, anchor: bounds(discord).worst };
}

function failures({ refused, lost, finalLags }: Measures): Figures {
  return { product: refused + lost, anchor: finalLags.length };
}

function finalLag({ finalLags }: Measures): Figures {
  return { product: percentile(finalLags, 95), anchor: 1 };
}

function ofOne(
  id: string,
  kind: Kind,
  goal: number,
  metric: string,
  figures: (seen: Measures) => Figures,
  unit = 'ms',
): Row {
  const shown = `${metric}, one answer in a Discord channel, ${kind}; ${unit}`;
  return row(`${id}.${kind}`, shown, goal, async (seeds) =>
    figures(await alone({ rule: discord, place: kinds[kind], hasHeaders: true, seeds })),
  );
}

function ofMany(count: number): Row {
  const rule: RateRule = slack;
  const metric = `mean staleness of text / the least possible, ${count} answers in a Slack workspace; ms`;
  const shape = { tokensPerS: 50, flowsS: 60, hasPauses: false, orElseS: 2.5 };
  return row(`E5.${count}`, metric, 1.1, async (seeds) => {
    const place = () => fixedWindow(rule.calls, rule.perMs);
    const seen = await together({ rule, place, hasHeaders: false, seeds }, count, shape, 0);
    return { product: seen.meanStaleness, anchor: bounds(rule, count).mean };
  });
}

function row(
  id: string,
  metric: string,
  goal: number,
  measure: (seeds: readonly number[]) => Promise<Figures>,
): Row {
  return {
    ...exact,
    id,
    metric,
    goal,
    async open(mode) {
      const count = seedsPerRound[mode];
      const measured: Promise<Figures>[] = [];
      const next = (side: keyof Figures) => {
        let round = 0;
        return async () => {
          const first = round * count;
          const seeds = Array.from({ length: count }, (_, index) => first + index);
          const figures = await (measured[round] ??= measure(seeds));
          round += 1;
          return figures[side];
        };
      };
      return { product: next('product'), anchor: next('anchor'), close: async () => {} };
    },
  };
}

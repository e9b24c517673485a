/** The trials behind the goals of live edits: many answers, each alone on its place or several on one. */
import { localRateBudgets } from '../../../src/delivery/local-rate-budgets.ts';
import type { RateBudget, RateRule } from '../../../src/ports/rate-budget.ts';
import { chance } from '../chance.ts';
import { type AnswerShape, sentAnswer, shapes } from './answers.ts';
import { type Measures, measures } from './measures.ts';
import type { LimitedPlace } from './platforms.ts';
import { runAnswers, type ShownAnswer } from './run-answers.ts';

/** Five edits in five seconds in one channel; fifty in a minute in one workspace. */
export const discord: RateRule = { calls: 5, perMs: 5_000 };
export const slack: RateRule = { calls: 50, perMs: 60_000 };

/** From the call to its answer. Unit: milliseconds. */
export const callMs = 150;

/** What no policy can be better than, while text flows steadily: mean and worst staleness of `answers` on one budget. */
export function bounds(
  { calls, perMs }: RateRule,
  answers = 1,
): { readonly mean: number; readonly worst: number } {
  const everyMs = (answers * perMs) / calls;
  return { mean: everyMs / 2 + callMs / 2, worst: everyMs + callMs / 2 };
}

export interface Trial {
  readonly rule: RateRule;
  /** A fresh place; `seed` where chance plays a part. */
  readonly place: (seed: number) => LimitedPlace;
  readonly hasHeaders: boolean;
  readonly seeds: readonly number[];
  /** The longest that one way to the platform or back takes, the shortest being 40 ms. Absent: half of `callMs`, always. */
  readonly slowestWayMs?: number;
  /** A process is busy for up to this time before a call and after its answer. */
  readonly busyMs?: number;
  /** Absent: in this process. */
  readonly budget?: (now: () => number) => RateBudget | Promise<RateBudget>;
}

/** Every shape of answer with every seed, each on a fresh place. `orElseS`: as of `AnswerShape`. */
export async function alone(trial: Trial, orElseS = 0): Promise<Measures> {
  const shown: ShownAnswer[] = [];
  for (const [index, shape] of shapes.entries()) {
    for (const seed of trial.seeds) {
      const answer = sentAnswer({ ...shape, orElseS }, seed * 1_009 + index * 7_919);
      shown.push(...(await run(trial, seed, [answer])));
    }
  }
  return measures(shown);
}

/** `count` answers on one place, each begun `everyMs` after the one before, with every seed. */
export async function together(
  trial: Trial,
  count: number,
  shape: AnswerShape,
  everyMs: number,
): Promise<Measures> {
  const shown: ShownAnswer[] = [];
  for (const seed of trial.seeds) {
    const answers = Array.from({ length: count }, (_, index) =>
      sentAnswer(shape, seed * 1_009 + index * 131, index * everyMs),
    );
    shown.push(...(await run(trial, seed, answers)));
  }
  return measures(shown);
}

async function run(
  trial: Trial,
  seed: number,
  answers: Parameters<typeof runAnswers>[0]['answers'],
): Promise<readonly ShownAnswer[]> {
  const { upTo } = chance(seed);
  const { slowestWayMs, busyMs = 0 } = trial;
  const wayMs = () => (slowestWayMs === undefined ? callMs / 2 : 40 + upTo(slowestWayMs - 40));
  return runAnswers({
    answers,
    place: trial.place(seed),
    budget: trial.budget ?? ((now) => localBudget(trial.rule, now)),
    way: () => ({ thereMs: wayMs(), backMs: wayMs(), busyMs: busyMs === 0 ? 0 : upTo(busyMs) }),
    hasHeaders: trial.hasHeaders,
  });
}

function localBudget(rule: RateRule, now: () => number): RateBudget {
  return localRateBudgets({ now }).budget({ name: { surface: 'test', route: 'edit', scope: 'room' }, rule });
}

/**
 * Whatever goes wrong, people see the answer in the end: whole, once, its pages in order. Some hundred seeds; `TEST_FULL=1` runs 6,000.
 */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { faultRun } from '../support/delivery/fault-run.ts';
import { isFull } from '../support/flows/full.ts';

const runs = isFull ? 6_000 : 300;

test(`in ${runs} runs the surface ends with exactly one complete answer`, {
  timeout: 1_200_000,
}, async () => {
  const wrong: unknown[] = [];
  const total = { faults: 0, workers: 0 };
  for (let seed = 1; seed <= runs; seed++) {
    const { wanted, shown, wasClosed, violations, growing, provoked, faults, workers } = await faultRun(seed);
    total.faults += faults;
    total.workers += workers;
    const isRight = isDeepStrictEqual(
      wasClosed ? wanted.toSorted() : wanted,
      wasClosed ? shown.toSorted() : shown,
    );
    if (!isRight || violations.length > 0 || growing > 0 || provoked > 0)
      wrong.push({ seed, wanted, shown, violations, growing, provoked });
  }
  expect(wrong).toEqual([]);
  expect(total.faults).toBeGreaterThan(3 * runs);
  expect(total.workers).toBeGreaterThan(2 * runs);
});

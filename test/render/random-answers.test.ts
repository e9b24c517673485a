// Random Markdown in random pieces through random limits. `TEST_FULL=1`: 10,000 documents, half an hour of CPU.
import { expect, test } from 'vitest';
import { isFull } from '../support/flows/full.ts';
import { failuresOf } from './markdown/page-failures.ts';

const documents = isFull ? 10_000 : 120;

test(
  `${documents} random documents keep their text, code and markup on every page and at every moment`,
  () => {
    const failures: string[] = [];
    for (let seed = 1; seed <= documents; seed += 1) {
      for (const failure of failuresOf(seed)) failures.push(`${seed}: ${failure}`);
    }
    expect(failures).toEqual([]);
  },
  isFull ? 4 * 3_600_000 : 120_000,
);

/** One Docent on the fake Discord for the tests of a file: what it did wrong towards Discord fails the test that it did it in. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { Docent } from './docent.ts';

/** `begin` starts the gateways and workers that the tests need. */
export function docentForTests(begin: (docent: Docent) => Promise<unknown>): void {
  let docent: Docent;
  beforeAll(async () => {
    docent = await Docent.start();
    await begin(docent);
  });
  afterAll(() => docent.close());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(docent.output());
    const problems = await docent.problems();
    await docent.discord.forgetJournal();
    expect(problems).toEqual([]);
  });
}

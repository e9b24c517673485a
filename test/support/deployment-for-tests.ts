/** One deployment for the tests of a file: what it did wrong towards its platform fails the test that it did it in. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Deployment } from './deployment.ts';

/** `begin` starts the gateways and workers that the tests need. */
export function deploymentForTests<Docent extends Deployment>(
  start: () => Promise<Docent>,
  begin: (docent: Docent) => Promise<unknown>,
): void {
  let docent: Docent;
  beforeAll(async () => {
    docent = await start();
    await begin(docent);
  });
  afterAll(() => docent.close());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(docent.output());
    const problems = await docent.problems();
    await docent.forget();
    expect(problems).toEqual([]);
  });
}

/** One Docent on the fake Discord for the tests of a file. */
import { deploymentForTests } from '../deployment-for-tests.ts';
import { Docent } from './docent.ts';

export const docentForTests = (begin: (docent: Docent) => Promise<unknown>): void =>
  deploymentForTests(Docent.start, begin);

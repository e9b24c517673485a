import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkDispatchCase, type DispatchCase } from '../support/conformance/dispatch.ts';

const cases = JSON.parse(readFileSync('test/fixtures/vectors/dispatch.json', 'utf8')) as DispatchCase[];

test.each(cases.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
  expect(await checkDispatchCase(each)).toEqual([]);
});

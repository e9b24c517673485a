// The 461 conformance vectors, each on the product's own code.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { casesOf } from './support/conformance/formats.ts';

const folder = 'test/fixtures/vectors';

describe.each(readdirSync(folder))('%s', (name) => {
  const cases = casesOf(JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')));
  test.each(cases.map((each) => [each.title, each.check] as const))('%s', async (_title, check) => {
    expect(await check()).toEqual([]);
  });
});

test('all of them are here', () => {
  const all = readdirSync(folder).flatMap((name) =>
    casesOf(JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'))),
  );
  expect(all).toHaveLength(461);
});

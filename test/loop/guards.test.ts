import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkGuardCase } from '../support/conformance/guards.ts';
import type { GuardCase } from '../support/conformance/guard-case.ts';

const file = JSON.parse(readFileSync('test/fixtures/vectors/guards.json', 'utf8')) as {
  defaults: GuardCase['config'];
  cases: GuardCase[];
};

test.each(file.cases.map((each) => [each.id, each.about, each] as const))(
  '%s %s',
  async (_id, _about, each) => {
    expect(await checkGuardCase({ ...each, config: { ...file.defaults, ...each.config } })).toEqual([]);
  },
);

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type ComposeInput, composeTools, toolsFor } from '../../src/tools/compose-tools.ts';
import { defineTool } from '../../src/tools/define-tool.ts';

const nothing: ComposeInput = {
  toggles: null,
  optional: ['web_search', 'reason'],
  unregistered: [],
  flags: {},
  owned: [],
  exclusive: false,
  builtinWhitelist: null,
  forced: [],
  suppressed: [],
};

test('chosen, conditional, owned and always-on tools stand in that order', () => {
  const input = { ...nothing, toggles: ['reason'], flags: { has_kb: true }, owned: ['solve_plan'] };
  expect(composeTools(input)).toEqual([
    'reason',
    'rag',
    'kb_files',
    'solve_plan',
    'write_memory',
    'web_fetch',
    'github',
    'ask_user',
    'cron',
  ]);
});

function broken(): boolean {
  throw new Error('store away');
}

test('a check that throws counts as no, and the others are still asked', () => {
  const names = composeTools({
    ...nothing,
    flags: { has_memory: broken, has_code: () => true, has_exec: 'error' },
  });
  expect(names).toEqual(['code_execution', 'write_memory', 'web_fetch', 'github', 'ask_user', 'cron']);
});

test('a composed name without an implementation is not sent to the model', () => {
  const askUser = defineTool({
    name: 'ask_user',
    description: 'Asks.',
    args: z.object({}),
    mode: 'exclusive',
    effect: 'none',
    run: async () => ({ kind: 'text', text: '' }),
  });
  const tools = toolsFor(composeTools(nothing), new Map([['ask_user', askUser]]));
  expect(tools).toEqual([askUser]);
});

interface ComposeCase extends Omit<ComposeInput, 'builtinWhitelist'> {
  readonly name: string;
  readonly builtin_whitelist: readonly string[] | null;
  readonly expected: readonly string[];
}

const cases: readonly ComposeCase[] = JSON.parse(readFileSync('test/fixtures/vectors/compose.json', 'utf8'));

test('all 47 composition cases are here', () => expect(cases).toHaveLength(47));

test.each(cases.map((each) => [each.name, each] as const))('composes as the case says: %s', (_name, each) => {
  expect(composeTools({ ...each, builtinWhitelist: each.builtin_whitelist })).toEqual(each.expected);
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { missingArguments, parseArguments } from '../../src/domain/arguments.ts';

test('arguments are one complete JSON object', () => {
  expect(parseArguments('{"query":"tides","k":3}')).toEqual({ query: 'tides', k: 3 });
});

test('empty text means no arguments', () => {
  expect(parseArguments('')).toEqual({});
  expect(parseArguments(' \n\t\u0085\u3000')).toEqual({});
});

test.each([
  ['a list', '["x"]'],
  ['a number', '3'],
  ['null', 'null'],
  ['a text', '"{}"'],
  ['prose', 'tides please'],
  ['cut off', '{"query":"ti'],
  ['fenced', '```json\n{}\n```'],
  ['followed by prose', '{} that is all'],
  ['two objects', '{}{}'],
  ['a trailing comma', '{"a":1,}'],
])('%s is not repaired into arguments', (_what, raw) => {
  expect(parseArguments(raw)).toBeUndefined();
});

describe('missing arguments', () => {
  test('absent, null and blank text are missing, in the order of the requirement', () => {
    const args = { b: null, c: '  \n', d: 'x' };
    expect(missingArguments(args, ['d', 'c', 'b', 'a'])).toEqual(['c', 'b', 'a']);
  });

  test('empty lists, empty objects, zero and false are present', () => {
    expect(missingArguments({ a: [], b: {}, c: 0, d: false }, ['a', 'b', 'c', 'd'])).toEqual([]);
  });

  test('names that every object inherits are not taken for arguments', () => {
    expect(missingArguments({}, ['toString', 'constructor'])).toEqual(['toString', 'constructor']);
  });
});

interface DispatchCase {
  readonly name: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly tools: Readonly<Record<string, { readonly required?: readonly string[] }>>;
  readonly expected: { readonly results: readonly { readonly id: string; readonly status: string }[] };
}

const cases: readonly DispatchCase[] = JSON.parse(
  readFileSync('test/fixtures/vectors/dispatch.json', 'utf8'),
);

test.each(cases.map((each) => [each.name, each] as const))(
  'refuses what the dispatch case refuses: %s',
  (_name, each) => {
    for (const [index, call] of each.calls.entries()) {
      const status = each.expected.results[index]?.status;
      if (status !== 'bad_args' && status !== 'ok') continue;
      const args = parseArguments(call.arguments);
      const refused =
        args === undefined || missingArguments(args, each.tools[call.name]?.required ?? []).length > 0;
      expect([call.id, refused]).toEqual([call.id, status === 'bad_args']);
    }
  },
);

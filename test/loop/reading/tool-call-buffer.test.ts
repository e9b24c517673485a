import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CallFragment, ToolCallBuffer } from '../../../src/loop/reading/tool-call-buffer.ts';
import { cutsOf } from './random-cuts.ts';

function join(...fragments: CallFragment[]) {
  const buffer = new ToolCallBuffer();
  for (const fragment of fragments) buffer.add(fragment);
  return buffer.calls().map(({ id, name, args }) => `${id}|${name}|${args}`);
}

test('the usual stream: id and name first, arguments in pieces', () => {
  expect(
    join(
      { index: 0, id: 'a', name: 'search', args: '' },
      { index: 0, args: '{"q":' },
      { index: 0, args: '"tides"}' },
      { index: 1, id: 'b', name: 'note', args: '{}' },
    ),
  ).toEqual(['a|search|{"q":"tides"}', 'b|note|{}']);
});

describe('one call', () => {
  test.each<[string, CallFragment[], string]>([
    [
      'the name comes again with every piece',
      [
        { index: 0, id: 'a', name: 'search', args: '{"q":' },
        { index: 0, name: 'search', args: '"x"' },
        { index: 0, name: 'search', args: '}' },
        { index: 0, name: 'search', args: '' },
      ],
      'a|search|{"q":"x"}',
    ],
    [
      'the id comes again with every piece',
      [
        { index: 0, id: 'a', name: 'search', args: '{' },
        { index: 0, id: 'a', args: '}' },
        { index: 0, id: 'a' },
      ],
      'a|search|{}',
    ],
    [
      'the name comes in pieces',
      [
        { index: 0, id: 'a', name: 'web_' },
        { index: 0, name: 'search' },
        { index: 0, args: '{}' },
      ],
      'a|web_search|{}',
    ],
    [
      'the id comes late',
      [
        { index: 0, name: 'search' },
        { index: 0, id: 'a', args: '{}' },
      ],
      'a|search|{}',
    ],
    [
      'the name comes last',
      [
        { index: 0, id: 'a', args: '{"q":1}' },
        { index: 0, name: 'search' },
      ],
      'a|search|{"q":1}',
    ],
    ['the name never comes', [{ index: 0, id: 'a', args: '{}' }], 'a||{}'],
    ['the id never comes', [{ index: 0, name: 'search', args: '{}' }], '|search|{}'],
    ['neither index nor id', [{ name: 'search' }, { args: '{' }, { args: '}' }], '|search|{}'],
    [
      'the index is null, then a number',
      [
        { index: null, id: 'a', name: 'search' },
        { index: 0, args: '{}' },
      ],
      'a|search|{}',
    ],
    [
      'the index is a number, then null',
      [
        { index: 0, id: 'a', name: 'search' },
        { index: null, args: '{' },
        { index: 0, args: '}' },
      ],
      'a|search|{}',
    ],
    [
      'brackets and quotes inside a text do not end the arguments',
      [
        { id: 'a', name: 'note', args: '{"t":"}\\"}"' },
        { name: 'note', args: ',"u":[1]}' },
      ],
      'a|note|{"t":"}\\"}","u":[1]}',
    ],
  ])('%s', (_, fragments, call) => {
    expect(join(...fragments)).toEqual([call]);
  });
});

describe('two calls', () => {
  test.each<[string, CallFragment[], string[]]>([
    [
      'share an index',
      [
        { index: 0, id: 'a', name: 'search', args: '{"q":1' },
        { index: 0, id: 'b', name: 'search', args: '{"q":2' },
        { index: 0, id: 'a', args: '}' },
        { index: 0, id: 'b', args: '}' },
      ],
      ['a|search|{"q":1}', 'b|search|{"q":2}'],
    ],
    [
      'share an index and have no ids',
      [
        { index: 0, name: 'search', args: '{"q":1}' },
        { index: 0, name: 'search', args: '{"q":2}' },
        { index: 0, name: 'note' },
        { index: 0, args: '{}' },
      ],
      ['|search|{"q":1}', '|search|{"q":2}', '|note|{}'],
    ],
    [
      'share an id at two indexes',
      [
        { index: 0, id: 'a', name: 'search', args: '{' },
        { index: 1, id: 'a', name: 'search', args: '{' },
        { index: 0, args: '1}' },
        { index: 1, args: '2}' },
      ],
      ['a|search|{1}', 'a|search|{2}'],
    ],
    [
      'have an index each, which is left out later',
      [
        { index: 0, id: 'a', name: 'search', args: '{' },
        { index: 1, id: 'b', name: 'note', args: '{' },
        { id: 'a', args: '1}' },
        { id: 'b', args: '2}' },
      ],
      ['a|search|{1}', 'b|note|{2}'],
    ],
    [
      'have no index, only ids',
      [
        { id: 'a', name: 'search', args: '{' },
        { id: 'b', name: 'note', args: '{' },
        { id: 'a', args: '}' },
        { id: 'b', args: '}' },
      ],
      ['a|search|{}', 'b|note|{}'],
    ],
    [
      'have neither index nor id, and come whole',
      [
        { name: 'search', args: '{"q":1}' },
        { name: 'search', args: '{"q":1}' },
      ],
      ['|search|{"q":1}', '|search|{"q":1}'],
    ],
    [
      'have the index null and a number',
      [
        { index: 0, id: 'a', name: 'search', args: '{}' },
        { index: null, id: 'b', name: 'note', args: '{' },
        { index: null, args: '}' },
      ],
      ['a|search|{}', 'b|note|{}'],
    ],
    [
      'the second brings the first id',
      [
        { index: 0, name: 'search' },
        { index: 0, id: 'b', name: 'note' },
      ],
      ['|search|', 'b|note|'],
    ],
  ])('%s', (_, fragments, calls) => {
    expect(join(...fragments)).toEqual(calls);
  });
});

test('calls come by index, and those without one behind the call before them', () => {
  expect(
    join(
      { index: 2, id: 'c', name: 'x' },
      { index: 0, id: 'a', name: 'x' },
      { index: null, id: 'n', name: 'x' },
      { index: 1, id: 'b', name: 'x' },
    ),
  ).toEqual(['a|x|', 'n|x|', 'b|x|', 'c|x|']);
});

test('a fragment that holds nothing begins no call', () => {
  expect(join({ index: 0 }, { index: 0, id: '', name: '', args: '' }, {})).toEqual([]);
});

test('arguments cut anywhere are joined as they were, with the name sent again or not', () => {
  const args = fc.oneof(fc.json(), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(cutsOf(args), fc.boolean(), ({ text, chunks }, isNameRepeated) => {
      const rest = chunks.map((part) => ({
        index: 0,
        args: part,
        // A name with more arguments after complete ones would begin another call.
        name: isNameRepeated && !/^[[{]/.test(text.trim()) ? 'search' : undefined,
      }));
      expect(join({ index: 0, id: 'a', name: 'search' }, ...rest)).toEqual([`a|search|${text}`]);
    }),
  );
});

test('a million fragments of one character are joined, although each brings id and name again', () => {
  const buffer = new ToolCallBuffer();
  const args = `{"text":"${'x'.repeat(1_000_000)}"}`;
  for (const char of args) buffer.add({ index: 0, id: 'a', name: 'note', args: char });
  expect(buffer.calls()).toEqual([{ id: 'a', name: 'note', args }]);
});

import { describe, expect, test } from 'vitest';
import { argumentJson, declaredTypes } from '../../../src/loop/reading/text-tool-values.ts';

describe('types in a JSON schema', () => {
  test.each([
    [{ type: 'integer' }, ['integer']],
    [{ type: ['string', 'null'] }, ['string', 'null']],
    [{ anyOf: [{ type: 'string' }, { type: 'array' }, { type: 'string' }] }, ['string', 'array']],
    [{ oneOf: [{ type: 'number' }, { allOf: [{ type: 'boolean' }] }] }, ['number', 'boolean']],
    [{ properties: { a: {} } }, ['object']],
    [{ items: { type: 'string' } }, ['array']],
    [{ prefixItems: [] }, ['array']],
    [{ description: 'anything' }, undefined],
    [true, undefined],
    [{ type: 5, anyOf: 'x' }, undefined],
  ])('%j', (schema, types) => {
    const parameters = { type: 'object', properties: { p: schema } };
    const declared = declaredTypes([{ name: 'tool', description: '', parameters }]);
    expect(declared.get('tool')?.get('p')).toEqual(types);
  });

  test('a tool without parameters declares nothing', () => {
    const declared = declaredTypes([{ name: 'tool', description: '', parameters: {} }]);
    expect(declared).toEqual(new Map([['tool', new Map()]]));
  });
});

describe('values', () => {
  test.each([
    ['5', ['integer'], true, '5'],
    ['5.0', ['integer'], true, '5.0'],
    ['5.5', ['integer'], true, '"5.5"'],
    ['5.5', ['integer'], false, '5.5'],
    ['5', ['number'], true, '5'],
    [' 5 ', ['integer'], true, ' 5 '],
    ['true', ['boolean'], true, 'true'],
    ['null', ['string', 'null'], true, '"null"'],
    ['null', ['string', 'null'], false, 'null'],
    ['5', ['string', 'integer'], true, '"5"'],
    ['5', ['string', 'integer'], false, '5'],
    ['5', ['string'], false, '"5"'],
    ['[1]', ['string', 'array'], true, '[1]'],
    ['[1]', ['string'], false, '"[1]"'],
    ['"a"', [], false, '"a"'],
    ['"a"', ['string'], false, '"\\"a\\""'],
    ['a\n', [], false, '"a\\n"'],
    ['', [], false, '""'],
    ['\ud800', [], false, '"\\ud800"'],
    ['1e999', ['number'], false, '1e999'],
  ])('%j declared as %j, marked as text: %j → %s', (text, types, marked, json) => {
    expect(argumentJson(text, types, marked)).toBe(json);
  });
});

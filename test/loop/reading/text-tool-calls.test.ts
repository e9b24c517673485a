import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextToolCalls } from '../../../src/loop/reading/text-tool-calls.ts';
import cases from '../../fixtures/vectors/dsml.json' with { type: 'json' };
import { cutsOf } from './random-cuts.ts';
import { charactersRead } from './work-counter.ts';

const call = (query: string, tool = 'search') =>
  `<｜DSML｜invoke name="${tool}"><｜DSML｜parameter name="query">${query}</｜DSML｜parameter></｜DSML｜invoke>`;
const search = (query: string) => ({ name: 'search', args: JSON.stringify({ query }) });

function read(chunks: readonly string[], knownTools?: readonly string[]) {
  const reader = new TextToolCalls(new Map(), knownTools && { knownTools: new Set(knownTools) });
  const shown = chunks.map((chunk) => reader.feed(chunk)).join('');
  const { text, calls } = reader.end();
  return { text: shown + text, calls };
}

/** What the text says, which is the same in one piece and character by character. */
function readAnyhow(text: string, knownTools?: readonly string[]) {
  const whole = read([text], knownTools);
  expect(read(text.split(''), knownTools)).toEqual(whole);
  return whole;
}

const inOne = (text: string) => [text];
const byCharacter = (text: string) => text.split('');

test('text flows around a call, which comes out at the end', () => {
  const reader = new TextToolCalls(new Map());
  expect(reader.feed('Since 2 < 3, let me look. <｜DS')).toBe('Since 2 < 3, let me look. ');
  expect(reader.feed('ML｜tool_calls>\n<invoke name="search"><parameter name="query">ti')).toBe('');
  expect(reader.feed('des</parameter></invoke>')).toBe('\n');
  expect(reader.feed('</｜DSML｜tool_calls> One moment')).toBe(' One moment');
  expect(reader.feed('.')).toBe('.');
  expect(reader.end()).toEqual({ text: '', calls: [search('tides')] });
});

describe('what may be a tag is held, and nothing else', () => {
  test.each([
    ['a <', 'a '],
    ['a < 5', 'a '],
    ['a < 5 k', 'a < 5 k'],
    ['a < b, k', 'a < b, k'],
    ['a < in', 'a '],
    ['a < in the', 'a < in the'],
    ['a <b>', 'a <b>'],
    ['a </', 'a '],
    ['a </ invok', 'a '],
    ['a <｜DSML｜ calls', 'a '],
    ['a <invoke name="x', 'a '],
    ['a <br/', 'a <br/'],
    ['若 a<b则很长的中文句子也没有空格', '若 a'],
    [`若 a<${'则'.repeat(47)}`, `若 a<${'则'.repeat(47)}`],
  ])('of %j %j is shown', (text, shown) => {
    expect(new TextToolCalls(new Map()).feed(text)).toBe(shown);
  });
});

test('a tag that grows too long is released', () => {
  const reader = new TextToolCalls(new Map());
  const start = `<invoke name="${'x'.repeat(497)}`;
  expect(reader.feed(start)).toBe('');
  expect(reader.feed('x')).toBe(`${start}x`);
});

describe('forms that models write', () => {
  test.each([
    ['blanks before the word', '<｜｜DSML｜｜ invoke name="search">{"query":"a"}</｜｜DSML｜｜ invoke>'],
    [
      'the wrapper is named calls',
      '<｜DSML｜ calls><invoke name="search">{"query":"a"}</invoke></｜DSML｜ calls>',
    ],
    ['a namespace', '<x:function_calls><x:invoke name="search">{"query":"a"}</x:invoke></x:function_calls>'],
    [
      'line breaks inside tags',
      '<invoke\n  name="search"\n><parameter\nname="query">a</parameter\n></invoke >',
    ],
    ['blanks around the equals sign', '<invoke name = "search" >{"query":"a"}</invoke>'],
    ['other attributes', '<invoke id="name" filename="x" name="search">{"query":"a"}</invoke>'],
  ])('%s', (_, text) => {
    expect(readAnyhow(text)).toEqual({
      text: '',
      calls: [
        {
          name: 'search',
          args: text.includes('parameter') ? JSON.stringify({ query: 'a' }) : '{"query":"a"}',
        },
      ],
    });
  });

  test('a word that only ends in calls is no wrapper', () => {
    expect(readAnyhow(`<phonecalls>${call('a')}</calls>`)).toEqual({
      text: '<phonecalls></calls>',
      calls: [search('a')],
    });
  });
});

describe('arguments', () => {
  test('long numbers keep their digits', () => {
    const text = '<invoke name="x"><parameter name="id">12345678901234567890</parameter></invoke>';
    expect(readAnyhow(text)).toEqual({
      text: '',
      calls: [{ name: 'x', args: '{"id":12345678901234567890}' }],
    });
  });

  test('the last of two equal parameters counts, and any name is only a name', () => {
    const text =
      '<invoke name="x"><parameter name="__proto__">1</parameter><parameter name="a">2</parameter><parameter name="__proto__">3</parameter></invoke>';
    expect(readAnyhow(text)).toEqual({ text: '', calls: [{ name: 'x', args: '{"__proto__":3,"a":2}' }] });
  });

  test('a broken object is passed on, to be refused, instead of run as no arguments', () => {
    expect(readAnyhow('<invoke name="x">{"query": "ti</invoke>')).toEqual({
      text: '',
      calls: [{ name: 'x', args: '{"query": "ti' }],
    });
  });

  test('words in place of arguments are no arguments', () => {
    expect(readAnyhow('<invoke name="x">now!</invoke>')).toEqual({
      text: '',
      calls: [{ name: 'x', args: '{}' }],
    });
  });

  test('a parameter without a name, or without an end, is none', () => {
    expect(readAnyhow('<invoke name="x"><parameter>1</parameter><parameter name="a">2</invoke>')).toEqual({
      text: '',
      calls: [{ name: 'x', args: '{}' }],
    });
  });
});

describe('what stays text', () => {
  test.each([
    ['a call that never closes', 'Try <invoke name="search"><parameter name="query">x</parameter> and wait'],
    ['a call that never closes, in a wrapper', '<tool_calls><invoke name="search"></tool_calls>'],
    ['a call in fenced code', `Like this:\n\`\`\`xml\n${call('x')}\n\`\`\`\nok`],
    ['a call in a tilde fence', `~~~\n${call('x')}\n~~~`],
    ['a call in the words after a tilde fence', `~~~ ${call('x')}`],
    ['a call in an indented fence', `- so:\n    \`\`\`\n    ${call('x')}\n    \`\`\``],
    ['a call in a fence inside a list item or quote', `> \`\`\`\n> ${call('x')}\n> \`\`\``],
    ['a call in a fence that never closes', `\`\`\`\n${call('x')}`],
    ['a call in a fence that shorter marks do not close', `\`\`\`\`\n\`\`\`\n${call('x')}`],
    ['a call in inline code', `Write \`${call('x')}\` to call.`],
    ['a call in inline code with two backticks', `Write \`\` ${call('x')} \`\` to call.`],
    ['a wrapped call in inline code over lines', `\`<tool_calls>\n${call('x')}\n</tool_calls>\``],
    ['a wrapper alone', 'The tag <tool_calls> opens, </tool_calls> closes.'],
    ['closing tags alone', 'a </invoke> b </parameter> c'],
    ['a tag without a name', '<invoke>{"a":1}</invoke> <invoke id="x"></invoke>'],
    ['one with too many marks', `<${'|'.repeat(33)}invoke name="search"></invoke>`],
  ])('%s', (_, text) => {
    expect(readAnyhow(text)).toEqual({ text, calls: [] });
  });

  test('calls of tools that do not exist, with their wrapper', () => {
    const text = `<tool_calls>${call('x', 'launch')}</tool_calls>`;
    expect(readAnyhow(text, ['search'])).toEqual({ text, calls: [] });
    expect(readAnyhow(`${call('x', 'launch')}${call('y')}`, ['search'])).toEqual({
      text: call('x', 'launch'),
      calls: [search('y')],
    });
  });
});

describe('code and calls', () => {
  test('after the code a call is a call', () => {
    expect(readAnyhow(`\`\`\`\n${call('x')}\n\`\`\`\n${call('y')}`)).toEqual({
      text: `\`\`\`\n${call('x')}\n\`\`\`\n`,
      calls: [search('y')],
    });
    expect(readAnyhow(`\`${call('x')}\` ${call('y')}`)).toEqual({
      text: `\`${call('x')}\` `,
      calls: [search('y')],
    });
  });

  test('a label in backticks and code inside a value open nothing', () => {
    expect(readAnyhow(`\`\`TOOL\`\`\n${call('```\n`x')}${call('y')}`)).toEqual({
      text: '``TOOL``\n',
      calls: [search('```\n`x'), search('y')],
    });
  });

  test('a stray backtick opens code up to the next blank line at most', () => {
    expect(readAnyhow(`f\`(x)\n\n${call('x')}`)).toEqual({ text: 'f`(x)\n\n', calls: [search('x')] });
  });

  test('an unclosed call before quoted ones does not make them calls', () => {
    const text = `Use <invoke name="search"> like this:\n\`\`\`\n${call('x')}\n\`\`\``;
    expect(readAnyhow(text)).toEqual({ text, calls: [] });
  });
});

test('a call without an end does not take the parameters of the next one', () => {
  const lost = '<invoke name="search"><parameter name="query">a</parameter> ';
  expect(readAnyhow(lost + call('b'))).toEqual({ text: lost, calls: [search('b')] });
  const unknown = '<invoke name="launch"><parameter name="query">b</parameter></invoke>';
  expect(readAnyhow(lost + unknown, ['search'])).toEqual({ text: lost + unknown, calls: [] });
});

test('a call quoted in the value of another one is not run', () => {
  const { calls } = read([`<invoke name="note"><parameter name="text">see ${call('x', 'launch')}`]);
  expect(calls.map(({ name }) => name)).toEqual(['note']);
});

test('wrapper tags go as soon as a call is found, also those that came earlier', () => {
  expect(readAnyhow(`<tool_calls>so: </tool_calls>${call('x')}<tool_calls>!`)).toEqual({
    text: 'so: !',
    calls: [search('x')],
  });
});

describe('dsml.json', () => {
  test.each(cases)('$name', ({ chunks, params, expected }) => {
    const declared: Record<string, Record<string, string | string[]>> = params;
    const types = new Map(
      Object.entries(declared).map(([tool, parameters]) => [
        tool,
        new Map(Object.entries(parameters).map(([name, type]) => [name, [type].flat()])),
      ]),
    );
    for (const feed of [chunks, chunks.join('').split('')]) {
      const reader = new TextToolCalls(types);
      const shown = feed.map((chunk) => reader.feed(chunk)).join('');
      const { text, calls } = reader.end();
      expect({
        calls: calls.map(({ name, args }) => ({ name, arguments: JSON.parse(args) })),
        text: (shown + text).replaceAll(/\s+/g, ' ').trim(),
      }).toEqual(expected);
    }
  });
});

const markup = fc.constantFrom(
  '<tool_calls>',
  '</｜DSML｜tool_calls>',
  '<｜DSML｜invoke name="search">',
  "<invoke name='launch'>",
  '</｜DSML｜ invoke>',
  '<parameter name="query">',
  '<parameter name="n" string="true">',
  '</parameter>',
  '<invoke',
  ' name="x"',
  '>',
  '<',
  '</',
  '{"a":1}',
  '`',
  '```',
  '\n```\n',
  '\n~~~\n',
  '\n\n',
  ' ',
  'tides',
  '5',
  '😀',
);
const hostile = fc.array(markup, { maxLength: 16 }).map((parts) => parts.join(''));

test('any cut of the stream gives the same text and calls', () => {
  fc.assert(
    fc.property(cutsOf(hostile), ({ text, chunks }) => {
      expect(read(chunks, ['search', 'x'])).toEqual(read([text], ['search', 'x']));
    }),
    { numRuns: 3000 },
  );
});

test('without a call every character is given back; every call has an object of JSON or a broken one', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const { text: shown, calls } = read([text]);
      expect(calls.length === 0 ? shown : text).toBe(text);
      for (const { args } of calls) expect(args).toMatch(/^\{/);
    }),
    { numRuns: 2000 },
  );
});

describe('work grows with the text, not with its square', () => {
  test.each([
    ['less-than signs', '<', inOne],
    ['less-than signs, one by one', '<', byCharacter],
    ['unclosed calls', '<invoke name="x">', inOne],
    ['unclosed calls, one by one', '<invoke name="x">', byCharacter],
    ['unclosed parameters in unclosed calls', '<invoke name="x"><parameter name="q">', inOne],
    ['wrapper tags', '<tool_calls>', byCharacter],
    ['starts of tags, one by one', '<invoke name=', byCharacter],
    ['blanks after a sign', `<${' '.repeat(99)}`, byCharacter],
    ['one long line of code', '` <invoke name="x"> ', inOne],
    ['open fences', '```\n', byCharacter],
    ['backticks', '`', byCharacter],
  ])('%s', (_, unit, cut) => {
    const workFor = (length: number) => {
      const chunks = cut(unit.repeat(length / unit.length));
      return charactersRead(() => read(chunks));
    };
    expect(workFor(40_000) / workFor(20_000)).toBeLessThan(2.1);
  });

  test('a value of 100,000 characters that arrives one by one is read a few times, not held and read again', () => {
    const chunks = call('x'.repeat(100_000)).split('');
    expect(charactersRead(() => read(chunks))).toBeLessThan(5 * chunks.length);
  });

  test('text without a less-than sign is looked at twice: for the sign and for code', () => {
    const reader = new TextToolCalls(new Map());
    expect(charactersRead(() => reader.feed('word '.repeat(1000)))).toBeLessThanOrEqual(2 * 5000);
  });
});

import { describe, expect, test } from 'vitest';
import { chatMessages, type MessageForm } from '../../src/model/chat-messages.ts';
import { cleanText } from '../../src/model/clean-text.ts';
import { checkMessages } from '../support/llm/check-messages.ts';
import { assistant, person, result } from './setup.ts';

const form: MessageForm = {
  model: 'm',
  toolsAsText: false,
  systemSuffix: '',
  images: true,
  reasoning: true,
  systemRole: true,
  rolesInTurn: false,
};

test('a round of calls keeps its order: message, results, then what came later', () => {
  expect(
    chatMessages(
      [
        { role: 'system', content: 'You teach.' },
        person('tides?'),
        assistant('``TOOL``\nlooking', ['a', 'search', '{"query":"tides"}'], ['b', 'calc', '']),
        result('a', 'moon'),
        result('b', ''),
        person('and?'),
      ],
      form,
    ),
  ).toEqual([
    { role: 'system', content: 'You teach.' },
    { role: 'user', content: 'tides?' },
    {
      role: 'assistant',
      content: '``TOOL``\nlooking',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'search', arguments: '{"query":"tides"}' } },
        { id: 'b', type: 'function', function: { name: 'calc', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: 'moon' },
    { role: 'tool', tool_call_id: 'b', content: '(empty)' },
    { role: 'user', content: 'and?' },
  ]);
});

test.each([
  ['{"a":1}', '{"a":1}'],
  [' {"a": "\\ud83d"} ', ' {"a": "\\ud83d"} '],
  ['', '{}'],
  ['{"a":', '{}'],
  ['[1]', '{}'],
  ['null', '{}'],
  ['"text"', '{}'],
  ['{"a":"x\u0000"}', '{"a":"x"}'],
])('arguments %j are sent as %j', (args, sent) => {
  const [, message] = chatMessages([person('?'), assistant('', ['a', 't', args]), result('a', 'x')], form);
  expect(message).toMatchObject({ content: null, tool_calls: [{ function: { arguments: sent } }] });
});

test.each([
  ['search', 'search'],
  ['', 'unnamed'],
  ['functions.search tool', 'functions_search_tool'],
  ['搜索', '__'],
  ['x'.repeat(70), 'x'.repeat(64)],
])('a call named %j is sent as %j', (name, sent) => {
  const [, message] = chatMessages([person('?'), assistant('', ['a', name, '{}'])], form);
  expect(message).toMatchObject({ tool_calls: [{ function: { name: sent } }] });
});

test('an assistant message with nothing in it is left out', () => {
  expect(chatMessages([person('a'), assistant(''), person('b')], form)).toEqual([
    { role: 'user', content: 'a' },
    { role: 'user', content: 'b' },
  ]);
});

test.each([
  ['an assistant message', [person('a'), assistant('half an ans')]],
  ['a system message', [{ role: 'system' as const, content: 'be good' }]],
  ['nothing', []],
])('a request that would end with %s ends with a line to go on', (_name, messages) => {
  const sent = chatMessages(messages, form);
  expect(sent.at(-1)).toEqual({ role: 'user', content: 'Go on.' });
  expect(checkMessages(sent, false)).toBeUndefined();
});

test('text parts alone go as one text, pictures as parts; an empty message says so', () => {
  const user = (...content: { type: 'text'; text: string }[]) => ({
    role: 'user' as const,
    content,
    source: 'person' as const,
  });
  expect(
    chatMessages(
      [
        user({ type: 'text', text: 'a' }, { type: 'text', text: '' }, { type: 'text', text: 'b' }),
        user(),
        person(''),
        { role: 'user', content: [{ type: 'image', url: 'https://x.test/a.png' }], source: 'person' },
      ],
      form,
    ).map((message) => message.content),
  ).toEqual([
    'a\nb',
    '(empty message)',
    '(empty message)',
    [{ type: 'image_url', image_url: { url: 'https://x.test/a.png' } }],
  ]);
});

describe('text is made acceptable', () => {
  test.each([
    ['plain\ttext\nwith 👩‍🏫', 'plain\ttext\nwith 👩‍🏫'],
    ['nul\u0000 bell\u0007 esc\u001b[1m del\u007f c1\u0085', 'nul bell esc[1m del c1'],
    ['windows\r\nold mac\rend', 'windows\nold mac\nend'],
    ['half \ud83d pair', 'half \ufffd pair'],
    ['\udc69 other half', '\ufffd other half'],
    ['\ud83d\ud83d\udc69', '\ufffd👩'],
    ['', ''],
  ])('%j → %j', (text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  test('everywhere in a request', () => {
    const odd = 'a\u0000\ud800';
    const sent = chatMessages(
      [
        { role: 'system', content: odd },
        person(odd),
        assistant(odd, ['a', 't', `{"x":"${odd}"}`]),
        result('a', odd),
      ],
      form,
    );
    expect(JSON.stringify(sent)).not.toMatch(/\\u0000|\\ud800/);
    expect(checkMessages(sent, false)).toBeUndefined();
  });

  test('of 200,000 characters in linear time', () => {
    const text = '\ud800\u0001x'.repeat(70_000);
    expect(cleanText(text)).toBe('\ufffdx'.repeat(70_000));
  });
});

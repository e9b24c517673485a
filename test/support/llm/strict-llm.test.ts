import { describe, expect, test } from 'vitest';
import { checkRequest } from './check-request.ts';
import { call, say } from './reply.ts';
import { startStrictLlm } from './strict-llm.ts';

const user = { role: 'user', content: 'hi' };
const tool = (name: string, parameters: unknown = { type: 'object', properties: {} }) => ({
  type: 'function',
  function: { name, description: 'd', parameters },
});
const calling = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 't', arguments: '{}' } })),
});
const answer = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'x' });

describe('the strict service refuses', () => {
  test.each<[string, object]>([
    ['no messages', { messages: [] }],
    ['an unknown parameter', { colour: 'red' }],
    ['a null parameter', { temperature: null }],
    ['a role it does not know', { messages: [{ role: 'bot', content: 'x' }] }],
    ['a field it does not know', { messages: [{ ...user, source: 'person' }] }],
    [
      'reasoning it never sent',
      { messages: [user, { role: 'assistant', content: 'x', reasoning_content: 'y' }] },
    ],
    ['an empty user message', { messages: [{ role: 'user', content: '' }] }],
    ['a user message without parts', { messages: [{ role: 'user', content: [] }] }],
    ['an assistant message with nothing in it', { messages: [user, { role: 'assistant', content: null }] }],
    ['an empty list of calls', { messages: [user, { role: 'assistant', content: 'x', tool_calls: [] }] }],
    ['a call without an answer', { messages: [user, calling('a')] }],
    ['a call answered too late', { messages: [user, calling('a'), user, answer('a')] }],
    ['one of two calls unanswered', { messages: [user, calling('a', 'b'), answer('a'), user] }],
    ['answers out of order', { messages: [user, calling('a', 'b'), answer('b'), answer('a')] }],
    ['an answer too many', { messages: [user, calling('a'), answer('a'), answer('a')] }],
    ['an answer before its call', { messages: [user, answer('a'), calling('a')] }],
    ['one id twice in a message', { messages: [user, calling('a', 'a'), answer('a'), answer('a')] }],
    [
      'one id twice in a conversation',
      { messages: [user, calling('a'), answer('a'), calling('a'), answer('a')] },
    ],
    ['an empty id', { messages: [user, calling(''), answer('')] }],
    ['an answer of null', { messages: [user, calling('a'), { ...answer('a'), content: null }] }],
    [
      'arguments that are no JSON object',
      {
        messages: [
          user,
          {
            role: 'assistant',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 't', arguments: '{"a":' } }],
          },
          answer('a'),
        ],
      },
    ],
    ['an empty list of tools', { tools: [] }],
    ['a tool name with a dot', { tools: [tool('a.b')] }],
    ['a tool name of 65 signs', { tools: [tool('a'.repeat(65))] }],
    ['two tools of one name', { tools: [tool('a'), tool('a')] }],
    ['a schema that is no object', { tools: [tool('a', { type: 'string' })] }],
    ['a required argument that is not declared', { tools: [tool('a', { type: 'object', required: ['q'] })] }],
    ['a tool choice without tools', { tool_choice: 'none' }],
    ['both names of the limit', { max_tokens: 1, max_completion_tokens: 1 }],
    ['a limit of zero', { max_tokens: 0 }],
    ['stream options without a stream', { stream: false, stream_options: { include_usage: true } }],
    ['a control character', { messages: [{ role: 'user', content: 'a\u0000' }] }],
    ['half a surrogate pair', { messages: [{ role: 'user', content: 'a\ud83d' }] }],
  ])('%s', (_name, part) => {
    const body = { model: 'm', stream: true, messages: [user], ...part };
    expect(checkRequest(body, false)).toMatchObject({ message: expect.any(String) });
  });
});

test('it accepts what is right', () => {
  const body = {
    model: 'm',
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'x' },
      user,
      calling('a', 'b'),
      answer('a'),
      answer('b'),
      calling('c'),
      answer('c'),
    ],
    tools: [tool('t', { type: 'object', properties: { q: {} }, required: ['q'] })],
    tool_choice: 'auto',
  };
  expect(checkRequest(body, false)).toBeUndefined();
});

test('it plays its script, then says that there is no more', async () => {
  const llm = await startStrictLlm([say('FINISH', 'hello'), call('search', { query: 'x' })]);
  const ask = async () => {
    const response = await fetch(`${llm.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', stream: true, messages: [user] }),
    });
    return [response.status, await response.text()] as const;
  };
  const [, first] = await ask();
  expect(first).toContain('"content":"``FINISH``\\nh"');
  expect(first.endsWith('data: [DONE]\n\n')).toBe(true);
  const [, second] = await ask();
  expect(second).toContain(
    '"tool_calls":[{"index":0,"id":"call_0","type":"function","function":{"name":"search"',
  );
  expect(second).toContain('"finish_reason":"tool_calls"');
  expect((await ask())[0]).toBe(400);
  expect(llm.violations).toEqual(['request 2: the script has no reply left']);
  expect(llm.requests).toHaveLength(3);
  await llm.close();
});

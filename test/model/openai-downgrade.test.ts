import { afterEach, expect, test } from 'vitest';
import type { ModelRequest } from '../../src/ports/model.ts';
import type { Feature } from '../support/llm/refused-features.ts';
import { type Script, say } from '../support/llm/reply.ts';
import { type StrictLlm, startStrictLlm } from '../support/llm/strict-llm.ts';
import {
  asking,
  assistant,
  hear,
  memoryNotes,
  modelAt,
  person,
  recordingLog,
  result,
  search,
} from './setup.ts';

let llm: StrictLlm | undefined;

async function serve(script: Script, ...refuse: readonly Feature[]): Promise<string> {
  llm = await startStrictLlm(script, { refuse });
  return llm.url;
}

/** The requests that were accepted, in order. */
const requests = () => llm?.requests ?? [];

afterEach(async () => {
  await llm?.close();
  expect(llm?.violations ?? []).toEqual([]);
  llm = undefined;
});

const answered = () => say('FINISH', 'fine');

/** What of the request a service may not know. */
const everything: ModelRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', url: 'data:image/png;base64,AAAA' },
      ],
      source: 'person',
    },
    assistant('``TOOL``', ['c1', 'search', '{"query":"tides","limit":3}']),
    result('c1', 'the moon'),
    { role: 'user', content: 'hurry', source: 'steer' },
  ],
  tools: [search],
  toolChoice: 'auto',
  maxTokens: 50,
  temperature: 0.2,
};

test.each<[Feature, Record<string, unknown>, string[]]>([
  ['max_tokens', { max_completion_tokens: 50 }, ['max_tokens']],
  ['stream_options', {}, ['stream_options']],
  ['tool_choice', {}, ['tool_choice']],
  ['temperature', {}, ['temperature']],
])('a service without %s is asked without it', async (feature, has, lacks) => {
  const url = await serve([answered()], feature);
  const heard = await hear(modelAt(url), everything);
  expect([heard.error, heard.text]).toEqual([undefined, '``FINISH``\nfine']);
  expect(heard.chunks.some((chunk) => chunk.type === 'retrying')).toBe(false);
  expect(requests()[0]).toMatchObject(has);
  for (const name of lacks) expect(requests()[0]).not.toHaveProperty(name);
});

test('a service that knows neither name of the limit gets none', async () => {
  const url = await serve([answered()], 'max_tokens', 'max_completion_tokens');
  expect((await hear(modelAt(url), everything)).error).toBeUndefined();
  expect(Object.keys(requests()[0] ?? {}).filter((name) => name.startsWith('max_'))).toEqual([]);
});

test('a service without tools gets them described, and the history as text', async () => {
  const url = await serve([answered()], 'tools');
  expect((await hear(modelAt(url), everything)).error).toBeUndefined();
  const [request] = requests();
  expect(request).not.toHaveProperty('tools');
  expect(request?.messages.map((message) => message.role)).toEqual([
    'system',
    'user',
    'assistant',
    'user',
    'user',
  ]);
  expect(request?.messages[0]?.content).toMatch(
    /^Be brief\.\n\n# Tools[\s\S]*- search: Looks something up\./,
  );
  expect(request?.messages[2]?.content).toBe(`\`\`TOOL\`\`

<tool_calls>
<invoke name="search">
<parameter name="query" string="true">tides</parameter>
<parameter name="limit" string="false">3</parameter>
</invoke>
</tool_calls>`);
  expect(request?.messages[3]?.content).toBe('<tool_result name="search">\nthe moon\n</tool_result>');
});

test('a service without tools is not told of any where none may be called', async () => {
  const url = await serve([answered(), answered()], 'tools');
  const model = modelAt(url);
  await hear(model, everything);
  await hear(model, { ...everything, toolChoice: 'none' });
  expect(requests()[1]?.messages[0]?.content).toBe('Be brief.');
});

test('a service without pictures gets a line instead, and the log warns', async () => {
  const url = await serve([answered()], 'images');
  const log = recordingLog();
  expect((await hear(modelAt(url, { log }), everything)).error).toBeUndefined();
  expect(requests()[0]?.messages[1]?.content).toBe(
    'What is this?\n[A picture was sent here. You cannot see it: this model takes no pictures.]',
  );
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { change: 'no_images' } }]);
});

test('a service without a system role gets its text in the first user message', async () => {
  const url = await serve([answered()], 'system');
  await hear(modelAt(url), {
    ...asking('2+2?'),
    messages: [{ role: 'system', content: 'Be brief.' }, person('2+2?')],
  });
  expect(requests()[0]?.messages).toEqual([{ role: 'user', content: 'Be brief.\n\n2+2?' }]);
});

test('a template that wants strict turns gets neighbours joined, results in place', async () => {
  const url = await serve([answered()], 'roles_out_of_turn', 'images');
  expect((await hear(modelAt(url), everything)).error).toBeUndefined();
  expect(requests()[0]?.messages.map((message) => message.role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
  ]);
  expect(requests()[0]?.messages[3]?.content).toBe('the moon\n\nhurry');
});

test('a service that wants the tool list wherever the history has calls gets it, with the choice of none', async () => {
  const url = await serve([answered(), answered()], 'calls_without_tools');
  const model = modelAt(url);
  await hear(model, { ...everything, toolChoice: 'none' });
  await hear(model, { ...everything, tools: [], toolChoice: 'none' });
  for (const request of requests()) {
    expect(request.tools?.map((tool) => tool.function.name)).toEqual(['search']);
    expect(request.tool_choice).toBe('none');
  }
});

test('a service without any of it still answers', async () => {
  const url = await serve(
    [answered()],
    'stream_options',
    'tools',
    'tool_choice',
    'max_tokens',
    'max_completion_tokens',
    'temperature',
    'images',
    'system',
    'roles_out_of_turn',
  );
  const heard = await hear(modelAt(url), everything);
  expect([heard.error, heard.text]).toEqual([undefined, '``FINISH``\nfine']);
  expect(Object.keys(requests()[0] ?? {}).toSorted()).toEqual(['messages', 'model', 'stream']);
});

test('reasoning goes back only to the model that wrote it, and not to a service that refuses it', async () => {
  const url = await serve([{ reasoning: 'hm', text: 'a' }, answered(), answered()]);
  const model = modelAt(url);
  await hear(model, asking('1'));
  const thought = (name: string): ModelRequest => ({
    ...asking('1'),
    messages: [
      person('1'),
      { role: 'assistant', content: 'a', calls: [], reasoning: { text: 'hm', model: name } },
      person('2'),
    ],
  });
  await hear(model, thought('test-model'));
  await hear(model, thought('another-model'));
  expect(requests().map((request) => request.messages[1]?.['reasoning_content'])).toEqual([
    undefined,
    'hm',
    undefined,
  ]);
});

test('what was refused is remembered for a day, per address and model', async () => {
  const notes = memoryNotes();
  const kept: [string, string, number][] = [];
  const remembering = {
    ...notes,
    set: async (key: string, value: string, ttlMs: number) => {
      kept.push([key, value, ttlMs]);
      await notes.set(key, value, ttlMs);
    },
  };
  const log = recordingLog();
  const url = await serve([answered(), answered(), answered()], 'stream_options', 'temperature');
  await hear(modelAt(url, { notes: remembering, log }), everything);
  expect(log.lines.map((line) => line.fields['change'])).toEqual(['no_stream_options', 'no_temperature']);
  expect(kept).toEqual([
    [`downgrades:${url}:test-model`, '["no_stream_options","no_temperature"]', 24 * 60 * 60 * 1_000],
  ]);

  await hear(modelAt(url, { notes: remembering, log }), everything);
  expect(log.lines).toHaveLength(2);

  await hear(modelAt(url, { notes: remembering, log, model: 'other' }), everything);
  expect(log.lines).toHaveLength(4);
});

test('notes that fail or hold nonsense only cost the repeated refusal', async () => {
  const url = await serve([answered(), answered()], 'temperature');
  const broken = {
    get: async () => Promise.reject(new Error('store away')),
    set: async () => Promise.reject(new Error('store away')),
  };
  expect((await hear(modelAt(url, { notes: broken }), everything)).error).toBeUndefined();
  const nonsense = { get: async () => '{"a":', set: async () => {} };
  expect((await hear(modelAt(url, { notes: nonsense }), everything)).error).toBeUndefined();
});

test('OpenAI itself is asked with the newer name of the limit first', async () => {
  const bodies: unknown[] = [];
  const model = modelAt('https://api.openai.com/v1', {
    fetch: async (_url, init) => {
      bodies.push(typeof init?.body === 'string' ? JSON.parse(init.body) : undefined);
      return new Response('data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n', {
        headers: { 'content-type': 'text/event-stream' },
      });
    },
  });
  expect((await hear(model, everything)).text).toBe('hi');
  expect(bodies).toMatchObject([{ max_completion_tokens: 50 }]);
});

import { afterEach, describe, expect, test } from 'vitest';
import { call, calls, type Reply, type Script, say } from '../support/llm/reply.ts';
import { type StrictLlm, type StrictLlmOptions, startStrictLlm } from '../support/llm/strict-llm.ts';
import { asking, assistant, hear, modelAt, person, result, search } from './setup.ts';

let llm: StrictLlm;

async function serve(script: Script, options?: StrictLlmOptions): Promise<string> {
  llm = await startStrictLlm(script, options);
  return llm.url;
}

afterEach(async () => {
  await llm.close();
  expect(llm.violations).toEqual([]);
});

/** A stream that consists of exactly these events. */
const events = (...list: readonly unknown[]): Reply => ({
  raw: [...list.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'],
});
const delta = (fields: unknown, finish: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});

/** The same event with a count of tokens. */
const counted = (n: number, event: object) => ({
  ...event,
  usage: { prompt_tokens: 5, completion_tokens: n },
});

/** The call chunks of one reply. */
const fragments = async (reply: Reply) => {
  const url = await serve([reply]);
  const heard = await hear(modelAt(url), asking('?', { tools: [search] }));
  expect(heard.error).toBeUndefined();
  return heard.chunks.flatMap((chunk) => (chunk.type === 'call' ? [chunk] : []));
};

describe('a response', () => {
  test('arrives as reasoning, text, finish and usage', async () => {
    const url = await serve([
      say('FINISH', 'Four.', { reasoning: 'two and two', usage: { prompt: 9, completion: 3 } }),
    ]);
    const heard = await hear(modelAt(url), asking('2+2?'));
    expect(heard.error).toBeUndefined();
    expect(heard.text).toBe('``FINISH``\nFour.');
    expect(heard.chunks.filter((chunk) => chunk.type !== 'text')).toEqual([
      { type: 'reasoning', text: 'two and two' },
      { type: 'finish', reason: 'stop' },
      { type: 'usage', usage: { prompt: 9, completion: 3 } },
    ]);
    expect(llm.requests).toEqual([
      {
        model: 'test-model',
        messages: [{ role: 'user', content: '2+2?' }],
        stream: true,
        stream_options: { include_usage: true },
      },
    ]);
  });

  test('with calls gives their fragments as they were sent', async () => {
    const url = await serve([call('search', { query: 'tides' }, { usage: false })]);
    const heard = await hear(modelAt(url), asking('tides?', { tools: [search] }));
    expect(heard.chunks).toEqual([
      { type: 'text', text: '``TOOL``\n' },
      { type: 'call', index: 0, id: 'call_0', name: 'search', args: undefined },
      { type: 'call', index: 0, id: undefined, name: undefined, args: '{"query":' },
      { type: 'call', index: 0, id: undefined, name: undefined, args: '"tides"}' },
      { type: 'finish', reason: 'calls' },
    ]);
    expect(llm.requests[0]).toMatchObject({ tools: [{ function: { name: 'search' } }], tool_choice: 'auto' });
  });

  test('is asked for with the limits of the request, else with those of the model', async () => {
    const url = await serve([{ text: 'a' }, { text: 'b' }]);
    const model = modelAt(url, { maxTokens: 100, temperature: 0.3 });
    await hear(model, asking('1'));
    await hear(model, asking('2', { maxTokens: 5, temperature: 0 }));
    expect(llm.requests.map((r) => [r['max_tokens'], r['temperature']])).toEqual([
      [100, 0.3],
      [5, 0],
    ]);
  });

  test('that must be text is asked for without tools, whatever the history holds', async () => {
    const url = await serve([say('FINISH', 'done')]);
    await hear(modelAt(url), {
      messages: [person('?'), assistant('', ['c1', 'search', '{}']), result('c1', 'found')],
      tools: [search],
      toolChoice: 'none',
    });
    expect(llm.requests[0]).not.toHaveProperty('tools');
    expect(llm.requests[0]).not.toHaveProperty('tool_choice');
  });

  test.each([
    ['length', 'length'],
    ['max_tokens', 'length'],
    ['max_output_tokens', 'length'],
    ['tool_calls', 'calls'],
    ['function_call', 'calls'],
    ['stop', 'stop'],
    ['content_filter', 'stop'],
    ['eos', 'stop'],
  ])('that finishes with %s is told as %s', async (raw, reason) => {
    const url = await serve([{ text: 'x', finish: raw, usage: false }]);
    expect((await hear(modelAt(url))).chunks.at(-1)).toEqual({ type: 'finish', reason });
  });
});

test('one response after the other goes over one connection', async () => {
  const url = await serve(() => ({ text: 'hello' }));
  const model = modelAt(url);
  for (let i = 0; i < 20; i++) await hear(model);
  expect(llm.connections()).toBe(1);
});

describe('an end', () => {
  test('by [DONE] without a finish reason is complete', async () => {
    const url = await serve([{ text: 'all of it', finish: null, usage: false }]);
    const heard = await hear(modelAt(url));
    expect([heard.text, heard.error, heard.chunks.at(-1)]).toEqual([
      'all of it',
      undefined,
      { type: 'finish', reason: 'stop' },
    ]);
  });

  test('by [DONE] counts even when the server keeps the socket open', async () => {
    const url = await serve([{ text: 'all of it', done: 'linger', usage: false }]);
    expect((await hear(modelAt(url))).chunks.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  test('by a finish reason is complete without [DONE]', async () => {
    const url = await serve([{ text: 'all of it', done: false }]);
    const heard = await hear(modelAt(url));
    expect([heard.text, heard.error]).toEqual(['all of it', undefined]);
  });

  test('of the socket without either is a cut, and the text before it stays', async () => {
    const url = await serve([{ text: 'half of', finish: null, done: false }]);
    const heard = await hear(modelAt(url));
    expect(heard.text).toBe('half of');
    expect(heard.error).toMatchObject({ code: 'model.cut', detail: { retryable: true } });
  });

  test.each(['inside', 'after'] as const)('by a broken socket %s the label is a cut', async (cut) => {
    const url = await serve([say('FINISH', 'The answer is long.', { cut })]);
    const heard = await hear(modelAt(url));
    expect(heard.text).toBe(cut === 'inside' ? '``FIN' : '``FINISH``\nThe answer');
    expect(heard.error).toMatchObject({ code: 'model.cut' });
  });
});

describe('odd events', () => {
  test('without choices, deltas or sense are passed over', async () => {
    const url = await serve([
      events(
        { choices: [] },
        { choices: null },
        {},
        { choices: [{ index: 0, delta: null }] },
        delta({ role: 'assistant' }),
        delta({ content: '' }),
        delta({ content: null, tool_calls: null, reasoning: { summary: 'object' } }),
        delta({ content: 'Hi', surprise: true }),
        delta({}, ''),
        delta({}, 'stop'),
        { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 }, x_groq: {} },
      ),
    ]);
    expect((await hear(modelAt(url))).chunks).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'finish', reason: 'stop' },
      { type: 'usage', usage: { prompt: 1, completion: 1 } },
    ]);
  });

  test('comments between events are nothing', async () => {
    const url = await serve([
      {
        raw: [
          ': OPENROUTER PROCESSING\n\n',
          `data: ${JSON.stringify(delta({ content: 'Hi' }))}\n\n:\n\n`,
          `data:${JSON.stringify(delta({}, 'stop'))}\r\n\r\n`,
          'data:[DONE]\r\n\r\n',
        ],
      },
    ]);
    expect((await hear(modelAt(url))).text).toBe('Hi');
  });

  test('usage with every event is told once, the last count', async () => {
    const url = await serve([
      events(
        counted(1, delta({ content: 'a' })),
        counted(2, delta({ content: 'b' })),
        counted(3, delta({}, 'stop')),
      ),
    ]);
    expect((await hear(modelAt(url))).chunks.slice(2)).toEqual([
      { type: 'finish', reason: 'stop' },
      { type: 'usage', usage: { prompt: 5, completion: 3 } },
    ]);
  });

  test('reasoning is read from either field, as text only', async () => {
    const url = await serve([
      events(
        delta({ reasoning_content: 'a' }),
        delta({ reasoning: 'b', reasoning_details: [{}] }),
        delta({ reasoning: { text: 'no' } }),
        delta({ content: 'c' }, 'stop'),
      ),
    ]);
    expect((await hear(modelAt(url))).chunks).toEqual([
      { type: 'reasoning', text: 'a' },
      { type: 'reasoning', text: 'b' },
      { type: 'text', text: 'c' },
      { type: 'finish', reason: 'stop' },
    ]);
  });
});

describe('odd calls pass as they were sent', () => {
  test('two calls at one index, with a null index, without one, without an id', async () => {
    const found = await fragments(
      calls([
        { name: 'search', index: 0, id: 'a', pieces: 1 },
        { name: 'search', index: 0, id: 'b', pieces: 1 },
        { name: 'search', index: null, id: 'c', pieces: 1 },
        { name: 'search', index: 'none', id: null, pieces: 1 },
      ]),
    );
    const seen = found.filter((chunk) => chunk.name !== undefined).map(({ index, id }) => [index, id]);
    expect(seen).toEqual([
      [0, 'a'],
      [0, 'b'],
      [null, 'c'],
      [undefined, undefined],
    ]);
  });

  test('a repeated id and a call named ""', async () => {
    const found = await fragments(
      calls([
        { name: 'search', id: 'same' },
        { name: '', id: 'same' },
      ]),
    );
    expect(found.filter((chunk) => chunk.id !== undefined).map(({ id, name }) => [id, name])).toEqual([
      ['same', 'search'],
      ['same', ''],
    ]);
  });

  test('thirty calls', async () => {
    const found = await fragments(calls(Array.from({ length: 30 }, () => ({ name: 'search' }))));
    expect(new Set(found.map((chunk) => chunk.index)).size).toBe(30);
  });

  test('arguments of 1 MB, in one piece and in a thousand', async () => {
    const args = JSON.stringify({ query: 'x'.repeat(1_000_000) });
    for (const pieces of [1, 1_000]) {
      const found = await fragments(calls([{ name: 'search', args, pieces }]));
      expect(found.map((chunk) => chunk.args ?? '').join('')).toBe(args);
      await llm.close();
    }
  });

  test('arguments sent as an object become their text', async () => {
    const found = await fragments(
      events(
        delta({
          tool_calls: [{ index: 0, id: 'a', function: { name: 'search', arguments: { query: 'x' } } }, null],
        }),
        delta({}, 'tool_calls'),
      ),
    );
    expect(found.map((chunk) => chunk.args)).toEqual(['{"query":"x"}']);
  });
});

test('text survives when its bytes are cut anywhere', async () => {
  const text = 'é漢👩‍🏫"\n-5';
  const bytes = Buffer.from(
    `data: ${JSON.stringify(delta({ content: text }))}\n\ndata: ${JSON.stringify(delta({}, 'stop'))}\n\ndata: [DONE]\n\n`,
  );
  const url = await serve((_request, n) => ({ raw: [bytes.subarray(0, n), bytes.subarray(n)] }));
  const model = modelAt(url);
  for (let cut = 0; cut < bytes.length; cut++) expect((await hear(model)).text).toBe(text);
});

import { request as httpRequest } from 'node:http';
import OpenAI from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import { type PracticeModel, startPracticeModel } from '../../../src/model/practice/server.ts';
import { manualClock } from '../../support/clock.ts';
import { labelPrompt } from './talk.ts';

const open: PracticeModel[] = [];

async function start(...options: Parameters<typeof startPracticeModel>): Promise<PracticeModel> {
  const model = await startPracticeModel(...options);
  open.push(model);
  return model;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((model) => model.close()));
});

const askUser = {
  type: 'function',
  function: { name: 'ask_user', description: 'Asks.', parameters: { type: 'object', properties: {} } },
} as const;

const system = { role: 'system', content: labelPrompt } as const;

function post(model: PracticeModel, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(`${model.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}

/** The `data:` lines of a stream, parsed; the closing `[DONE]` as it is. */
function events(text: string): readonly unknown[] {
  return text
    .split('\n\n')
    .filter((line) => line !== '')
    .map((line) => {
      const data = line.replace(/^data: /, '');
      return data === '[DONE]' ? data : JSON.parse(data);
    });
}

describe('over plain HTTP', () => {
  test('it is on loopback and lists its one model', async () => {
    const model = await start({ pace: 'instant' });
    expect(model.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    const listed = await (await fetch(`${model.baseUrl}/models`)).json();
    expect(listed).toMatchObject({
      object: 'list',
      data: [{ id: 'practice', object: 'model', owned_by: 'docent' }],
    });
  });

  test('whose message it is, where several people speak, is no part of what was asked', async () => {
    const model = await start({ pace: 'instant' });
    const messages = [system, { role: 'user', content: '[Mia says:]\n12*7' }];
    const response = await post(model, { model: 'practice', messages });
    expect(await response.text()).toContain('12 × 7 = 84');
  });

  test('a stream begins with the role, then the label with the first word, and ends with reason, usage and DONE', async () => {
    const model = await start({ pace: 'instant', clock: manualClock(5_000) });
    const response = await post(model, {
      model: 'practice',
      stream: true,
      stream_options: { include_usage: true },
      messages: [system, { role: 'user', content: '0.1+0.2' }],
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const all = events(await response.text());
    expect(all[0]).toMatchObject({
      object: 'chat.completion.chunk',
      created: 5,
      model: 'practice',
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
      usage: null,
    });
    expect(all[1]).toMatchObject({ choices: [{ delta: { content: '``FINISH``\n> ' } }] });
    expect(all.slice(-3)).toMatchObject([
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) } },
      '[DONE]',
    ]);
    expect(new Set(all.slice(0, -1).map((event) => JSON.stringify(Object(event).id))).size).toBe(1);
  });

  test.each([
    ['not JSON', '{', 400, 'the body is not JSON'],
    ['no messages', {}, 400, '"messages" must be a list with at least one message'],
    ['an unknown role', { messages: [{ role: 'robot' }] }, 400, 'messages[0]: "role" must be'],
    ['a message that is none', { messages: [null] }, 400, 'messages[0]: "role" must be'],
  ])('%s is refused as OpenAI does it', async (_, body, status, message) => {
    const model = await start({ pace: 'instant' });
    const response = await post(model, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining(message), type: 'invalid_request_error' },
    });
  });

  test('other paths and methods are named', async () => {
    const model = await start({ pace: 'instant' });
    expect((await fetch(`${model.baseUrl}/embeddings`)).status).toBe(404);
    expect((await fetch(`${model.baseUrl}/chat/completions`)).status).toBe(405);
  });

  test('a body above the limit is refused, and the next request is served', async () => {
    const model = await start({ pace: 'instant' });
    const tooLarge = await post(model, 'x'.repeat(17 * 1024 * 1024));
    expect(tooLarge.status).toBe(413);
    const content = [
      { type: 'text', text: '12*7' },
      { type: 'image_url', image_url: { url: 'data:,' } },
    ];
    const fine = await post(model, { messages: [{ role: 'user', content }] });
    expect(await fine.text()).toContain('**12 × 7 = 84**');
  });
});

describe('with the openai SDK', () => {
  function client(model: PracticeModel): OpenAI {
    return new OpenAI({ baseURL: model.baseUrl, apiKey: 'none', maxRetries: 0 });
  }

  test('text, a card as a real tool call, and the answer after its result', async () => {
    const model = await start({ pace: 'instant' });
    const sdk = client(model);
    const messages: OpenAI.ChatCompletionMessageParam[] = [system, { role: 'user', content: 'x + y = 5' }];
    const asked = await sdk.chat.completions
      .stream({ model: 'practice', messages, tools: [askUser] })
      .finalChatCompletion();
    const [choice] = asked.choices;
    const [call] = choice?.message.tool_calls ?? [];
    expect(choice?.finish_reason).toBe('tool_calls');
    expect(choice?.message.content).toMatch(/^``TOOL``\n/);
    expect(call).toMatchObject({ type: 'function', function: { name: 'ask_user' } });
    expect(JSON.parse(call?.type === 'function' ? call.function.arguments : '{}')).toMatchObject({
      questions: [{ id: 'letter', options: [{ label: 'x' }, { label: 'y' }] }],
    });

    const result = {
      answers: [{ id: 'letter', selected: ['y'], text: '', status: 'answered' }],
      by: 'me',
      at: '',
    };
    messages.push(
      {
        role: 'assistant',
        content: choice?.message.content ?? '',
        tool_calls: choice?.message.tool_calls ?? [],
      },
      { role: 'tool', tool_call_id: call?.id ?? '', content: JSON.stringify(result) },
    );
    const thought = await sdk.chat.completions.create({ model: 'practice', messages, tools: [askUser] });
    expect(thought.choices[0]?.message.content).toMatch(/^``THINK``\n/);
    messages.push({ role: 'assistant', content: thought.choices[0]?.message.content ?? '' });
    const done = await sdk.chat.completions.create({ model: 'practice', messages, tools: [askUser] });
    expect(done.choices[0]?.message.content).toMatch(/^``FINISH``\n> I am not an AI[^]*\*\*y = -x \+ 5\*\*/);
    expect(done.usage?.total_tokens).toBeGreaterThan(0);
  });

  test('without the label protocol: plain text, and a call without text', async () => {
    const sdk = client(await start({ pace: 'instant' }));
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: '6/2(1+2)' }];
    const asked = await sdk.chat.completions.create({ model: 'practice', messages, tools: [askUser] });
    expect(asked.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } });
    const forbidden = await sdk.chat.completions.create({
      model: 'practice',
      messages,
      tools: [askUser],
      tool_choice: 'none',
    });
    expect(forbidden.choices[0]?.message.content).toContain('❓ How is 6/2(1+2) meant?');
    expect(forbidden.choices[0]?.finish_reason).toBe('stop');
  });

  test('two calls in one conversation have different ids', async () => {
    const sdk = client(await start({ pace: 'instant' }));
    const ask = async () => {
      const reply = await sdk.chat.completions.create({
        model: 'practice',
        messages: [{ role: 'user', content: 'solve it' }],
        tools: [askUser],
      });
      return reply.choices[0]?.message.tool_calls?.[0]?.id;
    };
    expect(await ask()).not.toBe(await ask());
  });
});

describe('pace', () => {
  test('the first word comes at once, the rest at 75 characters a second', async () => {
    const clock = manualClock();
    const model = await start({ clock });
    const response = await post(model, {
      stream: true,
      messages: [system, { role: 'user', content: '12*7' }],
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let shown = '';
    while (!shown.includes('``FINISH``')) shown += (await reader?.read())?.value ?? '';
    expect(clock.now()).toBe(0);

    await clock.untilWaiting();
    const reading = { done: false };
    const rest = (async () => {
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
        shown += part.value;
      reading.done = true;
    })();
    while (!reading.done) await clock.advance(200);
    await rest;
    const text = events(shown)
      .map((event) => Object(event).choices?.[0]?.delta.content ?? '')
      .join('');
    expect(text).toContain('**12 × 7 = 84**');
    const charsPerSecond = text.length / (clock.now() / 1_000);
    expect(charsPerSecond).toBeGreaterThan(60);
    expect(charsPerSecond).toBeLessThan(90);
  });

  test('it stops when the client goes away', async () => {
    const clock = manualClock();
    const model = await start({ clock });
    const gone = new AbortController();
    const response = await post(
      model,
      { stream: true, messages: [{ role: 'user', content: '12*7' }] },
      gone.signal,
    );
    await response.body?.getReader().read();
    await clock.untilWaiting();
    expect(clock.pending()).toHaveLength(1);
    gone.abort();
    while (clock.pending().length > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(clock.now()).toBe(0);
  });

  test('closing breaks off every answer and frees the port', async () => {
    const clock = manualClock();
    const model = await startPracticeModel({ clock });
    const response = await post(model, { stream: true, messages: [{ role: 'user', content: '12*7' }] });
    await clock.untilWaiting();
    const rest = response.text().then(
      () => 'complete',
      () => 'broken off',
    );
    await model.close();
    expect(await rest).toBe('broken off');
    expect(clock.pending()).toEqual([]);
    await expect(fetch(`${model.baseUrl}/models`)).rejects.toThrow('fetch failed');
  });

  test('a client that sends half a request and leaves does no harm', async () => {
    const model = await start({ pace: 'instant' });
    const half = httpRequest(`${model.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-length': '100' },
    });
    half.on('error', () => undefined);
    half.write('{');
    await new Promise((resolve) => setImmediate(resolve));
    half.destroy();
    expect((await fetch(`${model.baseUrl}/models`)).status).toBe(200);
  });
});

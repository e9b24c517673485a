import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ModelError } from '../../src/domain/errors.ts';
import type { Model } from '../../src/ports/model.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import { type Reply, type Script, say } from '../support/llm/reply.ts';
import { type StrictLlm, type StrictLlmOptions, startStrictLlm } from '../support/llm/strict-llm.ts';
import { asking, type Heard, hear, modelAt, recordingLog } from './setup.ts';

let llm: StrictLlm | undefined;
let clock: ManualClock;

/** A model over a scripted service, with `clock` as its time. */
async function serve(
  script: Script,
  options?: StrictLlmOptions,
  model: Parameters<typeof modelAt>[1] = {},
): Promise<Model> {
  llm = await startStrictLlm(script, options);
  clock = manualClock();
  return modelAt(llm.url, { clock, ...model });
}

afterEach(async () => {
  await llm?.close();
  expect(llm?.violations ?? []).toEqual([]);
  llm = undefined;
});

/** Hears the response while time passes as fast as it is waited for; `waits` gets every wait. */
async function hearOverTime(model: Model, waits: number[] = []): Promise<Heard> {
  const heard = hear(model);
  for (;;) {
    const over = await Promise.race([heard.then(() => true), clock.untilWaiting().then(() => false)]);
    if (over) return heard;
    const [next = 0] = clock.pending();
    waits.push(next);
    await clock.advance(next);
  }
}

const modelError = (error: unknown): ModelError => {
  expect(error).toBeInstanceOf(ModelError);
  return error as ModelError;
};

describe('a service that fails before anything was shown', () => {
  const sorry = (status: number, headers: Reply['headers'] = {}): Reply => ({ status, headers });

  test('is asked again after half a second and after one and a half', async () => {
    const model = await serve([sorry(500), sorry(429), say('FINISH', 'third time lucky')]);
    const waits: number[] = [];
    const heard = await hearOverTime(model, waits);
    expect(heard.text).toBe('``FINISH``\nthird time lucky');
    expect(heard.chunks.filter((chunk) => chunk.type === 'retrying')).toMatchObject([
      { attempt: 2, afterMs: 500 },
      { attempt: 3, afterMs: 1_500 },
    ]);
    expect(waits).toEqual([500, 1_500]);
  });

  test.each([408, 409, 429, 500, 502, 503, 529])('with %i gets three tries', async (status) => {
    const model = await serve([sorry(status), sorry(status), sorry(status)]);
    const { error } = await hearOverTime(model);
    expect(modelError(error).detail).toMatchObject({ retryable: true, status });
    expect(modelError(error).failure).toBe(status === 429 ? 'rate_limited' : 'server_error');
    expect(llm?.requests).toHaveLength(3);
  });

  test.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after-ms': '1200', 'retry-after': '9' }, 1_200],
    [{ 'retry-after': '20' }, 20_000],
    [{ 'retry-after': new Date(3_000).toUTCString() }, 3_000],
    [{ 'retry-after': 'soon' }, 500],
  ])('and says %j is asked again after %i ms', async (headers, wait) => {
    const model = await serve([sorry(429, headers), { text: 'ok' }]);
    const waits: number[] = [];
    expect((await hearOverTime(model, waits)).text).toBe('ok');
    expect(waits).toEqual([wait]);
  });

  test('and wants more than twenty seconds is not waited for', async () => {
    const model = await serve([sorry(429, { 'retry-after': '21' })]);
    const waits: number[] = [];
    expect(modelError((await hearOverTime(model, waits)).error).code).toBe('model.rate_limited');
    expect(waits).toEqual([]);
  });

  test('after three tries the fallback model is asked once', async () => {
    const log = recordingLog();
    const model = await serve(
      [sorry(500), sorry(500), sorry(500), { text: 'from the other', reasoning: 'hm' }],
      undefined,
      {
        fallbackModel: 'small-model',
        log,
      },
    );
    const heard = await hearOverTime(model);
    expect(heard.text).toBe('from the other');
    expect(heard.chunks).toContainEqual({ type: 'reasoning', text: 'hm', model: 'small-model' });
    expect(llm?.requests.map((request) => request.model)).toEqual([
      'test-model',
      'test-model',
      'test-model',
      'small-model',
    ]);
    expect(log.lines.at(-1)).toMatchObject({ level: 'warn', fields: { fallbackModel: 'small-model' } });
  });

  test('when the fallback fails too, the first failure is told', async () => {
    const model = await serve([sorry(429, { 'retry-after': '99' }), sorry(500)], undefined, {
      fallbackModel: 'small-model',
    });
    expect(modelError((await hearOverTime(model)).error).code).toBe('model.rate_limited');
    expect(llm?.requests).toHaveLength(2);
  });

  test('without credit it is not asked again', async () => {
    const body = { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } };
    const model = await serve([{ status: 429, body }], undefined, { fallbackModel: 'small-model' });
    const { error } = await hearOverTime(model);
    expect(modelError(error)).toMatchObject({ code: 'model.rate_limited', detail: { retryable: false } });
    expect(modelError(error).hint).toContain('credit');
  });

  test('by closing the stream before its first event, it is asked again', async () => {
    const model = await serve([{ cut: 'before' }, { text: '', done: false, finish: null }, { text: 'now' }]);
    const heard = await hearOverTime(model);
    expect([heard.text, heard.error]).toEqual(['now', undefined]);
  });

  test('with an error inside the stream, it is asked again', async () => {
    const body = { error: { message: 'Overloaded', type: 'overloaded_error' } };
    const model = await serve([{ raw: [`data: ${JSON.stringify(body)}\n\n`] }, { text: 'now' }]);
    expect((await hearOverTime(model)).text).toBe('now');
  });

  test('by answering nothing at all, it is asked again once; then the empty answer stands', async () => {
    const model = await serve([{}, {}]);
    const heard = await hearOverTime(model);
    expect(heard.error).toBeUndefined();
    expect(heard.chunks.map((chunk) => chunk.type)).toEqual(['retrying', 'finish', 'usage']);
  });

  test('an empty answer that was cut by its limit or a filter is not asked again', async () => {
    const model = await serve([{ finish: 'length' }, { finish: 'content_filter' }]);
    expect((await hear(model)).chunks[0]).toEqual({ type: 'finish', reason: 'length' });
    expect((await hear(model)).chunks[0]).toEqual({ type: 'finish', reason: 'stop' });
  });
});

describe('after something was shown nothing is asked again', () => {
  test.each<[string, Reply, string]>([
    ['a cut', { text: 'half', finish: null, done: false }, 'cut'],
    ['a broken socket', say('F', 'long text', { cut: 'after' }), 'cut'],
    [
      'an error in the stream',
      {
        raw: [
          'data: {"choices":[{"delta":{"content":"half"}}]}\n\n',
          'data: {"error":{"message":"boom","code":503}}\n\n',
        ],
      },
      'server_error',
    ],
    [
      'an event that is no JSON',
      { raw: ['data: {"choices":[{"delta":{"content":"half"}}]}\n\n', 'data: {"choi\n\n'] },
      'cut',
    ],
  ])('%s', async (_name, reply, failure) => {
    const model = await serve([reply, { text: 'never' }], undefined, { fallbackModel: 'other' });
    const heard = await hear(model);
    expect(heard.text).not.toBe('');
    expect(modelError(heard.error).failure).toBe(failure);
    expect(llm?.requests).toHaveLength(1);
  });
});

describe('failures a person has to act on', () => {
  test('a wrong key names its setting and is not repeated back', async () => {
    const model = await serve([], { apiKey: 'right' }, { apiKey: 'sk-wrong-12345678' });
    const error = modelError((await hear(model)).error);
    expect(error.code).toBe('model.unauthorized');
    expect(error.hint).toContain('OPENAI_API_KEY');
    expect(error.message + error.hint).not.toContain('wrong-12345678');
  });

  test('a key with a line break is never sent', async () => {
    const model = await serve([], undefined, { apiKey: 'sk-secret\n' });
    const error = modelError((await hear(model)).error);
    expect([error.code, error.message.includes('secret')]).toEqual(['model.unauthorized', false]);
  });

  test('without a key none is sent', async () => {
    let headers: Headers | undefined;
    const fetch = async (_url: unknown, init?: RequestInit) => {
      headers = new Headers(init?.headers);
      return new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } });
    };
    clock = manualClock();
    await hearOverTime(modelAt('http://127.0.0.1:11434/v1', { clock, fetch, apiKey: '' }));
    expect(headers?.get('content-type')).toBe('application/json');
    expect(headers?.has('authorization')).toBe(false);
  });

  test('an unknown model names its setting', async () => {
    const model = await serve([], { models: ['other'] });
    const error = modelError((await hear(model)).error);
    expect(error.code).toBe('model.unknown_model');
    expect(error.message).toContain('"test-model"');
    expect(error.hint).toContain('OPENAI_MODEL');
  });

  test('a base URL without /v1 says so', async () => {
    const model = await serve([]);
    const error = modelError((await hear(modelAt(llm?.url.replace('/v1', '') ?? ''))).error);
    expect(model.name).toBe('test-model');
    expect(error.hint).toContain('/v1');
  });

  test.each<[string, Reply]>([
    ['a page', { html: true }],
    ['a document', { status: 200, body: { id: '1', object: 'chat.completion', choices: [] } }],
    ['plain words', { status: 200, body: 'Ollama is running' }],
    ['a redirect', { status: 308, headers: { location: 'https://elsewhere.example/v1' } }],
  ])('%s instead of a stream names the base URL', async (_name, reply) => {
    const model = await serve([reply]);
    const error = modelError((await hear(model)).error);
    expect(error.code).toBe('model.not_a_stream');
    expect(error.hint).toMatch(/OPENAI_BASE_URL.*\/v1/);
  });

  test('a document with an error is that error', async () => {
    const model = await serve([
      { status: 200, body: { error: { message: 'bad key', type: 'authentication_error' } } },
    ]);
    expect(modelError((await hear(model)).error).code).toBe('model.unauthorized');
  });

  test('a conversation that is too long is told as such', async () => {
    const body = {
      error: { message: "This model's maximum context length is 8 tokens.", code: 'context_length_exceeded' },
    };
    const model = await serve([{ status: 400, body }]);
    expect(modelError((await hear(model)).error).code).toBe('model.context_too_long');
  });

  test('an error about unpaired calls is logged as our bug and changes nothing', async () => {
    const log = recordingLog();
    const message =
      "Key test-key-1234: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
    const model = await serve([{ status: 400, body: { error: { message, param: 'messages' } } }], undefined, {
      log,
    });
    const error = modelError((await hear(model)).error);
    expect([error.code, error.detail.retryable]).toEqual(['model.refused', false]);
    expect(log.lines.map((line) => line.level)).toEqual(['error']);
    expect(JSON.stringify(log.lines)).not.toContain('test-key-1234');
  });

  test('a long refusal is quoted in part, without anything like a key', async () => {
    const message = `test-key-1234 and sk-proj-abcdefgh are ${'very '.repeat(500)}wrong`;
    const model = await serve([{ status: 400, body: { error: { message } } }]);
    const error = modelError((await hear(model)).error);
    expect(error.message.length).toBeLessThan(350);
    expect(error.message).not.toMatch(/test-key|abcdefgh/);
  });
});

describe('a service that cannot be reached', () => {
  let server: Server | undefined;
  afterEach(() => void server?.close());

  test('is named with host and port, after three tries', async () => {
    clock = manualClock();
    const { error } = await hearOverTime(modelAt('http://127.0.0.1:1/v1', { clock }));
    expect(modelError(error)).toMatchObject({ code: 'model.unreachable', detail: { retryable: true } });
    expect(modelError(error).message).toBe(
      'The model service at 127.0.0.1:1 cannot be reached (ECONNREFUSED).',
    );
  });

  test.each(['not an address', 'ftp://127.0.0.1/v1'])(
    'because %j is no http address, names the setting',
    async (url) => {
      clock = manualClock();
      const error = modelError((await hearOverTime(modelAt(url, { clock }))).error);
      expect([error.code, error.hint]).toEqual([
        'model.unreachable',
        expect.stringContaining('OPENAI_BASE_URL'),
      ]);
    },
  );

  test('because it speaks something else', async () => {
    server = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    const port = await new Promise<number>((resolve) => {
      server?.listen(0, '127.0.0.1', () => {
        const address = server?.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
    for (const scheme of ['http', 'https']) {
      clock = manualClock();
      const error = modelError(
        (await hearOverTime(modelAt(`${scheme}://127.0.0.1:${port}/v1`, { clock }))).error,
      );
      expect(error.code).toBe('model.unreachable');
    }
  });
});

describe('an abort ends the response at once, with its reason', () => {
  const reason = new Error('stopped by the person');

  test('before it was asked', async () => {
    const model = await serve([{ text: 'never' }]);
    expect((await hear(model, asking('hello'), AbortSignal.abort(reason))).error).toBe(reason);
    expect(llm?.requests).toEqual([]);
  });

  test.each<[string, Reply]>([
    ['while the service is silent', { hang: 'silent' }],
    ['while it only keeps alive', { hang: 'keepalive' }],
    ['after some text and silence', { text: 'half an', hang: 'silent' }],
  ])('%s', async (_name, reply) => {
    const stop = new AbortController();
    const model = await serve(() => {
      setImmediate(() => setImmediate(() => stop.abort(reason)));
      return reply;
    });
    expect((await hear(model, asking('hello'), stop.signal)).error).toBe(reason);
    await llm?.untilHangups(1);
  });

  test('while the head of the response is awaited', async () => {
    const stop = new AbortController();
    const model = await serve(() => {
      stop.abort(reason);
      return new Promise<Reply>(() => {});
    });
    expect((await hear(model, asking('hello'), stop.signal)).error).toBe(reason);
    await llm?.untilHangups(1);
  });

  test('while it waits before asking again', async () => {
    const stop = new AbortController();
    const model = await serve([{ status: 500 }]);
    const heard = hear(model, asking('hello'), stop.signal);
    await clock.untilWaiting();
    stop.abort(reason);
    expect((await heard).error).toBe(reason);
    expect(clock.pending()).toEqual([]);
  });

  test('while the notes about the model are awaited', async () => {
    const stop = new AbortController();
    const never = { get: () => new Promise<undefined>(() => {}), set: async () => {} };
    const model = await serve([], undefined, { notes: never });
    const heard = hear(model, asking('hello'), stop.signal);
    stop.abort(reason);
    expect((await heard).error).toBe(reason);
  });

  test('and leaves no listener on the signal after any end', async () => {
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, 'addEventListener');
    const remove = vi.spyOn(signal, 'removeEventListener');
    const model = await serve([{ text: 'ok' }, { text: 'half', finish: null, done: false }]);
    await hear(model, asking('1'), signal);
    await hear(model, asking('2'), signal);
    expect(add.mock.calls.length).toBeGreaterThan(0);
    expect(remove.mock.calls.length).toBe(add.mock.calls.length);
  });
});

describe('whoever stops listening', () => {
  test('closes the connection', async () => {
    const model = await serve([{ text: 'one two three four five six', hang: 'silent' }]);
    for await (const chunk of model.stream(asking('hello'), new AbortController().signal)) {
      expect(chunk.type).toBe('text');
      break;
    }
    await llm?.untilHangups(1);
  });

  test('may do so while the next chunk is awaited', async () => {
    const model = await serve([{ hang: 'silent' }]);
    const items = model.stream(asking('hello'), new AbortController().signal)[Symbol.asyncIterator]();
    const next = items.next();
    expect(await items.return?.()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
  });
});

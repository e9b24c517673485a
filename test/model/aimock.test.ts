/** The adapter against an OpenAI mock that was written by others: what we misread, our own service would misread too. */
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ModelError } from '../../src/domain/errors.ts';
import { firstModelId } from '../../src/model/first-model.ts';
import type { Model } from '../../src/ports/model.ts';
import type { Clock } from '../../src/ports/runtime.ts';
import { manualClock } from '../support/clock.ts';
import { asking, assistant, hear, modelAt, person, result, search } from './setup.ts';

const mock = new LLMock({ port: 0, logLevel: 'silent' });
let model: Model;

/** Waits that are over as soon as they are asked for. */
const hurried: Clock = { ...manualClock(), sleep: async (_ms, signal) => signal?.throwIfAborted() };

beforeAll(() => mock.start());
afterAll(() => mock.stop());
beforeEach(() => {
  mock.reset();
  model = modelAt(`${mock.url}/v1`, { model: 'gpt-4o', clock: hurried });
});

test('text streams, ends with stop and is counted', async () => {
  mock.onMessage('hello', { content: '``FINISH``\nHi there! 👩‍🏫' });
  const heard = await hear(model, asking('hello'));
  expect([heard.error, heard.text]).toEqual([undefined, '``FINISH``\nHi there! 👩‍🏫']);
  expect(heard.chunks.at(-2)).toEqual({ type: 'finish', reason: 'stop' });
  expect(heard.chunks.at(-1)).toMatchObject({ type: 'usage', usage: { prompt: expect.any(Number) } });
});

test('a round of calls and its results are understood by both sides', async () => {
  // Its first rule that fits wins.
  mock.onToolResult('call_b', { content: 'Sunny in both.' });
  mock.onMessage('weather', {
    content: 'Looking.',
    toolCalls: [
      { id: 'call_a', name: 'search', arguments: '{"query":"Bern"}' },
      { id: 'call_b', name: 'search', arguments: '{"query":"Basel"}' },
    ],
  });
  const first = await hear(model, asking('weather', { tools: [search] }));
  const calls = first.chunks.filter((chunk) => chunk.type === 'call');
  expect(calls.flatMap(({ id }) => id ?? [])).toEqual(['call_a', 'call_b']);
  expect(
    calls
      .filter(({ index }) => index === 1)
      .map(({ args }) => args ?? '')
      .join(''),
  ).toBe('{"query":"Basel"}');
  expect(first.chunks).toContainEqual({ type: 'finish', reason: 'calls' });

  const second = await hear(model, {
    ...asking('weather', { tools: [search] }),
    messages: [
      person('weather'),
      assistant(
        'Looking.',
        ['call_a', 'search', '{"query":"Bern"}'],
        ['call_b', 'search', '{"query":"Basel"}'],
      ),
      result('call_a', 'sunny'),
      result('call_b', 'sunny'),
    ],
  });
  expect(second.text).toBe('Sunny in both.');
});

test('reasoning arrives beside the text', async () => {
  mock.onMessage('think', { content: 'Done.', reasoning: 'Let me see.' });
  const heard = await hear(model, asking('think'));
  expect(heard.text).toBe('Done.');
  expect(heard.chunks.flatMap((chunk) => (chunk.type === 'reasoning' ? [chunk.text] : [])).join('')).toBe(
    'Let me see.',
  );
});

test('an answer cut by its limit says so', async () => {
  mock.onMessage('long', { content: 'Once upon', finishReason: 'length' });
  expect((await hear(model, asking('long'))).chunks).toContainEqual({ type: 'finish', reason: 'length' });
});

test('a passing failure is repeated, a lasting one told', async () => {
  mock.onMessage('hello', { content: 'Hi.' });
  mock.nextRequestError(503, { message: 'Overloaded', type: 'server_error' });
  const heard = await hear(model, asking('hello'));
  expect(heard.chunks[0]).toMatchObject({ type: 'retrying', attempt: 2, afterMs: 500 });
  expect(heard.text).toBe('Hi.');

  mock.nextRequestError(401, {
    message: 'Invalid key',
    type: 'authentication_error',
    code: 'invalid_api_key',
  });
  expect((await hear(model, asking('hello'))).error).toMatchObject({ code: 'model.unauthorized' });
});

test('a connection that breaks in the middle keeps the text and is a cut', async () => {
  mock.onMessage(
    'break',
    { content: 'one two three four five six seven eight nine ten' },
    { chunkSize: 5, latency: 2, truncateAfterChunks: 4 },
  );
  const heard = await hear(model, asking('break'));
  expect(heard.error).toBeInstanceOf(ModelError);
  expect(heard.error).toMatchObject({ code: 'model.cut' });
  expect(heard.text).not.toBe('');
  expect('one two three four five six seven eight nine ten'.startsWith(heard.text)).toBe(true);
});

test('its list of models is read', async () => {
  expect(await firstModelId(`${mock.url}/v1`, 'mock')).toEqual(expect.any(String));
});

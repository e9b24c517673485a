import { afterEach, expect, test } from 'vitest';
import { firstModelId } from '../../src/model/first-model.ts';
import { type StrictLlm, startStrictLlm } from '../support/llm/strict-llm.ts';

let llm: StrictLlm | undefined;
afterEach(async () => llm?.close());

const answering =
  (body: unknown, status = 200) =>
  async () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });

test('the first model of the list is taken', async () => {
  llm = await startStrictLlm([], { models: ['gemma3:4b', 'qwen3:8b'], apiKey: 'k' });
  expect(await firstModelId(llm.url, 'k')).toBe('gemma3:4b');
  expect(await firstModelId(`${llm.url}/`, 'k')).toBe('gemma3:4b');
});

test('a model that does not chat is passed over, unless there is no other', async () => {
  const list = (...ids: string[]) => answering({ data: ids.map((id) => ({ id })) });
  expect(await firstModelId('http://x.test/v1', '', list('text-embedding-nomic', 'qwen'))).toBe('qwen');
  expect(await firstModelId('http://x.test/v1', '', list('text-embedding-nomic'))).toBe(
    'text-embedding-nomic',
  );
});

test.each([
  ['no model', { data: [] }, 200],
  ['something else', { models: ['a'] }, 200],
  ['a page', '<html>', 200],
  ['nothing there', 'not found', 404],
])('a service that lists %s leaves the choice to the setting', async (_name, body, status) => {
  await expect(firstModelId('http://x.test:8080/v1', '', answering(body, status))).rejects.toMatchObject({
    code: 'model.unknown_model',
    message: `x.test:8080 lists no model (${status}).`,
    hint: expect.stringContaining('OPENAI_MODEL'),
  });
});

test('a refused key and a missing server are told as such', async () => {
  llm = await startStrictLlm([], { apiKey: 'right' });
  await expect(firstModelId(llm.url, 'wrong')).rejects.toMatchObject({ code: 'model.unauthorized' });
  await expect(firstModelId('http://127.0.0.1:1/v1', '')).rejects.toMatchObject({
    code: 'model.unreachable',
  });
});

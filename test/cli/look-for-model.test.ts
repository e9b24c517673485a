import { expect, test } from 'vitest';
import { mayLook, withLocalModel } from '../../src/cli/look-for-model.ts';
import { loadConfig } from '../../src/config/load.ts';
import { localModelId } from '../../src/model/local-model.ts';

const configFrom = (env: Record<string, string>) => loadConfig(env, () => undefined).config;

test.each([
  ['at a terminal without a model', {}, {}, true, true],
  ['without a terminal', {}, {}, false, false],
  ['in CI', {}, { CI: 'true' }, true, false],
  ['in production', {}, { NODE_ENV: 'production' }, true, false],
  ['in a test', {}, { NODE_ENV: 'test' }, true, false],
  ['with a key', { OPENAI_API_KEY: 'k' }, {}, true, false],
  ['with an address', { OPENAI_BASE_URL: 'http://x.test/v1' }, {}, true, false],
])('a model on this machine is looked for %s: %j', (_when, settings, env, isTty, looks) => {
  expect(mayLook(configFrom(settings), env, isTty)).toBe(looks);
});

test('what is found is used, under the name that is set or the first one it lists', async () => {
  const found = { baseUrl: 'http://127.0.0.1:11434/v1', isFound: true };
  const plain = configFrom({});
  expect((await withLocalModel(plain, async () => 'qwen3:8b')).model).toMatchObject({
    ...found,
    name: 'qwen3:8b',
  });
  const named = configFrom({ OPENAI_MODEL: 'gemma3' });
  expect((await withLocalModel(named, async () => 'qwen3:8b')).model).toMatchObject({
    ...found,
    name: 'gemma3',
  });
  expect(await withLocalModel(plain, async () => undefined)).toBe(plain);
});

test('it is asked at its own address; an answer that lists nothing, or none, counts as not there', async () => {
  const asked: unknown[] = [];
  const answering = (body: string) => async (url: unknown) => {
    asked.push(url);
    return new Response(body);
  };
  expect(await localModelId(answering('{"data":[{"id":"qwen3:8b"}]}'))).toBe('qwen3:8b');
  expect(asked).toEqual(['http://127.0.0.1:11434/v1/models']);
  expect(await localModelId(answering('{"data":[]}'))).toBe(undefined);
  expect(await localModelId(answering('<html>'))).toBe(undefined);
  expect(await localModelId(() => Promise.reject(new Error('refused')))).toBe(undefined);
});

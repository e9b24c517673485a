import { expect, test } from 'vitest';
import { bareSum } from '../../src/capabilities/scenes/bare-sum.ts';
import { routeScene, type Scene } from '../../src/loop/scene.ts';
import { call, calling, Dialogue, say } from '../support/dialogue.ts';

function scene(name: string, confidence: number, more: Partial<Scene> = {}): Scene {
  return {
    name,
    match: () => ({ confidence, words: [name] }),
    prepare: async () => 'ten words',
    template: (text, data) => `${text}\n${data}`,
    ...more,
  };
}

test('the surest scene wins; of two equally sure ones the first declared, and the tie is told', () => {
  const routed = routeScene([scene('a', 0.5), scene('b', 0.9), scene('c', 0.9)], 'hi');
  expect(routed).toMatchObject({ scene: { name: 'b' }, confidence: 0.9, ties: ['c'] });
});

test('a prepared answer is live, carries no tools, and leaves the plain message in the history', async () => {
  const bot = new Dialogue([say('FINISH', 'Here are ten words.'), say('FINISH', 'More.')], {
    scenes: [scene('vocabulary', 0.8)],
  });
  const { outcome } = await bot.hears('quiz me on words');
  expect(outcome).toEqual({ kind: 'finish', answer: 'Here are ten words.' });
  expect(bot.requests[0]).toMatchObject({ toolChoice: 'none' });
  expect(bot.requests[0]?.messages.at(-1)).toMatchObject({
    source: 'scene',
    content: 'quiz me on words\nten words',
  });
  expect(bot.records).toContainEqual({
    type: 'scene/routed',
    scene: 'vocabulary',
    confidence: 0.8,
    words: ['vocabulary'],
    ties: [],
  });
  expect(
    bot.records.some((record) => record.type === 'user/message' && record.content === 'quiz me on words'),
  ).toBe(true);
});

test.each<[string, Partial<Scene>]>([
  ['preparing throws', { prepare: () => Promise.reject(new Error('no data')) }],
  ['there is no data', { prepare: async () => undefined }],
])('%s: the free loop runs from the plain message', async (_name, more) => {
  const bot = new Dialogue([say('FINISH', 'Hi.')], { scenes: [scene('vocabulary', 0.8, more)] });
  await bot.hears('quiz me');
  expect(bot.requests[0]).toMatchObject({ toolChoice: 'auto' });
  expect(bot.requests[0]?.messages.at(-1)).toMatchObject({ source: 'person', content: 'quiz me' });
});

test('a prepared reply with calls leads nowhere: what it showed is taken back and the free loop has its whole budget', async () => {
  const bot = new Dialogue([calling('``FINISH``\nHalf', call('look_up', {})), say('FINISH', 'Whole.')], {
    scenes: [scene('vocabulary', 0.8)],
  });
  const { outcome } = await bot.hears('quiz me');
  expect(outcome).toEqual({ kind: 'finish', answer: 'Whole.' });
  expect(bot.answer()).toEqual(['Whole.']);
  expect(bot.log().filter((line) => line === 'step/start')).toHaveLength(1);
});

test('a hook can veto a scene', async () => {
  const bot = new Dialogue([say('FINISH', 'Hi.')], {
    scenes: [scene('vocabulary', 0.8)],
    hooks: { routeScene: async () => undefined },
  });
  await bot.hears('quiz me');
  expect(bot.requests[0]).toMatchObject({ toolChoice: 'auto' });
});

test.each([
  ['12*7', '84'],
  ['3/4 + 1/6', '11/12 (≈ 0.916667)'],
])('the bare sum %s is computed', async (text, result) => {
  expect(bareSum.match(text).confidence).toBe(1);
  expect(await bareSum.prepare(text, new AbortController().signal)).toBe(result);
});

test('a sum inside a question is not a bare sum', () => {
  expect(bareSum.match('why is 12*7 more than 80?').confidence).toBe(0);
});

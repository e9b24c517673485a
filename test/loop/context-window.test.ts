import { describe, expect, test } from 'vitest';
import { CallId } from '../../src/domain/ids.ts';
import type { ModelMessage } from '../../src/domain/message.ts';
import { ContextWindow } from '../../src/loop/context-window.ts';
import { unpaired } from '../../src/loop/pairing.ts';

const oneEach = (text: string) => text.length;
const person = (content: string): ModelMessage => ({ role: 'user', source: 'person', content });
const reply = (content: string): ModelMessage => ({ role: 'assistant', content, calls: [] });
const round = (id: string, result: string): ModelMessage[] => [
  { role: 'assistant', content: '', calls: [{ id: CallId(id), name: 'f', args: '{}' }] },
  { role: 'tool', callId: CallId(id), name: 'f', content: result, status: 'ok' },
];
const system: ModelMessage = { role: 'system', content: 's'.repeat(10) };

function fit(window: number, messages: ModelMessage[]) {
  return new ContextWindow(oneEach, window).fit(messages, []);
}

test('a request that fits is left alone, and its segments add up', () => {
  const messages = [system, person('hello'), ...round('a', 'found'), reply('done')];
  const { messages: kept, budget } = fit(1_000, messages);
  expect(kept).toEqual(messages);
  expect(budget.segments).toEqual({ system: 10, tools: 2, people: 5, replies: 7, results: 5 });
  expect(budget.used).toBe(29);
  expect(budget).toMatchObject({ window: 1_000, free: 971, estimated: false, cut: 0 });
});

test('the oldest go first, whole rounds at a time; system prompt, last message and newest round stay', () => {
  const messages = [
    system,
    person('old'.repeat(20)),
    ...round('a', 'x'.repeat(60)),
    reply('old answer'),
    person('new question'),
    ...round('b', 'y'.repeat(60)),
    ...round('c', 'z'.repeat(20)),
  ];
  const { messages: kept, budget } = fit(100, messages);
  expect(kept.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool']);
  expect(kept[1]).toEqual(person('new question'));
  expect(kept[3]).toMatchObject({ callId: 'c' });
  expect(unpaired(kept)).toEqual([]);
  expect(budget.cut).toBe(6);
});

test('what cannot fit at all is refused with a hint', () => {
  expect(() => fit(50, [system, person('x'.repeat(200))])).toThrow(
    expect.objectContaining({
      code: 'model.context_too_long',
      detail: expect.objectContaining({ retryable: false }),
    }),
  );
});

test('an unknown window is assumed, and said to be', () => {
  const { budget } = new ContextWindow(oneEach, undefined).fit([person('hello')], []);
  expect(budget.estimated).toBe(true);
  expect(budget.free).toBeGreaterThan(0);
});

describe('the estimate is corrected by what the provider reports', () => {
  test.each([
    ['half as much again', 1.5, 150],
    ['never more than twice', 9, 200],
    ['never less than half', 0.1, 50],
  ])('%s', (_name, factor, measured) => {
    const window = new ContextWindow(oneEach, 10_000);
    const messages = [person('x'.repeat(100))];
    window.learn(100 * factor, 100);
    expect(window.fit(messages, []).budget.segments.people).toBe(measured);
  });
});

test('a picture counts', () => {
  const message: ModelMessage = {
    role: 'user',
    source: 'person',
    content: [
      { type: 'text', text: 'see' },
      { type: 'image', url: 'data:image/png;base64,AAAA' },
    ],
  };
  expect(fit(10_000, [message]).budget.segments.people).toBe(1_003);
});

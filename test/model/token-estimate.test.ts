import { expect, test } from 'vitest';
import { estimateTokens } from '../../src/model/token-estimate.ts';

test.each([
  ['', 0],
  ['a', 1],
  ['The tide follows the moon, not the sun alone.', 16],
  ['潮汐跟随月亮', 6],
  ['달을 따라 조석', 7],
  ['潮汐 follows 月亮', 8],
  ['👩‍🏫', 5],
  ['<|endoftext|>', 5],
])('%j costs about %i tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

test('twice the text costs twice the tokens, also where tokenizers choke', () => {
  const hostile = 'a'.repeat(100_000) + '\ud800'.repeat(1_000) + '<|endoftext|>'.repeat(1_000);
  expect(estimateTokens(hostile + hostile)).toBeCloseTo(2 * estimateTokens(hostile), -1);
});

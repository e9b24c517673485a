import { expect, test } from 'vitest';
import { maskSecrets } from '../../src/domain/secrets.ts';

test.each([
  ['key sk-proj-abc_DEF-1234567890 in a sentence', 'key [secret] in a sentence'],
  ['xoxb-12345-67890-abcdef and xapp-1-A02-345', '[secret] and [secret]'],
  ['ghp_0123456789abcdef0123', '[secret]'],
  ['authorization: Bearer abc.def-ghi=', 'authorization: Bearer [secret]'],
  [`${'M'.repeat(24)}.G4x9Qz.${'a'.repeat(30)}`, '[secret]'],
  ['https://mia:pass%20word@llm.example/v1', 'https://[secret]@llm.example/v1'],
])('%j is masked', (text, masked) => {
  expect(maskSecrets(text)).toBe(masked);
});

test.each([
  'a risk-averse-and-careful plan',
  'task-management-for-beginners',
  'sk-short',
  'the bearer of bad news',
  'mail mia@example.org, see https://example.org/@mia',
  'v1.2.3',
])('%j stays', (text) => {
  expect(maskSecrets(text)).toBe(text);
});

test('a megabyte of one letter is masked in no time worth mentioning', () => {
  const text = 'a'.repeat(1_000_000);
  expect(maskSecrets(text)).toBe(text);
});

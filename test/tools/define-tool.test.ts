import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CallId } from '../../src/domain/ids.ts';
import type { ToolContext, ToolResult } from '../../src/ports/tool.ts';
import { defineTool } from '../../src/tools/define-tool.ts';

const context: ToolContext = {
  callId: CallId('c1'),
  idempotencyKey: 'term:local:t1:c1',
  user: undefined,
  signal: new AbortController().signal,
};

const plain = {
  name: 'plain',
  description: 'Does nothing.',
  mode: 'parallel',
  effect: 'none',
  run: async (): Promise<ToolResult> => ({ kind: 'text', text: 'done' }),
} as const;

const lookUp = defineTool({
  name: 'look_up',
  description: 'Finds passages.',
  args: z.object({
    query: z.string().describe('What to look for.'),
    k: z.int().min(1).max(20).default(5),
    where: z.enum(['books', 'notes']).optional(),
    tags: z.array(z.object({ name: z.string() })).optional(),
  }),
  mode: 'parallel',
  effect: 'none',
  run: async ({ query, k }) => ({ kind: 'text', text: `${k} passages about ${query}` }),
});

test('the model is shown a plain JSON schema, and a name with a default is not required', () => {
  expect(lookUp.schema).toEqual({
    name: 'look_up',
    description: 'Finds passages.',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What to look for.' },
        k: { type: 'integer', minimum: 1, maximum: 20, default: 5 },
        where: { type: 'string', enum: ['books', 'notes'] },
        tags: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: { type: 'string' } },
            required: ['name'],
            additionalProperties: false,
          },
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
  });
  expect(lookUp.required).toEqual(['query']);
  expect(lookUp.timeoutMs).toBe(30_000);
});

test('the tool runs on parsed arguments, defaults filled in', async () => {
  expect(await lookUp.run({ query: 'tides' }, context)).toEqual({
    kind: 'text',
    text: '5 passages about tides',
  });
});

test('arguments that do not fit are answered with every problem at once', async () => {
  const result = await lookUp.run({ k: 0, where: 'shelf', tags: [{ name: 'a' }, { name: 3 }] }, context);
  expect(result).toEqual({
    kind: 'failed',
    badArgs: true,
    text: [
      'Not run: the arguments of look_up do not fit.',
      '- query: expected text, got nothing.',
      '- k: expected a whole number, at least 1 and at most 20, got 0.',
      '- where: expected one of "books", "notes", got "shelf".',
      '- tags[1].name: expected text, got 3.',
      'The same call will fail again: correct these arguments before you repeat it.',
    ].join('\n'),
  });
});

describe('what was expected is read from the schema', () => {
  test.each([
    [z.boolean(), 'yes', 'expected true or false, got "yes"'],
    [z.number().positive().lt(2), 5, 'expected a number, more than 0 and less than 2, got 5'],
    [z.string().min(2), 'a', 'expected text of at least 2 characters, got "a"'],
    [z.string().max(2), 'x'.repeat(100), `expected text of at most 2 characters, got "${'x'.repeat(59)}…"`],
    [
      z.array(z.string()).min(1).max(3),
      [],
      'expected a list of at least 1 and at most 3 items, got a list of 0',
    ],
    [z.object({ a: z.string() }), [1, 2], 'expected an object with a, got a list of 2'],
    [z.union([z.string(), z.number()]), null, 'expected text or a number, got null'],
    [z.literal('go'), { stop: true }, 'expected "go", got an object'],
    [
      z.string().refine((text) => text.includes('/'), 'write it as owner/name.'),
      'x',
      'write it as owner/name.',
    ],
  ])('case %#', async (schema, value, expected) => {
    const tool = defineTool({ ...plain, args: z.object({ it: schema }) });
    const result = await tool.run({ it: value }, context);
    expect(result.kind === 'failed' && result.text.split('\n')[1]).toContain(`- it: ${expected}`);
  });
});

test('a long list of problems is shortened', async () => {
  const tool = defineTool({ ...plain, args: z.object({ list: z.array(z.string()) }) });
  const result = await tool.run({ list: Array.from({ length: 10_000 }, (_, at) => at) }, context);
  expect(result.kind === 'failed' && result.text.split('\n').slice(-2)[0]).toBe('- and 9992 more');
});

test('a name that providers refuse is refused when the tool is defined', () => {
  expect(() => defineTool({ ...plain, name: 'look up', args: z.object({}) })).toThrow('use letters, digits');
});

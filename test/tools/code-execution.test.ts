import { expect, test } from 'vitest';
import { CallId, UserId } from '../../src/domain/ids.ts';
import type { CodeRequest, CodeResult } from '../../src/ports/code.ts';
import { codeExecutionTool } from '../../src/tools/code-execution.ts';

async function run(args: Record<string, unknown>, result: Partial<CodeResult> = {}) {
  const requests: CodeRequest[] = [];
  const tool = codeExecutionTool(async (request) => {
    requests.push(request);
    return { output: '4\n', ended: 'well', ms: 5, ...result };
  });
  const told = await tool.run(args, {
    callId: CallId('c1'),
    idempotencyKey: 'discord:7:t1:c1',
    user: UserId('discord:1'),
    signal: new AbortController().signal,
  });
  return { requests, told };
}

test('what a program printed', async () => {
  const { requests, told } = await run({ language: 'python', code: 'print(2 + 2)' });
  expect(told).toEqual({ kind: 'text', text: '4\n' });
  expect(requests).toEqual([{ language: 'python', code: 'print(2 + 2)', stdin: '', person: 'discord:1' }]);
});

test.each([
  ['failed', 'NameError: x', 'NameError: x\n[The program ended with an error.]'],
  ['time', '', 'It printed nothing.\n[Ended after 10 s: it may never come to its end.]'],
  ['memory', '', 'It printed nothing.\n[Ended: it wanted more memory than there is.]'],
] as const)('one that ended otherwise (%s) is told with what it printed', async (ended, output, text) => {
  expect((await run({ language: 'javascript', code: '1' }, { ended, output })).told).toEqual({
    kind: 'text',
    text,
  });
});

test('a sandbox that broke is no answer', async () => {
  expect((await run({ language: 'python', code: '1' }, { ended: 'broken', output: '' })).told).toMatchObject({
    kind: 'failed',
  });
});

test('another language is refused with what there is', async () => {
  const { told, requests } = await run({ language: 'ruby', code: 'puts 1' });
  expect(told).toMatchObject({ kind: 'failed', badArgs: true, text: expect.stringContaining('python') });
  expect(requests).toEqual([]);
});

import { expect, test } from 'vitest';
import { CallId, ConversationId, UserId } from '../../src/domain/ids.ts';
import { runBody, type ToolRun } from '../../src/loop/tool-body.ts';
import type { Tool, ToolContext } from '../../src/ports/tool.ts';
import { manualClock } from '../support/clock.ts';

async function contextFrom(run: ToolRun): Promise<Omit<ToolContext, 'signal'> | undefined> {
  let seen: ToolContext | undefined;
  const tool: Tool = {
    schema: { name: 'look', description: '', parameters: {} },
    required: [],
    mode: 'parallel',
    effect: 'none',
    timeoutMs: 1_000,
    run: async (_args, context) => {
      seen = context;
      return { kind: 'text', text: 'ok' };
    },
  };
  const call = { id: CallId('c1'), name: 'look', args: '{}' };
  const signal = new AbortController().signal;
  await runBody({ call, tool, args: {}, run, hooks: {}, clock: manualClock(), signal });
  if (seen === undefined) return undefined;
  const { signal: _signal, ...context } = seen;
  return context;
}

const ann = UserId('discord:1');

test('a tool learns the turn it runs in, and a key that names this call for ever', async () => {
  const turn = {
    conversation: ConversationId('discord:7'),
    address: { surface: 'discord', place: '7' },
    isScheduled: false,
  };
  expect(await contextFrom({ key: 'discord:7:t1', user: ann, turn })).toEqual({
    callId: 'c1',
    idempotencyKey: 'discord:7:t1:c1',
    user: ann,
    turn,
  });
});

test('without a turn there is none', async () => {
  expect(await contextFrom({ key: 'k', user: undefined })).toStrictEqual({
    callId: 'c1',
    idempotencyKey: 'k:c1',
    user: undefined,
  });
});

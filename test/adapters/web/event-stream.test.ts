// The board as server-sent events, and how a stream ends.
import { expect, test } from 'vitest';
import { eventStream } from '../../../src/adapters/web/event-stream.ts';
import { ConversationId } from '../../../src/domain/ids.ts';
import type { Logger } from '../../../src/ports/runtime.ts';
import { memoryConversations } from '../../../src/store/memory.ts';
import { memoryBoard } from '../../../src/store/memory-board.ts';
import { manualClock } from '../../support/clock.ts';
import { quietLog } from '../../support/quiet-log.ts';

test('a page that leaves is nothing to warn of', async () => {
  const clock = manualClock(1_000_000);
  const warnings: unknown[] = [];
  const log: Logger = { ...quietLog, warn: (fields: unknown) => void warnings.push(fields) };
  const stream = eventStream({
    board: memoryBoard(clock, memoryConversations(clock)),
    conversation: ConversationId('web:c0ffee11-2222-4333-8444-555555555555'),
    after: undefined,
    clock,
    log,
    signal: new AbortController().signal,
  });
  const reader = stream.getReader();
  expect(new TextDecoder().decode((await reader.read()).value as Uint8Array)).toBe('retry: 1000\n\n');
  await reader.cancel();
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

test('the server that ends, ends its streams', async () => {
  const clock = manualClock(1_000_000);
  const over = new AbortController();
  const stream = eventStream({
    board: memoryBoard(clock, memoryConversations(clock)),
    conversation: ConversationId('web:c0ffee11-2222-4333-8444-555555555555'),
    after: undefined,
    clock,
    log: quietLog,
    signal: over.signal,
  });
  const reader = stream.getReader();
  await reader.read();
  over.abort();
  let isDone = false;
  while (!isDone) isDone = (await reader.read()).done;
  expect(isDone).toBe(true);
});

import { expect, test } from 'vitest';
import { CallId } from '../../src/domain/ids.ts';
import type { JournalRecord } from '../../src/domain/journal.ts';
import { pastTraceLines } from '../../src/turns/past-trace.ts';

const reply = (content: string, more: object = {}) =>
  ({ type: 'assistant/message', content, calls: [], ...more }) as JournalRecord;
const search = { id: CallId('c'), name: 'read_memory', args: '{"query":"maths"}' };

test('a turn is told as what was thought and done in it, without its answer', () => {
  const records: JournalRecord[] = [
    reply('``THINK``\nFirst things first.', { fate: 'thought' }),
    reply('<think>Look it up.</think>``TOOL``\nI look.', { calls: [search] }),
    { type: 'tool/call', call: search },
    { type: 'tool/result', callId: search.id, name: search.name, status: 'ok', content: '…' },
    reply('No label.', { fate: 'repair:missing' }),
    { type: 'user/message', source: 'steer', content: 'hurry' },
    reply('``FINISH``\nThe answer.', { reasoning: { text: 'Easy.', model: 'm' } }),
  ];
  expect(pastTraceLines(records, 'en')).toEqual([
    '🧠 First things first.',
    '   Look it up.',
    '   I look.',
    '✓ recalling maths',
    '↩ No label.',
    '✅ took in your message',
    '🧠 Easy.',
  ]);
});

test('a turn in which nothing was thought', () => {
  expect(pastTraceLines([reply('``FINISH``\nYes.')], 'de')).toEqual([expect.any(String)]);
});

// What a turn has thought and done, read from its journal.
import { expect, test } from 'vitest';
import { CallId } from '../../src/domain/ids.ts';
import type { JournalRecord } from '../../src/domain/journal.ts';
import type { TurnEvent } from '../../src/domain/turn.ts';
import { labelStrategy } from '../../src/loop/label-strategy.ts';
import { nativeStrategy } from '../../src/loop/native-strategy.ts';
import { pastWork } from '../../src/loop/past-work.ts';

const labels = labelStrategy(
  {
    allowed: ['THINK', 'TOOL', 'FINISH'],
    terminal: ['FINISH'],
    intermediate: ['THINK'],
    final: ['FINISH'],
    tool: 'TOOL',
  },
  '',
);
const call = { id: CallId('c1'), name: 'web_fetch', args: '{}' };
const said = (content: string, more: object = {}): JournalRecord => ({
  type: 'assistant/message',
  content,
  calls: [],
  ...more,
});
const thought = (text: string): TurnEvent => ({ type: 'thinking.delta', text });

test('calls with their results, as they were shown', () => {
  const records: JournalRecord[] = [
    said('``TOOL``\nI look it up.', { calls: [call] }),
    { type: 'tool/call', call },
    { type: 'tool/result', callId: call.id, name: 'web_fetch', status: 'ok', content: 'A page.' },
  ];
  expect(pastWork(records, labels)).toEqual([
    thought('I look it up.'),
    { type: 'tool.started', call },
    { type: 'tool.finished', callId: 'c1', name: 'web_fetch', status: 'ok', ms: 0 },
  ]);
});

test.each([
  ['text under a label that is not shown', said('``THINK``\nHalf of it.'), labels, [thought('Half of it.')]],
  ['no answer', said('``FINISH``\nIt is 4.'), labels, []],
  ['think blocks of an answer', said('<think>2 + 2</think>It is 4.'), nativeStrategy, [thought('2 + 2')]],
  [
    'the reasoning field',
    said('It is 4.', { reasoning: { text: '2 + 2', model: 'm' } }),
    nativeStrategy,
    [thought('2 + 2')],
  ],
] as const)('thoughts are %s', (_, record, strategy, events) => {
  expect(pastWork([record], strategy)).toEqual(events);
});

import { expect, test } from 'vitest';
import { importanceOf } from '../../src/delivery/importance.ts';
import { UserId } from '../../src/domain/ids.ts';
import type { MessageKind, MessageState } from '../../src/domain/surface-message.ts';
import type { Importance } from '../../src/ports/rate-budget.ts';

const cases: [MessageKind, MessageState, boolean, Importance][] = [
  ['answer', 'live', true, 'first'],
  ['answer', 'live', false, 'text'],
  ['answer', 'final', true, 'final'],
  ['answer', 'stopped', false, 'final'],
  ['answer', 'failed', false, 'final'],
  ['notice', 'final', true, 'final'],
  ['question', 'open', true, 'question'],
  ['question', 'answered', false, 'click'],
  ['question', 'expired', false, 'click'],
  ['question', 'closed', false, 'click'],
  ['trace', 'live', true, 'tools'],
  ['trace', 'final', false, 'text'],
  ['trace', 'failed', false, 'text'],
];

test('a reminder comes by itself: it does not stand before what somebody waits for', () => {
  const reminder = { kind: 'notice', state: 'final', text: '⏰', calls: UserId('fake:1') } as const;
  expect(importanceOf(reminder, true)).toBe('tools');
});

test.each(cases)('%s, %s, first: %s → %s', (kind, state, isFirst, importance) => {
  expect(importanceOf({ kind, state, text: 'x' }, isFirst)).toBe(importance);
});

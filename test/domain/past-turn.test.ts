import { expect, test } from 'vitest';
import { EventId, TurnId, UserId } from '../../src/domain/ids.ts';
import type { JournalRecord } from '../../src/domain/journal.ts';
import { pastTurn, turnOpenedBy } from '../../src/domain/past-turn.ts';

const ann = UserId('test:ann');
const ben = UserId('test:ben');
const start = (turn: string): JournalRecord => ({
  type: 'turn/start',
  turn: TurnId(turn),
  protocol: 'label',
  asker: ann,
});
const says = (author: UserId): JournalRecord => ({
  type: 'user/message',
  source: 'person',
  content: '?',
  author,
});
const end: JournalRecord = { type: 'turn/end', outcome: 'finish' };
const anew = (turn: string) => ({ ...start(turn), again: 'click' }) as unknown as JournalRecord;

test.each([
  ['runs', [start('a'), says(ann)], { isOpen: true, isNewest: true, people: [ann] }],
  ['is over', [start('a'), says(ann), end], { isOpen: false, isNewest: true, people: [ann] }],
  [
    'is followed by another',
    [start('a'), says(ben), end, start('b'), says(UserId('test:cleo')), end],
    { isOpen: false, isNewest: false, people: [ann, ben] },
  ],
  [
    'runs once more, with what was said in it before',
    [start('a'), says(ben), end, anew('a')],
    { isOpen: true, isNewest: true, people: [ann, ben] },
  ],
])('a turn that %s', (_, journal, expected) => {
  const past = pastTurn(journal, TurnId('a'));
  expect({ isOpen: past?.isOpen, isNewest: past?.isNewest, people: [...(past?.people ?? [])] }).toEqual(
    expected,
  );
  expect(past?.asker).toBe(ann);
});

test('a turn that the journal does not know', () => {
  expect(pastTurn([start('a'), end], TurnId('b'))).toBeUndefined();
});

test('the turn that a message opened', () => {
  const asked = (item: string, source: 'person' | 'steer' = 'person') =>
    ({ type: 'user/message', source, content: '?', item: EventId(item) }) as const;
  const journal = [start('a'), asked('m1'), asked('m2', 'steer'), end, start('b'), asked('m3'), end];
  expect(['m1', 'm2', 'm3', 'm4'].map((id) => turnOpenedBy(journal, EventId(id)))).toEqual([
    'a',
    undefined,
    'b',
    undefined,
  ]);
});

// Words that are commands when they are the whole message.
import { expect, test } from 'vitest';
import { ConversationId, EventId, UserId } from '../../src/domain/ids.ts';
import type { SaidItem } from '../../src/domain/inbound.ts';
import { withBareWords } from '../../src/gateway/bare-words.ts';

function understood(content: string, more: Partial<SaidItem> = {}) {
  const item = {
    kind: 'message',
    id: EventId('1'),
    author: UserId('test:mia'),
    address: { surface: 'test', place: 'here' },
    content,
    ...more,
  } as const;
  const said = withBareWords({
    conversation: ConversationId('test:here'),
    item,
    wanted: 'if_followed',
    from: { isSelf: false, isBot: false },
  });
  return 'content' in said.item ? [said.item.kind, said.item.content] : [said.item.kind];
}

test.each([
  ['new', ['new']],
  [' New! ', ['new']],
  ['neu.', ['new']],
  ['新', ['new']],
  ['new idea', ['message', 'new idea']],
  ['renew', ['message', 'renew']],
  ['next: and then?', ['next', 'and then?']],
  ['Danach： weiter', ['next', 'weiter']],
  ['next:', ['message', 'next:']],
  ['the next: one', ['message', 'the next: one']],
])('%j', (content, expected) => {
  expect(understood(content)).toEqual(expected);
});

test('with a file it is a message like any other', () => {
  expect(understood('new', { files: [{ id: 'f', name: 'a.txt', source: '' }] })).toEqual(['message', 'new']);
});

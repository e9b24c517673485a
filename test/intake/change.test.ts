import { expect, test } from 'vitest';
import { ConversationId, EventId, UserId } from '../../src/domain/ids.ts';
import { changeInbound } from '../../src/intake/change.ts';
import { memoryConversations } from '../../src/store/memory.ts';
import { manualClock } from '../support/clock.ts';

const conversation = ConversationId('test:talk');
const address = { surface: 'test', place: 'room' };
const ann = UserId('test:ann');

async function said(text: string) {
  const conversations = memoryConversations(manualClock());
  const item = { kind: 'message', id: EventId('m1'), author: ann, address, content: text } as const;
  await conversations.append({ conversation, item, wanted: 'always' });
  const change = (content: string | undefined, version = 'v2') =>
    changeInbound(conversations, {
      conversation,
      id: EventId('m1'),
      author: ann,
      name: 'Ann',
      address,
      content,
      version,
    });
  return { conversations, change };
}

const waiting = async ({ conversations }: Awaited<ReturnType<typeof said>>) =>
  (await conversations.claim(conversation)).opening.map((item) =>
    'content' in item ? item.content : item.kind,
  );

test('before a turn has taken it the message itself changes', async () => {
  const talk = await said('solve 2x = 8');
  expect(await talk.change('solve 3x = 9')).toBe('changed');
  expect(await waiting(talk)).toEqual(['solve 3x = 9']);
});

test('a deleted message is gone', async () => {
  const talk = await said('oops');
  expect(await talk.change(undefined)).toBe('changed');
  expect(await waiting(talk)).toEqual([]);
});

test.each([
  ['solve 3x = 9', '[Ann changed their message to: solve 3x = 9]'],
  [undefined, '[Ann deleted their message.]'],
])('afterwards the model is told, once for each version: %s', async (content, note) => {
  const talk = await said('solve 2x = 8');
  const claim = await talk.conversations.claim(conversation);
  await claim.append([
    { type: 'user/message', source: 'person', content: 'solve 2x = 8', item: EventId('m1') },
  ]);
  expect(await talk.change(content)).toBe('told');
  expect(await talk.change(content)).toBe('duplicate');
  expect(await waiting(talk)).toEqual([note]);
});

test('a message that was never for the bot concerns nobody', async () => {
  const conversations = memoryConversations(manualClock());
  const change = {
    conversation,
    id: EventId('x'),
    author: ann,
    name: 'Ann',
    address,
    content: 'hi',
    version: '1',
  };
  expect(await changeInbound(conversations, change)).toBe('unknown');
});

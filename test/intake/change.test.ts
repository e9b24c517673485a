import { describe, expect, test } from 'vitest';
import { ConversationId, EventId, TurnId, UserId } from '../../src/domain/ids.ts';
import type { JournalRecord } from '../../src/domain/journal.ts';
import { changeInbound } from '../../src/intake/change.ts';
import type { TurnQueue } from '../../src/ports/turn-queue.ts';
import { memoryConversations } from '../../src/store/memory.ts';
import { manualClock } from '../support/clock.ts';

const conversation = ConversationId('test:talk');
const address = { surface: 'test', place: 'room' };
const ann = UserId('test:ann');

async function said(text: string) {
  const conversations = memoryConversations(manualClock());
  const stopped: string[] = [];
  const queue: TurnQueue = { wake: async () => {}, stop: async (talk) => void stopped.push(talk) };
  const item = { kind: 'message', id: EventId('m1'), author: ann, address, content: text } as const;
  await conversations.append({ conversation, item, wanted: 'always' });
  const change = (content: string | undefined, version = 'v2') =>
    changeInbound(
      { conversations, queue },
      {
        conversation,
        id: EventId('m1'),
        author: ann,
        name: 'Ann',
        address,
        content,
        version,
      },
    );
  return { conversations, change, stopped };
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

describe('while it is answered', () => {
  const started: JournalRecord = { type: 'turn/start', turn: TurnId('t'), protocol: 'label', asker: ann };
  const spoke = (item: string, author: UserId): JournalRecord => ({
    type: 'user/message',
    source: item === 'm2' ? 'steer' : 'person',
    content: '…',
    item: EventId(item),
    author,
  });

  test.each<[string, string | undefined, readonly JournalRecord[], boolean]>([
    ['a deleted question ends its turn', undefined, [started, spoke('m1', ann)], true],
    ['its author may have said more', undefined, [started, spoke('m1', ann), spoke('m2', ann)], true],
    [
      'it goes on when others spoke',
      undefined,
      [started, spoke('m1', ann), spoke('m2', UserId('test:ben'))],
      false,
    ],
    ['another message of it may go', undefined, [started, spoke('m0', ann), spoke('m1', ann)], false],
    ['an edited question ends nothing', 'changed', [started, spoke('m1', ann)], false],
    [
      'nor one that has its answer',
      undefined,
      [started, spoke('m1', ann), { type: 'turn/end', outcome: 'finish' }],
      false,
    ],
  ])('%s', async (_, content, records, isStopped) => {
    const talk = await said('solve 2x = 8');
    const claim = await talk.conversations.claim(conversation);
    await claim.append(records);
    expect(await talk.change(content)).toBe('told');
    expect(talk.stopped).toEqual(isStopped ? [conversation] : []);
    const stop = await claim.stopItem();
    expect(stop?.kind === 'stop' && stop.takesBack).toBe(isStopped);
  });

  test('nor does it end when what others said still waits', async () => {
    const talk = await said('solve 2x = 8');
    const claim = await talk.conversations.claim(conversation);
    await claim.append([started, spoke('m1', ann)]);
    const bens = {
      kind: 'message',
      id: EventId('m2'),
      author: UserId('test:ben'),
      address,
      content: '?',
    } as const;
    await talk.conversations.append({ conversation, item: bens, wanted: 'always' });
    await talk.change(undefined);
    expect(talk.stopped).toEqual([]);
  });
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
  expect(
    await changeInbound({ conversations, queue: { wake: async () => {}, stop: async () => {} } }, change),
  ).toBe('unknown');
});

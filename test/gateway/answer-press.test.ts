// What one person is shown of a turn that has ended: its thinking, and what it rests on.
import { expect, test } from 'vitest';
import { CallId, ConversationId, TurnId } from '../../src/domain/ids.ts';
import type { JournalRecord } from '../../src/domain/journal.ts';
import type { Source } from '../../src/domain/source.ts';
import { type AnswerHandle, AnswerPress } from '../../src/gateway/answer-press.ts';
import { manualClock } from '../support/clock.ts';

const handle: AnswerHandle = {
  action: 'sources',
  conversation: ConversationId('discord:7'),
  turn: TurnId('t1'),
  slot: 'answer:1',
};

const found = (...sources: readonly Source[]): JournalRecord => ({
  type: 'tool/result',
  callId: CallId('c1'),
  name: 'web_fetch',
  status: 'ok',
  content: 'words',
  sources,
});
const ohm = { title: "Ohm's law [physics]", url: 'https://example.org/ohm' };

function press(journal: () => Promise<readonly JournalRecord[]>, clock = manualClock()) {
  return new AnswerPress({
    journalOf: journal,
    thinkingIn: () => ['thought'],
    accept: async () => 'queued',
    messagesOf: async () => [],
    vote: async () => {},
    isAdmin: () => false,
    clock,
  });
}

test('sources of an answer are numbered, each once, with what is quoted', async () => {
  const page = { title: 'Physics I, page 12', quote: 'The current\nis voltage over resistance.' };
  const journal = async () => [
    { type: 'turn/start', turn: TurnId('t1'), protocol: 'label' } as const,
    found(ohm),
    found(page, ohm),
    { type: 'turn/start', turn: TurnId('t2'), protocol: 'label' } as const,
    found({ title: 'of another turn' }),
  ];
  expect(await press(journal).look(handle, 'en')).toEqual({
    lines: [
      "1. [Ohm's law physics](https://example.org/ohm)",
      '2. Physics I, page 12',
      '> The current is voltage over resistance.',
    ],
  });
});

test('thinking is asked for by another button', async () => {
  const journal = async () => [{ type: 'turn/start', turn: TurnId('t1'), protocol: 'label' } as const];
  expect(await press(journal).look({ ...handle, action: 'thinking' }, 'en')).toEqual({ lines: ['thought'] });
});

test('a turn that is not known any more is told', async () => {
  expect(await press(async () => []).look(handle, 'en')).toHaveProperty('told');
});

test('while the store is away, or too slow, people may try again', async () => {
  const clock = manualClock();
  const away = await press(() => Promise.reject(new Error('away'))).look(handle, 'en');
  const slow = press(() => new Promise(() => {}), clock).look(handle, 'en');
  await clock.advance(1_500);
  expect(await slow).toEqual(away);
  expect(away).toHaveProperty('told');
});

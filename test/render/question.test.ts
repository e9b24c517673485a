// A question card as text, in every state it can be in.
import { expect, test } from 'vitest';
import { CallId, UserId } from '../../src/domain/ids.ts';
import type { Answer, Question, QuestionCard } from '../../src/domain/question.ts';
import { wordsFor } from '../../src/render/notices.ts';
import { type AskedCard, closedCard, openCard } from '../../src/render/question.ts';

const plain = { multiSelect: false, allowFreeText: true } as const;
const chapter: Question = {
  id: 'chapter',
  prompt: 'Which chapter?',
  options: [{ label: 'Three', description: 'derivatives' }, { label: 'Four' }],
  ...plain,
};
const until: Question = { id: 'until', prompt: 'Until when?', options: [], ...plain };
const card: QuestionCard = {
  intro: 'Before we begin:',
  questions: [chapter, until],
  answerers: 'asker',
  expiresInS: 60,
  cut: [],
};
const asker = UserId('fake:ann');
const asked = (answers: readonly Answer[] = [], question: unknown = card): AskedCard => ({
  callId: CallId('q'),
  question,
  asker,
  answers,
});
const three: Answer = { id: 'chapter', selected: ['Three'], text: '', status: 'answered' };
const friday: Answer = { id: 'until', selected: [], text: 'by Friday', status: 'answered' };
const english = wordsFor('en');

test('open, it lists its questions and options, and has what buttons need', () => {
  expect(openCard(asked())).toEqual({
    kind: 'question',
    state: 'open',
    text: 'Before we begin:\n\n❓ Which chapter?\n1. Three: derivatives\n2. Four\n\n❓ Until when?',
    card: { callId: 'q', card, asker, answers: [] },
  });
});

test('a question that has its answer shows that instead of its options', () => {
  expect(openCard(asked([three])).text).toBe(
    'Before we begin:\n\n❓ Which chapter?\n✓ Three\n\n❓ Until when?',
  );
});

test('a question that was skipped is marked as such while others are open', () => {
  const skipped: Answer = { id: 'chapter', selected: [], text: '', status: 'skipped' };
  expect(openCard(asked([skipped])).text).toBe('Before we begin:\n\n❓ Which chapter?\n⏭\n\n❓ Until when?');
});

test('answered, it keeps questions and answers, and has no buttons any more', () => {
  expect(closedCard(asked(), 'answered', [three, friday], english)).toEqual({
    kind: 'question',
    state: 'answered',
    text: '❓ Which chapter?\n✓ Three\n\n❓ Until when?\n✓ by Friday',
  });
});

test.each([
  ['expired', 'en', 'Not answered. Ask again any time.'],
  ['expired', 'de', 'Nicht beantwortet. Frag jederzeit wieder.'],
  ['expired', 'zh-CN', '没有收到回答。随时可以再问。'],
  ['closed', 'en', 'Closed.'],
  ['closed', 'de', 'Geschlossen.'],
  ['closed', 'zh-CN', '已关闭。'],
  ['answered', 'en', '⏭ Skipped.'],
  ['answered', 'de', '⏭ Übersprungen.'],
  ['answered', 'zh-CN', '⏭ 已跳过。'],
] as const)('%s, it says so to those who read %s, below what was not answered', (state, locale, ending) => {
  expect(closedCard(asked(), state, [three], wordsFor(locale))).toEqual({
    kind: 'question',
    state,
    text: `❓ Which chapter?\n✓ Three\n\n❓ Until when?\n${ending}`,
  });
});

test('a question that is no card is shown as it is, and its end in words', () => {
  const odd = asked([], { city: 'Ulm?' });
  expect(openCard(odd)).toEqual({ kind: 'question', state: 'open', text: '❓ {"city":"Ulm?"}' });
  expect(closedCard(odd, 'expired', [], english).text).toBe('Not answered. Ask again any time.');
});

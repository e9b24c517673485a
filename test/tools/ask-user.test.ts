import { describe, expect, test } from 'vitest';
import { CallId, UserId } from '../../src/domain/ids.ts';
import type { QuestionCard } from '../../src/domain/question.ts';
import { answersText, askUser } from '../../src/tools/ask-user.ts';

const DAY_S = 24 * 3600;

/** The card as it is stored, hence after a round trip through JSON. */
async function cardFor(args: Record<string, unknown>): Promise<QuestionCard> {
  const result = await run(args);
  if (result.kind !== 'pause') throw new Error(JSON.stringify(result));
  return JSON.parse(JSON.stringify(result.question));
}

function run(args: Record<string, unknown>) {
  return askUser.run(args, {
    callId: CallId('c1'),
    idempotencyKey: 'term:local:t1:c1',
    user: undefined,
    signal: new AbortController().signal,
  });
}

async function optionsOf(options: unknown, more: Record<string, unknown> = {}) {
  const card = await cardFor({ questions: [{ prompt: 'Which?', options, ...more }] });
  return card.questions[0]?.options;
}

test('a full card pauses the turn with everything the model asked for', async () => {
  const card = await cardFor({
    intro: 'Before I plan:',
    questions: [
      {
        id: 'depth',
        header: 'Depth',
        prompt: 'How deep?',
        options: [{ label: 'Proof', description: 'with limits' }, { label: 'Example' }],
        multi_select: true,
        allow_free_text: false,
        placeholder: 'or say it',
      },
      { prompt: 'Which chapter?' },
    ],
    answerers: 'anyone',
    expires_in: 3600,
  });
  expect(card).toEqual({
    intro: 'Before I plan:',
    questions: [
      {
        id: 'depth',
        header: 'Depth',
        prompt: 'How deep?',
        options: [{ label: 'Proof', description: 'with limits' }, { label: 'Example' }],
        multiSelect: true,
        allowFreeText: false,
        placeholder: 'or say it',
      },
      { id: 'q2', prompt: 'Which chapter?', options: [], multiSelect: false, allowFreeText: true },
    ],
    answerers: 'anyone',
    expiresInS: 3600,
    cut: [],
  });
});

test('one question is enough, the rest has defaults', async () => {
  expect(await cardFor({ questions: [{ prompt: 'Which chapter?' }] })).toEqual({
    questions: [{ id: 'q1', prompt: 'Which chapter?', options: [], multiSelect: false, allowFreeText: true }],
    answerers: 'asker',
    expiresInS: 14 * DAY_S,
    cut: [],
  });
});

test('it is published as a question that needs its list, in plain JSON schema', () => {
  expect(askUser.required).toEqual(['questions']);
  expect(askUser.isQuestion).toBe(true);
  expect(askUser.mode).toBe('exclusive');
  const published = JSON.stringify(askUser.schema.parameters);
  const names = ['prompt', 'header', 'options', 'label', 'description', 'multi_select', 'allow_free_text'];
  for (const name of [...names, 'placeholder', 'id', 'intro', 'answerers', 'expires_in']) {
    expect(published).toContain(`"${name}":`);
  }
  expect(published).toContain('"maxLength":800');
  expect(published).not.toContain('anyOf');
});

describe('lenient where the meaning is plain', () => {
  test('options may be plain strings or numbers, and null means left out', async () => {
    expect(
      await optionsOf(['Yes', 2, { label: 'No', description: null }], { id: null, header: null }),
    ).toEqual([{ label: 'Yes' }, { label: '2' }, { label: 'No' }]);
  });

  test('blank and repeated labels are dropped', async () => {
    expect(await optionsOf(['Yes', ' ', 'yes', 'No', 'Yes'])).toEqual([{ label: 'Yes' }, { label: 'No' }]);
  });

  test.each(['other', 'Other…', 'OTHER...', '其他', '其它：'])(
    '%s is dropped when free text is allowed',
    async (other) => {
      expect(await optionsOf(['Yes', other])).toEqual([{ label: 'Yes' }]);
      expect(await optionsOf(['Yes', other], { allow_free_text: false })).toHaveLength(2);
    },
  );

  test('a label that only begins with other stays', async () => {
    expect(await optionsOf(['other sets', 'another'])).toHaveLength(2);
  });

  test('flags and numbers may be text', async () => {
    const questions = [
      { prompt: 'Which?', options: ['a', 'b'], multi_select: 'true', allow_free_text: 'false' },
    ];
    const card = await cardFor({ questions, expires_in: '60' });
    expect(card.questions[0]).toMatchObject({ multiSelect: true, allowFreeText: false });
    expect(card.expiresInS).toBe(60);
  });

  test('a question may stand alone or be plain text', async () => {
    expect((await cardFor({ questions: 'Which?' })).questions[0]?.prompt).toBe('Which?');
    expect((await cardFor({ questions: ['Which?', { prompt: 'When?' }] })).questions[1]?.prompt).toBe(
      'When?',
    );
    expect((await cardFor({ questions: { prompt: 'Which?' } })).questions).toHaveLength(1);
  });

  test('a question that nobody could answer allows free text', async () => {
    const card = await cardFor({ questions: [{ prompt: 'Which?', options: [' '], allow_free_text: false }] });
    expect(card.questions[0]).toMatchObject({ options: [], allowFreeText: true });
  });

  test('repeated ids get a number', async () => {
    const card = await cardFor({
      questions: [
        { prompt: 'a', id: 'q2' },
        { prompt: 'b' },
        { prompt: 'c', id: 'q2' },
        { prompt: 'd', id: ' ' },
      ],
    });
    expect(card.questions.map(({ id }) => id)).toEqual(['q2', 'q2_2', 'q2_3', 'q4']);
  });

  test.each([
    [0, 10],
    [-5, 10],
    [10.4, 10],
    [1e300, 180 * DAY_S],
  ])('an expiry of %d seconds becomes %d', async (wanted, expected) => {
    expect((await cardFor({ questions: ['Which?'], expires_in: wanted })).expiresInS).toBe(expected);
  });
});

describe('what is too much is cut', () => {
  test('texts end in an ellipsis, counted in code points', async () => {
    const long = '😀'.repeat(900);
    const card = await cardFor({
      intro: long,
      questions: [
        { prompt: long, header: long, placeholder: long, options: [{ label: long, description: long }] },
      ],
    });
    const [first] = card.questions;
    const lengths = [
      card.intro,
      first?.prompt,
      first?.header,
      first?.placeholder,
      first?.options[0]?.label,
      first?.options[0]?.description,
    ].map((text) => [Array.from(text ?? '').length, text?.endsWith('😀…')]);
    expect(lengths).toEqual([
      [400, true],
      [800, true],
      [16, true],
      [120, true],
      [120, true],
      [200, true],
    ]);
  });

  test('labels and headers are one line', async () => {
    expect(await optionsOf(['two\n  lines'])).toEqual([{ label: 'two lines' }]);
  });

  test('questions beyond four and options beyond eight are named, and the model is told', async () => {
    const options = Array.from({ length: 9 }, (_, at) => `option ${at + 1}`);
    const questions = [{ prompt: 'one', options }, 'two', 'three', 'four', 'five', 'six'];
    const card = await cardFor({ questions });
    expect(card.questions.map(({ prompt }) => prompt)).toEqual(['one', 'two', 'three', 'four']);
    expect(card.questions[0]?.options).toHaveLength(8);
    expect(card.cut).toEqual(['option 9', 'five', 'six']);

    const answers = { answers: [], by: UserId('term:me'), at: '2026-12-01T09:00:00.000Z' };
    expect(JSON.parse(answersText(card, answers))).toEqual({ ...answers, not_shown: card.cut });
    expect(JSON.parse(answersText({ ...card, cut: [] }, answers))).toEqual(answers);
  });

  test('ten thousand questions leave a short list of names', async () => {
    const card = await cardFor({
      questions: Array.from({ length: 10_000 }, (_, at) => `${at} ${'x'.repeat(500)}`),
    });
    expect(card.cut).toHaveLength(9);
    expect(card.cut.at(-1)).toBe('and 9988 more');
    expect(JSON.stringify(card.cut).length).toBeLessThan(700);
  });
});

test.each([
  [{ questions: [] }, 'questions: expected a list of at least 1 and at most 4 items, got a list of 0.'],
  [{}, 'questions: expected a list of at least 1 and at most 4 items, got nothing.'],
  [{ questions: [{ prompt: '  ' }] }, 'questions[0].prompt: write the question, it is blank.'],
  [
    { questions: [{ question: 'Which?' }] },
    'questions[0].prompt: expected text of at most 800 characters, got nothing.',
  ],
  [
    { questions: [{ prompt: 'Which?', options: [{ text: 'a' }] }] },
    'questions[0].options[0].label: expected text of at most 120 characters, got nothing.',
  ],
  [{ questions: ['Which?'], answerers: 'all' }, 'answerers: expected one of "asker", "anyone", got "all".'],
  [{ questions: ['Which?'], expires_in: 'soon' }, 'expires_in: expected a number, at least 10, got "soon".'],
])('refuses %j as a failed result', async (args, problem) => {
  const result = await run(args);
  expect(result).toMatchObject({ kind: 'failed', badArgs: true });
  expect(result.kind === 'failed' && result.text).toContain(`- ${problem}\n`);
});

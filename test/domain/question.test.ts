import { describe, expect, test } from 'vitest';
import { isQuestionCard, optionKeys, type Question, readAnswer, skipped } from '../../src/domain/question.ts';

const base: Question = {
  id: 'q1',
  prompt: 'Which?',
  options: [],
  multiSelect: false,
  allowFreeText: true,
};
const ask = (labels: readonly string[], changes: Partial<Question> = {}): Question => ({
  ...base,
  options: labels.map((label) => ({ label })),
  ...changes,
});

test('a typed number or label chooses the option, anything else is free text', () => {
  const proof = ask(['Yes', 'Just an example']);
  expect(readAnswer(proof, '2')).toEqual({
    id: 'q1',
    selected: ['Just an example'],
    text: '',
    status: 'answered',
  });
  expect(readAnswer(proof, 'just an EXAMPLE')?.selected).toEqual(['Just an example']);
  expect(readAnswer(proof, 'both, please')).toEqual({
    id: 'q1',
    selected: [],
    text: 'both, please',
    status: 'answered',
  });
});

test('a question can be skipped', () => {
  expect(skipped(base)).toEqual({ id: 'q1', selected: [], text: '', status: 'skipped' });
});

describe('one choice', () => {
  const strict = ask(['Yes', 'No, thanks', 'ＡＢＣ'], { allowFreeText: false });
  test.each([
    ['1', ['Yes']],
    [' 1) ', ['Yes']],
    ['2.', ['No, thanks']],
    ['１', ['Yes']],
    ['yes!', ['Yes']],
    ['no,  thanks', ['No, thanks']],
    ['abc', ['ＡＢＣ']],
    ['0', undefined],
    ['4', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1, 2', undefined],
    ['maybe', undefined],
    ['', undefined],
    ['  \n ', undefined],
  ])('%j', (text, selected) => {
    expect(readAnswer(strict, text)?.selected).toEqual(selected);
  });
});

describe('several choices', () => {
  const strict = ask(['Limits', 'Series', 'Paris, France'], { multiSelect: true, allowFreeText: false });
  const open = { ...strict, allowFreeText: true };
  test.each([
    ['1,2', ['Limits', 'Series']],
    ['1 2', ['Limits', 'Series']],
    ['2，1', ['Series', 'Limits']],
    ['limits, series', ['Limits', 'Series']],
    ['series、1', ['Series', 'Limits']],
    ['1, 1, limits', ['Limits']],
    ['Paris, France', ['Paris, France']],
    ['3', ['Paris, France']],
    ['1, 9', undefined],
    ['limits, integrals', undefined],
    [',', undefined],
  ])('%j', (text, selected) => {
    expect(readAnswer(strict, text)?.selected).toEqual(selected);
  });

  test('what is no option becomes free text beside the choices, where that is allowed', () => {
    expect(readAnswer(open, 'limits, and integrals')).toEqual({
      id: 'q1',
      selected: ['Limits'],
      text: 'and integrals',
      status: 'answered',
    });
    expect(readAnswer(open, 'neither of them')?.text).toBe('neither of them');
  });
});

describe('labels that are numbers', () => {
  const sum = ask(['4', '3', '5'], { allowFreeText: false });
  test('get letters as keys, so that a typed number is always the label', () => {
    expect(optionKeys(sum)).toEqual(['a', 'b', 'c']);
    expect(readAnswer(sum, '3')?.selected).toEqual(['3']);
    expect(readAnswer(sum, 'B')?.selected).toEqual(['3']);
    expect(readAnswer(sum, '1')).toBeUndefined();
  });
});

test('without options every text is the answer, or none when free text is off', () => {
  expect(readAnswer(base, ' chapter 3 ')?.text).toBe('chapter 3');
  expect(readAnswer({ ...base, allowFreeText: false }, 'chapter 3')).toBeUndefined();
});

test('a label made of closing marks only can still be chosen', () => {
  expect(readAnswer(ask(['!', '...']), '!')?.selected).toEqual(['!']);
});

test('a factorial is told from its number', () => {
  const factorial = ask(['5', '5!'], { allowFreeText: false });
  expect(readAnswer(factorial, '5!')?.selected).toEqual(['5!']);
  expect(readAnswer(factorial, '5')?.selected).toEqual(['5']);
});

test('a pasted page is free text, and is not searched for choices', () => {
  const page = `${'!'.repeat(200_000)}x,1`;
  expect(readAnswer(ask(['Yes'], { multiSelect: true }), page)?.text).toBe(page);
});

test('a card is told from what another tool may pause with', () => {
  const card = { questions: [base], answerers: 'asker', expiresInS: 60, cut: [] };
  expect(isQuestionCard(card)).toBe(true);
  for (const other of [undefined, null, 'Which?', {}, { questions: [] }, { questions: [{ prompt: 'a' }] }]) {
    expect(isQuestionCard(other)).toBe(false);
  }
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  exercisesIn,
  nextExercise,
  openExercise,
  readAttempt,
  solutionOf,
} from '../../../src/model/practice/exercise.ts';
import { wordsOf } from '../../../src/model/practice/language.ts';
import { setExercise } from '../../../src/model/practice/quiz.ts';
import { talk } from './talk.ts';

/** The task that was set in an answer. */
function taskIn(answer: string): string {
  return exercisesIn([answer])[0]?.task ?? 'none';
}

/** A conversation in which an exercise is open, and the exact answer to it. */
function quiz(wish: string) {
  const lesson = talk();
  lesson.says(wish);
  const open = openExercise([lesson.answer]);
  const solution = open && solutionOf(open);
  if (solution === undefined) throw new Error(`no exercise in ${lesson.answer}`);
  return { lesson, task: taskIn(lesson.answer), solution };
}

describe('an exercise', () => {
  test('is set, and a right answer ends it', () => {
    const { lesson, solution } = quiz('give me an equation');
    expect(lesson.answer).toMatch(/^✏️ \*\*Solve:\*\* .*=.*\n\nWrite your answer\./);
    lesson.says(`I think ${solution.answer}`);
    expect(lesson.answer).toBe(`✅ Right! **${solution.answer}**\n\nSay “next” for another one.`);
  });

  test('is the same for the same conversation, and another one when asked again', () => {
    const [one, two] = [quiz('quiz me'), quiz('quiz me')];
    expect(one.task).toBe(two.task);
    one.lesson.says('next');
    expect(taskIn(one.lesson.answer)).not.toBe(one.task);
  });

  test('answers a wrong attempt with a hint, then the next hint, then the way', () => {
    const { lesson, solution } = quiz('give me an equation');
    const wrong = solution.exact.add(1).toFraction();
    lesson.says(`x = ${wrong}`);
    expect(lesson.answer).toMatch(
      /^Not yet: with x = .* the left side is .* and the right side .*\n\n💡 Hint: .*What do you get\?$/,
    );
    lesson.says(wrong);
    expect(lesson.answer).toMatch(/\n\n💡 Hint: then it says .*\. And now\?$/);
    lesson.says(wrong);
    expect(lesson.answer).toContain('📖 This is the way:');
    expect(lesson.answer).toContain(`**${solution.answer}**`);
    lesson.says(solution.answer);
    expect(lesson.answer).not.toContain('✅');
  });

  test('gives hints and the way when asked', () => {
    const { lesson, solution } = quiz('quiz me on sums');
    lesson.says('hint');
    expect(lesson.answer).toMatch(/^💡 Hint: Start with .*What do you get\?$/);
    lesson.says('I give up');
    expect(lesson.answer).toMatch(/^📖 This is the way:/);
    expect(lesson.answer).toContain(`**${solution.answer}**`);
  });

  test('stays open while something else is worked', () => {
    const { lesson, task, solution } = quiz('give me an equation');
    lesson.says('what is 12*7?');
    expect(lesson.answer).toContain('**12 × 7 = 84**');
    expect(lesson.answer).toMatch(
      new RegExp(`Your exercise is still open: ${task.replace(/[()+/]/g, '\\$&')}$`),
    );
    lesson.says(solution.answer);
    expect(lesson.answer).toMatch(/^✅/);
  });

  test.each([
    ['frag mich ab', /^✏️ \*\*(?:Löse|Rechne):\*\*/],
    ['gib mir eine Aufgabe mit Brüchen', /^✏️ \*\*Rechne:\*\* \d+\/\d+ [-+×] /],
    ['考考我', /^✏️ \*\*(?:解方程|计算):\*\*/],
    ['出一道方程题', /^✏️ \*\*解方程:\*\*/],
    ['I want to practise percentages', /^✏️ \*\*Work out:\*\* \d+% × \d+/],
    ['test me', /^✏️/],
  ])('%s', (wish, expected) => {
    const lesson = talk();
    lesson.says(wish);
    expect(lesson.answer).toMatch(expected);
  });
});

describe('what counts as an answer to 3x + 4 = 19', () => {
  const solution = solutionOf({ topic: 'equation', task: '3x + 4 = 19' });
  test.each([
    ['5', 'value 5'],
    ['x = 5', 'value 5'],
    ['5 = x', 'value 5'],
    ['I think it is 5.', 'value 5'],
    ['答案是5', 'value 5'],
    ['-5', 'value -5'],
    ['5.0', 'value 5.0'],
    ['10/2', 'value 10/2'],
    ['(19-4)/3', 'value 5'],
    ['2 1/2', 'value 2 1/2'],
    ['3x = 15', 'step 3x = 15'],
    ['3x + 4 = 19', 'nothing'],
    ['3x = 16', 'nothing'],
    ['2x = 8', 'nothing'],
    ['12*7', 'nothing'],
    ['5 or 6', 'nothing'],
    ['no idea', 'nothing'],
    ['y = 5', 'nothing'],
  ])('%s → %s', (text, expected) => {
    const attempt = solution && readAttempt(text, solution);
    const shown =
      attempt === undefined
        ? 'nothing'
        : attempt.kind === 'step'
          ? `step ${attempt.equation}`
          : `value ${attempt.text}`;
    expect(shown).toBe(expected);
  });
});

test('a sum may be answered as a fraction, a mixed number, a decimal or a line; a near miss is called close', () => {
  const solution = solutionOf({ topic: 'fraction', task: '3/4 + 5/6' });
  if (solution === undefined) throw new Error('it can be worked');
  for (const text of ['19/12', '1 7/12', '38/24', '3/4 + 5/6 = 19/12', '9/12 + 10/12']) {
    const attempt = readAttempt(text, solution);
    expect([text, attempt?.kind === 'value' && attempt.value.equals(solution.exact)]).toEqual([text, true]);
  }
  const lesson = talk();
  lesson.says('quiz me on fractions');
  const open = openExercise([lesson.answer]);
  const exact = open && solutionOf(open)?.exact;
  lesson.says(((exact?.valueOf() ?? 0) + 0.001).toFixed(4));
  expect(lesson.answer).toContain('very close');
});

test('every exercise has a solution, is found again in what was said, and differs from those before', () => {
  const topic = fc.constantFrom('equation', 'sum', 'fraction', 'percent' as const);
  fc.assert(
    fc.property(fc.string(), topic, fc.constantFrom('en', 'de', 'zh' as const), (seed, kind, language) => {
      const first = nextExercise(seed, [], kind);
      const second = nextExercise(seed, [first], kind);
      expect(second.task).not.toBe(first.task);
      expect(openExercise([setExercise(first, wordsOf(language))])).toEqual({ ...first, hints: 0 });
      const solution = solutionOf(first);
      expect(solution?.answer).toMatch(/=/);
      expect(solution && readAttempt(solution.exact.toFraction(), solution)).toMatchObject({ kind: 'value' });
    }),
    { numRuns: 500 },
  );
});

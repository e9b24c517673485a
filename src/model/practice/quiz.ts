/** Exercises in conversation: setting one, answering an attempt, hints first, then the way. */
import { isCannot } from '../../maths/cannot.ts';
import { evaluate } from '../../maths/evaluate.ts';
import { substitute, write } from '../../maths/expression.ts';
import { parseExpression } from '../../maths/parse.ts';
import { fractionText } from '../../maths/rational.ts';
import {
  type Attempt,
  type Exercise,
  marks,
  type OpenExercise,
  type Solution,
  solutionOf,
} from './exercise.ts';
import type { Words } from './words.ts';
import { writeEquation, writeSum } from './worked.ts';

/** An attempt this near is called close. */
const CLOSE = 0.01;

export function setExercise({ topic, task }: Exercise, words: Words): string {
  const verb = topic === 'equation' ? words.quiz.solve : words.quiz.compute;
  return `${marks.exercise} **${verb}:** ${task}\n\n${words.quiz.how}`;
}

export function answerAttempt(
  exercise: OpenExercise,
  solution: Solution,
  attempt: Attempt,
  words: Words,
): string {
  if (attempt.kind === 'step') return words.quiz.goodStep(attempt.equation);
  if (attempt.value.equals(solution.exact)) {
    return `${marks.right} ${words.quiz.right(solution.answer)}\n\n${words.quiz.next}`;
  }
  const isClose = Math.abs(attempt.value.valueOf() - solution.exact.valueOf()) < CLOSE;
  const verdict = isClose ? words.quiz.close(attempt.text) : wrong(exercise, solution, attempt, words);
  return `${verdict}\n\n${giveHint(exercise, solution, words)}`;
}

/** The next hint, or the way once there are no more. */
export function giveHint(exercise: OpenExercise, solution: Solution, words: Words): string {
  const hint = hintsFor(solution, words)[exercise.hints];
  return hint === undefined ? showSolution(exercise, words) : `${marks.hint} ${hint}`;
}

export function showSolution(exercise: Exercise, words: Words): string {
  const solution = solutionOf(exercise);
  if (solution === undefined) return words.abilities;
  const way =
    solution.topic === 'equation' ? writeEquation(solution.solved, words) : writeSum(solution.worked, words);
  return `${marks.solution} ${words.quiz.solution}\n\n${way}\n\n${words.quiz.next}`;
}

/** What to begin with, then the line after that; never the solution itself. */
function hintsFor(solution: Solution, words: Words): readonly string[] {
  if (solution.topic === 'equation') {
    const [step, ...more] = solution.solved.steps;
    if (step === undefined) return [];
    const first = words.quiz.firstStep(words.equationStep(step));
    return more.length === 0 ? [first] : [first, words.quiz.thenLine(step.equation)];
  }
  const [step, ...more] = solution.worked.steps;
  if (step === undefined) return [];
  const then = more.length === 0 ? step.over : step.after;
  const first = words.quiz.firstStep(words.part(step));
  return then === undefined ? [first] : [first, words.quiz.thenLine(then)];
}

/** For an equation the attempt is put in, so that the learner sees why. */
function wrong(
  exercise: Exercise,
  solution: Solution,
  attempt: Extract<Attempt, { kind: 'value' }>,
  words: Words,
): string {
  if (solution.topic !== 'equation') return words.quiz.wrong(attempt.text);
  const [left, right] = exercise.task.split('=').map((side) => {
    const parsed = parseExpression(side);
    if (isCannot(parsed)) return undefined;
    const filled = substitute(parsed.expression, solution.solved.letter, {
      kind: 'number',
      value: attempt.value,
    });
    const value = evaluate(filled);
    if (isCannot(value)) return undefined;
    const [written, result] = [write(filled, parsed.style), fractionText(value)];
    return written === result ? result : `${written} = ${result}`;
  });
  if (left === undefined || right === undefined) return words.quiz.wrong(attempt.text);
  return words.quiz.wrongSides(`${solution.solved.letter} = ${fractionText(attempt.value)}`, left, right);
}

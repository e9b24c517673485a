/** Exercises: made from the conversation without chance, found again in what was said, and checked exactly. */
import { arithmeticSteps, type WorkedSum } from '../../maths/arithmetic.ts';
import { isCannot } from '../../maths/cannot.ts';
import { evaluate } from '../../maths/evaluate.ts';
import { findMaths } from '../../maths/find.ts';
import { type SolvedEquation, solveLinear } from '../../maths/linear.ts';
import { plainNotation } from '../../maths/notation.ts';
import { parseExpression } from '../../maths/parse.ts';
import type { Rational } from '../../maths/rational.ts';
import type { Task, Topic } from './task.ts';

/** Marks in our own answers, by which an exercise and its end are known again. The same in every language. */
export const marks = { exercise: '✏️', hint: '💡', right: '✅', solution: '📖' } as const;

export interface Exercise {
  readonly topic: Topic;
  readonly task: string;
}

export interface OpenExercise extends Exercise {
  /** Hints given so far. */
  readonly hints: number;
}

/** The exercise that the next message may answer. */
export function openExercise(said: readonly string[]): OpenExercise | undefined {
  let open: OpenExercise | undefined;
  for (const line of said.flatMap((text) => text.split('\n'))) {
    if (line.startsWith(marks.exercise)) open = readExercise(line) ?? open;
    else if (line.startsWith(marks.right) || line.startsWith(marks.solution)) open = undefined;
    else if (line.startsWith(marks.hint) && open) open = { ...open, hints: open.hints + 1 };
  }
  return open;
}

/** Every exercise set so far, oldest first. */
export function exercisesIn(said: readonly string[]): readonly Exercise[] {
  return said
    .flatMap((text) => text.split('\n'))
    .flatMap((line) => (line.startsWith(marks.exercise) ? (readExercise(line) ?? []) : []));
}

function readExercise(line: string): OpenExercise | undefined {
  const [first] = findMaths(line).found;
  if (first === undefined) return undefined;
  const task = shown(line);
  return { topic: first.kind === 'equation' ? 'equation' : topicOfSum(task), task, hints: 0 };
}

function topicOfSum(task: string): Topic {
  if (task.includes('%')) return 'percent';
  return /^\d+\/\d+/.test(task) ? 'fraction' : 'sum';
}

/** The task as it was written: what stands behind the bold word. */
function shown(line: string): string {
  return line.slice(line.lastIndexOf('**') + 2).trim();
}

/**
 * Another exercise. Equal conversations get equal exercises; `topic` left out takes turns. Never one of `before`.
 */
export function nextExercise(seedText: string, before: readonly Exercise[], topic?: Topic): Exercise {
  const taken = new Set(before.map((exercise) => exercise.task));
  for (let salt = before.length; ; salt++) {
    const draw = drawing(`${salt} ${seedText}`);
    const kind = topic ?? (before.at(-1)?.topic === 'equation' ? 'sum' : 'equation');
    const task = tasks[kind](draw);
    if (!taken.has(task)) return { topic: kind, task };
  }
}

/**
 * An exercise with the signs of what was worked last and other numbers; one whose result is a number. Undefined when
 * nothing was worked.
 */
export function exerciseLike(worked: readonly Task[], before: readonly Exercise[]): Exercise | undefined {
  const last = worked.find((task) => task.kind === 'sum' || task.kind === 'equation');
  if (last === undefined) return undefined;
  const taken = new Set(before.map(({ task }) => task));
  const text = plainNotation(last.text).replaceAll('*', '×');
  for (let salt = 0; salt < 50; salt++) {
    const draw = drawing(`${salt} ${text}`);
    const task = text.replaceAll(/\d+/g, (digits) => String(near(Number(digits), draw)));
    const topic = last.kind === 'equation' ? 'equation' : topicOfSum(task);
    if (task === text || taken.has(task)) continue;
    const read = readExercise(`${marks.exercise} **x** ${task}`);
    if (read?.task === task && solutionOf({ topic: read.topic, task }) !== undefined) return { topic, task };
  }
  return undefined;
}

/** Another number of about the same size. */
function near(value: number, draw: Draw): number {
  if (value <= 1) return value;
  return draw(Math.max(2, Math.ceil(value * 0.6)), Math.max(3, Math.floor(value * 1.4)));
}

/** What an exercise comes to: its solution in steps. Undefined only for text that is no exercise of ours. */
export function solutionOf({ topic, task }: Exercise): Solution | undefined {
  if (topic === 'equation') {
    const solved = solveLinear(task);
    if (isCannot(solved) || solved.kind !== 'solved' || solved.exact === undefined) return undefined;
    return { topic, solved, answer: `${solved.letter} = ${solved.value}`, exact: solved.exact };
  }
  const worked = arithmeticSteps(task);
  if (isCannot(worked)) return undefined;
  return { topic, worked, answer: `${worked.expression} = ${worked.value}`, exact: worked.exact };
}

export type Solution = { readonly answer: string; readonly exact: Rational } & (
  | { readonly topic: 'equation'; readonly solved: Extract<SolvedEquation, { kind: 'solved' }> }
  | { readonly topic: Exclude<Topic, 'equation'>; readonly worked: WorkedSum }
);

export type Attempt =
  /** A number, as it was understood. */
  | { readonly kind: 'value'; readonly value: Rational; readonly text: string }
  /** An equation that is not the solution yet but has the same solution. */
  | { readonly kind: 'step'; readonly equation: string };

/** Reads a message as an answer to an exercise; undefined when it is about something else. */
export function readAttempt(text: string, solution: Solution): Attempt | undefined {
  const { plain, found } = findMaths(withMixedNumbers(text));
  const [first, ...more] = found;
  if (first === undefined) return onlyNumber(plain);
  if (more.length > 0) return undefined;
  if (first.kind === 'equation' && solution.topic === 'equation') {
    const solved = solveLinear(first.text, solution.solved.letter);
    if (isCannot(solved) || solved.kind !== 'solved' || solved.exact === undefined) return undefined;
    if (solved.steps.every((step) => step.action === 'swap'))
      return { kind: 'value', value: solved.exact, text: solved.value };
    const same = solved.exact.equals(solution.exact) && solved.equation !== solution.solved.equation;
    return same ? { kind: 'step', equation: solved.equation } : undefined;
  }
  // "2 + 24 = 26": what stands last is the answer.
  const worked = arithmeticSteps(first.text.split('=').at(-1) ?? '');
  if (isCannot(worked)) return undefined;
  // A fraction is an answer whatever it is worth; a longer sum only when it comes to the right one.
  const isNumber = /^-?\d+\/\d+$/.test(worked.expression) || /^-?\d+ \+ \d+\/\d+$/.test(worked.expression);
  if (!isNumber && !worked.exact.equals(solution.exact)) return undefined;
  return {
    kind: 'value',
    value: worked.exact,
    text: isNumber ? worked.expression.replace(' + ', ' ') : worked.value,
  };
}

/** "4", "I think it is -4", "2 1/2": one number and nothing that needs a sign. */
function onlyNumber(plain: string): Attempt | undefined {
  const numbers = plain.match(/(?<![a-z\d])-?\d+(?:[.,]\d+)*%?(?![a-z\d])/gi) ?? [];
  const [text, ...more] = numbers;
  if (text === undefined || more.length > 0 || plain.length > 120) return undefined;
  const parsed = parseExpression(text);
  if (isCannot(parsed)) return undefined;
  const value = evaluate(parsed.expression);
  return isCannot(value) ? undefined : { kind: 'value', value, text };
}

/** A mixed number such as 2 1/2 is one number. */
function withMixedNumbers(text: string): string {
  return plainNotation(text).replace(/(?<![\d.,/])(\d+) (\d+)\/(\d+)(?![\d/])/g, '$1 + $2/$3');
}

type Draw = (from: number, to: number) => number;

/** Numbers that follow from a text: FNV-1a for the seed, xorshift for the rest. */
function drawing(text: string): Draw {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = state === 0 ? 1 : state;
  return (from, to) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return from + ((state >>> 0) % (to - from + 1));
  };
}

/** Made backwards from a small whole number, so that the steps stay friendly. */
function equationTask(draw: Draw): string {
  const x = draw(0, 1) === 0 ? draw(1, 12) : -draw(1, 6);
  const a = draw(2, 9);
  const b = draw(1, 15);
  switch (draw(0, 4)) {
    case 0:
      return `${a}x + ${b} = ${a * x + b}`;
    case 1:
      return `${a}x - ${b} = ${a * x - b}`;
    case 2:
      return `${a}(x + ${b}) = ${a * (x + b)}`;
    case 3: {
      const c = draw(1, a - 1);
      const rest = (a - c) * x + b;
      return `${a}x + ${b} = ${c === 1 ? '' : c}x ${rest < 0 ? '-' : '+'} ${Math.abs(rest)}`;
    }
    default:
      return `x/${a} + ${b} = ${x + b}`;
  }
}

function sumTask(draw: Draw): string {
  const [a, b, c] = [draw(2, 20), draw(2, 12), draw(2, 12)];
  switch (draw(0, 3)) {
    case 0:
      return `${a} + ${b} × ${c}`;
    case 1:
      return `(${a} + ${b}) × ${c} - ${draw(1, 30)}`;
    case 2:
      return `${a + 12} × ${b} - ${c}`;
    default:
      return `${c}^2 - ${a * b}/${b}`;
  }
}

function fractionTask(draw: Draw): string {
  const [b, d] = [draw(2, 12), draw(3, 9)];
  return `${draw(1, b - 1)}/${b} ${['+', '-', '×'][draw(0, 2)]} ${draw(1, d - 1)}/${d}`.replace(
    /× (\S+)$/,
    '× ($1)',
  );
}

function percentTask(draw: Draw): string {
  return `${draw(1, 19) * 5}% × ${draw(2, 40) * 10}`;
}

const tasks: Readonly<Record<Topic, (draw: Draw) => string>> = {
  equation: equationTask,
  sum: sumTask,
  fraction: fractionTask,
  percent: percentTask,
};

/**
 * The practice model's head: from a request to a reply, without chance, clock or memory. It knows sums, linear
 * equations and exercises on both, and a few errands; it asks back when a task has two meanings, and says plainly what it
 * cannot do.
 */
import { isCannot } from '../../maths/cannot.ts';
import { solveLinear } from '../../maths/linear.ts';
import { errandIn } from './errand.ts';
import {
  exerciseLike,
  exercisesIn,
  nextExercise,
  type OpenExercise,
  openExercise,
  readAttempt,
  type Solution,
  solutionOf,
} from './exercise.ts';
import { wordsOf } from './language.ts';
import { askingText, cardOf, type Question, questionAbout, questionText } from './question.ts';
import { type Resolution, resolve, settle } from './question-answer.ts';
import { answerAttempt, giveHint, setExercise, showSolution } from './quiz.ts';
import type { PracticeRequest } from './request.ts';
import { readSituation, type Situation } from './situation.ts';
import { type Task, type Topic, tasksIn } from './task.ts';
import type { Words } from './words.ts';
import { workedClaim, workedEquation, workedSum } from './worked.ts';

export interface Reply {
  readonly label: 'FINISH' | 'THINK' | 'TOOL';
  /** Is the label written? Only where the request asks for the label protocol. */
  readonly labelled: boolean;
  readonly text: string;
  readonly call?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
}

/** More tasks than this are not answered at once; the newest are. */
const MAX_SECTIONS = 3;

export function tutor(request: PracticeRequest): Reply {
  const situation = readSituation(request);
  const words = wordsOf(situation.language);
  const labelled = situation.labels;
  const errand = errandIn(situation, words);
  if (errand?.kind === 'text') return finish(errand.text);
  if (errand !== undefined) return { label: 'TOOL', labelled, text: words.errand.doing, call: errand };
  const exercise = openWithSolution(situation);
  const plan = planOf(situation, words, exercise);

  if (plan.kind === 'ask') {
    if (!situation.mayAsk) return finish(questionText(plan.question, words));
    const call = { name: 'ask_user', args: cardOf(plan.question, words) };
    return { label: 'TOOL', labelled, text: askingText(plan.question, words), call };
  }
  const tasks = plan.kind === 'tasks' ? plan.tasks : [];
  const thought = situation.mayThink
    ? tasks.map((task) => thinkingAbout(task, words)).find(isText)
    : undefined;
  if (thought !== undefined) return { label: 'THINK', labelled, text: thought };
  if (plan.kind === 'nothing') return finish(words.ask.noTask);

  const sections = tasks.map((task) => answer(task, situation, words, exercise));
  if (plan.chosen !== undefined) sections.unshift(words.ask.chosenFor(plan.chosen));
  return finish([...new Set(sections)].join('\n\n'));

  function finish(text: string): Reply {
    const parts = [text];
    if (situation.languageAsked) parts.unshift(words.switched);
    if (situation.said.length === 0) parts.unshift(`> ${words.introduction}`);
    return { label: 'FINISH', labelled, text: parts.join('\n\n') };
  }
}

type Exercise = { readonly open: OpenExercise; readonly solution: Solution };

type Plan =
  | { readonly kind: 'ask'; readonly question: Question }
  | { readonly kind: 'tasks'; readonly tasks: readonly Task[]; readonly chosen?: string }
  | { readonly kind: 'nothing' };

function openWithSolution({ said }: Situation): Exercise | undefined {
  const open = openExercise(said);
  const solution = open && solutionOf(open);
  return open && solution && { open, solution };
}

/** Goes through what is unanswered: messages bring tasks, replies settle the question that the tasks so far raise. */
function planOf(situation: Situation, words: Words, exercise: Exercise | undefined): Plan {
  let plan: Plan | undefined;
  for (const { kind, text } of situation.open) {
    const question = plan?.kind === 'ask' ? plan.question : undefined;
    const resolution = question && (kind === 'reply' ? resolve(question, text) : settle(question, text));
    if (resolution) plan = planAfter(resolution, words);
    else {
      // A choice that was left to us goes when something new is asked: the question may have been superseded.
      const before = plan?.kind === 'tasks' && plan.chosen === undefined ? plan.tasks : [];
      const tasks = [...before, ...tasksOf(text, situation, exercise)];
      const clear = tasks.filter((task) => task.kind !== 'other');
      // What was not understood says nothing beside what was; a question that is still open stays.
      if (clear.length > 0 || question === undefined) {
        plan = planFor((clear.length > 0 ? clear : tasks).slice(-MAX_SECTIONS), words);
      }
    }
  }
  // Only a wish for a language, or nothing new: the last thing is said again.
  return plan ?? planFor(tasksOf(situation.earlier.at(-1) ?? '', situation, exercise), words);
}

function planFor(tasks: readonly Task[], words: Words): Plan {
  const question = tasks.map((task) => questionAbout(task, words)).find((each) => each !== undefined);
  return question === undefined ? { kind: 'tasks', tasks } : { kind: 'ask', question };
}

function planAfter(resolution: Resolution, words: Words): Plan {
  if (resolution.kind === 'nothing') return resolution;
  const plan = planFor(resolution.tasks, words);
  return plan.kind === 'tasks' && resolution.chosen !== undefined
    ? { ...plan, chosen: resolution.chosen }
    : plan;
}

/** The tasks of a message in the light of the conversation: an attempt at the exercise, "solve it" for what was there. */
function tasksOf(text: string, situation: Situation, exercise: Exercise | undefined): readonly Task[] {
  const tasks = tasksIn(text);
  const isWish = tasks.some((task) => !isMaths(task) && task.kind !== 'other');
  if (!isWish && exercise && readAttempt(text, exercise.solution)) return [{ kind: 'attempt', text }];
  return tasks.map((task): Task => {
    if (task.kind !== 'solve_it') return task;
    if (exercise) return { kind: 'give_up' };
    const last = situation.earlier.toReversed().flatMap(tasksIn).find(isMaths);
    return last ?? task;
  });
}

function isMaths(task: Task): boolean {
  return task.kind === 'sum' || task.kind === 'equation' || task.kind === 'claim';
}

/** What is thought before an equation is solved; sums need none. */
function thinkingAbout(task: Task, words: Words): string | undefined {
  if (task.kind !== 'equation') return undefined;
  const solved = solveLinear(task.text, task.letter);
  return isCannot(solved) || solved.steps.length === 0
    ? undefined
    : words.plan(solved.equation, solved.letter);
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}

function answer(task: Task, situation: Situation, words: Words, exercise: Exercise | undefined): string {
  const reminder = exercise === undefined ? '' : `\n\n${words.quiz.stillOpen(exercise.open.task)}`;
  switch (task.kind) {
    case 'sum':
      return workedSum(task.text, words, task.options) + reminder;
    case 'claim':
      return workedClaim(task.left, task.right, words) + reminder;
    case 'equation':
      return workedEquation(task.text, task.letter, words) + reminder;
    case 'exercise':
      return newExercise(situation, words, task.topic);
    case 'like_that': {
      const like = exerciseLike(situation.earlier.toReversed().flatMap(tasksIn), exercisesIn(situation.said));
      return like === undefined ? words.quiz.nothingYet : setExercise(like, words);
    }
    case 'next':
      return newExercise(situation, words, exercisesIn(situation.said).at(-1)?.topic);
    case 'hint':
      return exercise ? giveHint(exercise.open, exercise.solution, words) : words.abilities;
    case 'give_up':
      return exercise ? showSolution(exercise.open, words) : words.abilities;
    case 'attempt': {
      const attempt = exercise && readAttempt(task.text, exercise.solution);
      return attempt ? answerAttempt(exercise.open, exercise.solution, attempt, words) : words.abilities;
    }
    case 'other':
      return words.abilities + reminder;
    // These are asked about before anything is answered.
    case 'practise':
    case 'solve_it':
      return words.abilities;
    default:
      return task satisfies never;
  }
}

function newExercise({ earlier, open, said }: Situation, words: Words, topic?: Topic): string {
  const seed = [...earlier, ...open.map((entry) => entry.text)].join('\n');
  return setExercise(nextExercise(seed, exercisesIn(said), topic), words);
}

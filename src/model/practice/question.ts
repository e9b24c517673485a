/** Asking back: which tasks leave something open, and the card that asks for it. */
import { isCannot } from '../../maths/cannot.ts';
import { evaluate } from '../../maths/evaluate.ts';
import { write } from '../../maths/expression.ts';
import { solveLinear } from '../../maths/linear.ts';
import { type ParseOptions, parseExpression } from '../../maths/parse.ts';
import { QUESTION_MARK } from './situation.ts';
import { type Task, tasksIn } from './task.ts';
import type { Words } from './words.ts';

export interface Question {
  /** Also the id on the card. */
  readonly id: 'reading' | 'percent' | 'letter' | 'practise' | 'task';
  readonly prompt: string;
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly label: string;
  readonly description?: string;
  readonly task: Task;
}

/** The question a task raises; undefined when it is clear. */
export function questionAbout(task: Task, words: Words): Question | undefined {
  switch (task.kind) {
    case 'sum':
      return task.options === undefined ? questionAboutSum(task.text, words) : undefined;
    case 'equation':
      return task.letter === undefined ? questionAboutLetter(task.text, words) : undefined;
    case 'practise':
      return {
        id: 'practise',
        prompt: words.ask.practise,
        choices: [
          { label: words.ask.equations, task: { kind: 'exercise', topic: 'equation' } },
          { label: words.ask.sums, task: { kind: 'exercise', topic: 'sum' } },
          { label: words.ask.fractions, task: { kind: 'exercise', topic: 'fraction' } },
          { label: words.ask.percents, task: { kind: 'exercise', topic: 'percent' } },
        ],
      };
    case 'solve_it':
      return {
        id: 'task',
        prompt: words.ask.task,
        choices: ['2x + 3 = 11', '3/4 + 1/6'].map((example) => ({
          label: words.ask.example(example),
          task: tasksIn(example)[0] ?? task,
        })),
      };
    default:
      return undefined;
  }
}

function questionAboutSum(text: string, words: Words): Question | undefined {
  const parsed = parseExpression(text);
  if (isCannot(parsed)) return undefined;
  if (parsed.ambiguities.includes('product_after_division')) {
    const { leftToRight, productTogether, reading } = words.ask;
    const choices = [
      readingOf(text, { implied: 'same' }, leftToRight),
      readingOf(text, { implied: 'tight' }, productTogether),
    ];
    return differing('reading', reading(text), choices);
  }
  if (parsed.ambiguities.includes('percent_added')) {
    const { shareOf, plainNumber, percent } = words.ask;
    const choices = [
      readingOf(text, { percentAdded: 'of_left' }, shareOf),
      readingOf(text, { percentAdded: 'number' }, plainNumber),
    ];
    return differing('percent', percent(text), choices);
  }
  return undefined;
}

interface Reading {
  readonly choice: Choice;
  readonly value: string;
}

function readingOf(text: string, options: ParseOptions, description: string): Reading | undefined {
  const parsed = parseExpression(text, options);
  if (isCannot(parsed)) return undefined;
  const value = evaluate(parsed.expression);
  return {
    choice: {
      label: write(parsed.expression, parsed.style),
      description,
      task: { kind: 'sum', text, options },
    },
    value: isCannot(value) ? value.reason : value.toFraction(),
  };
}

/** No question when both readings come to the same. */
function differing(
  id: Question['id'],
  prompt: string,
  readings: readonly (Reading | undefined)[],
): Question | undefined {
  const [one, other] = readings;
  if (one === undefined || other === undefined || one.value === other.value) return undefined;
  return { id, prompt, choices: [one.choice, other.choice] };
}

function questionAboutLetter(text: string, words: Words): Question | undefined {
  const solved = solveLinear(text);
  if (!isCannot(solved) || solved.reason !== 'which_letter') return undefined;
  const letters = solved.detail.split(', ').slice(0, 8);
  return {
    id: 'letter',
    prompt: words.ask.letter(text),
    choices: letters.map((letter) => ({ label: letter, task: { kind: 'equation', text, letter } })),
  };
}

/** The arguments of the `ask_user` call. */
export function cardOf(question: Question, words: Words): Readonly<Record<string, unknown>> {
  return {
    ...(isAmbiguous(question) && { intro: words.ask.lead }),
    questions: [
      {
        id: question.id,
        prompt: question.prompt,
        options: question.choices.map(({ label, description }) => ({
          label,
          ...(description !== undefined && { description }),
        })),
      },
    ],
  };
}

/** Does the question come from a task with several meanings, rather than from one that is missing? */
function isAmbiguous({ id }: Question): boolean {
  return id === 'reading' || id === 'percent';
}

/** What is said beside the card, in the trace. */
export function askingText(question: Question, words: Words): string {
  return isAmbiguous(question) ? words.ask.lead : question.prompt;
}

/** The same question as text, where there are no cards. */
export function questionText(question: Question, words: Words): string {
  const choices = question.choices.map(
    ({ label, description }, at) =>
      `${at + 1}. ${label}${description === undefined ? '' : ` (${description})`}`,
  );
  return [`${QUESTION_MARK} ${question.prompt}`, choices.join('\n'), words.ask.byText].join('\n\n');
}

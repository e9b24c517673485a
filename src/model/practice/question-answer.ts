/** What an answer makes of a question: the answer of a card, the words of a message, or no answer at all. */
import type { Choice, Question } from './question.ts';
import { type Task, tasksIn, topicIn } from './task.ts';

export type Resolution =
  /** What is to be done, and the choice made when the learner left it to us. */
  | { readonly kind: 'tasks'; readonly tasks: readonly Task[]; readonly chosen?: string }
  /** Nothing can be done without an answer. */
  | { readonly kind: 'nothing' };

/**
 * What an answer makes of the question. `answer` is the JSON of a card, or what a person wrote. Not answered (skipped,
 * no reply, superseded): the first choice is taken, except that there is no task to guess.
 */
export function resolve(question: Question, answer: string): Resolution {
  const settled = settle(question, answer);
  if (settled) return settled;
  const [first] = question.choices;
  if (question.id === 'task' || first === undefined) return { kind: 'nothing' };
  return { kind: 'tasks', tasks: [first.task], chosen: first.label };
}

/** As `resolve`, for a text that may be about something else: undefined when it does not settle the question. */
export function settle(question: Question, answer: string): Resolution | undefined {
  const { selected, text, answered } = readAnswer(answer);
  const choice = choiceOf(question, selected) ?? choiceOf(question, text);
  if (choice) return { kind: 'tasks', tasks: [choice.task] };
  const tasks = answered ? tasksIn(text).filter((task) => task.kind !== 'other') : [];
  return tasks.length > 0 ? { kind: 'tasks', tasks } : undefined;
}

interface Answer {
  readonly selected: string;
  readonly text: string;
  readonly answered: boolean;
}

function readAnswer(answer: string): Answer {
  const parsed = parsedJson(answer);
  const list = fieldsOf(parsed)['answers'];
  if (!Array.isArray(list)) return { selected: '', text: answer.trim(), answered: true };
  const first = fieldsOf(list[0]);
  const selected = Array.isArray(first['selected'])
    ? first['selected'].find((each) => typeof each === 'string')
    : '';
  return {
    selected: typeof selected === 'string' ? selected : '',
    text: typeof first['text'] === 'string' ? first['text'].trim() : '',
    answered: first['status'] === 'answered',
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Plain text is an answer too.
    return undefined;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

const ordinals: readonly RegExp[] = [
  /^(?:1|a|(?:the )?first(?: one)?|(?:das |die )?erste|第一[个种]?|前者)$/,
  /^(?:2|b|(?:the )?(?:second|latter)(?: one)?|(?:das |die )?zweite|第二[个种]?|后者)$/,
  /^(?:3|c|(?:the )?third(?: one)?|(?:das |die )?dritte|第三[个种]?)$/,
  /^(?:4|d|(?:the )?fourth(?: one)?|(?:das |die )?vierte|第四[个种]?)$/,
];

/** A choice by its label, its number or place, its topic, or the letter in "for y, please". */
function choiceOf(question: Question, answer: string): Choice | undefined {
  const said = even(answer);
  if (said === '') return undefined;
  const { choices, id } = question;
  const named = choices.find(
    ({ label, description }) => even(label) === said || even(description ?? '') === said,
  );
  if (named) return named;
  if (id === 'letter' && !/[=\d]/.test(said)) {
    const words = said.split(/[^\p{L}]+/u);
    const letter = choices.find(({ label }) => words.includes(label.toLowerCase()));
    if (letter) return letter;
  }
  if (id === 'practise') {
    const topic = topicIn(answer);
    const wanted = choices.find(({ task }) => task.kind === 'exercise' && task.topic === topic);
    if (wanted) return wanted;
  }
  if (id === 'reading' || id === 'percent') {
    const spaceless = said.replace(/\s/g, '');
    const read = choices.find(({ label }) => even(label).replace(/\s/g, '') === spaceless);
    if (read) return read;
  }
  return placed(choices, said);
}

function placed(choices: readonly Choice[], said: string): Choice | undefined {
  return choices[ordinals.findIndex((pattern) => pattern.test(said))];
}

function even(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s.!。！]+$/, '')
    .trim();
}

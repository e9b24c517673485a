/** What a button, menu or form of a question says: answers to its questions. Pure. */
import { type Answer, type Question, type QuestionCard, readAnswer, skipped } from '../domain/question.ts';
import type { ShownCard } from '../domain/surface-message.ts';

/** The answer that a button or menu stands for; `undefined` when the card has no such option. */
export function chosenAnswer(card: QuestionCard, option: number): Answer | undefined {
  const question = card.questions[0];
  const label = question?.options[option]?.label;
  if (question === undefined || label === undefined) return undefined;
  return { id: question.id, selected: [label], text: '', status: 'answered' };
}

/** What was filled into a form, text below `t` and the number of its question, positions of chosen options below `m`. */
export type FormFields = ReadonlyMap<string, string | readonly string[]>;

/**
 * An answer to every question of the card: those given before, those of the form, the rest skipped. `undefined`: the form
 * answers nothing.
 */
export function formAnswers(
  { card, answers }: Pick<ShownCard, 'card' | 'answers'>,
  fields: FormFields,
): Answer[] | undefined {
  const given = new Map(answers.map((answer) => [answer.id, answer]));
  let isAnswered = false;
  for (const { question, at } of openQuestions(card, answers)) {
    const answer = answerIn(question, fields.get(`m${at}`), fields.get(`t${at}`));
    if (answer === undefined) continue;
    isAnswered = true;
    given.set(question.id, answer);
  }
  if (!isAnswered) return undefined;
  return card.questions.map((question) => given.get(question.id) ?? skipped(question));
}

function answerIn(
  question: Question,
  values: string | readonly string[] | undefined,
  text: string | readonly string[] | undefined,
): Answer | undefined {
  const typed = typeof text === 'string' ? text.trim() : '';
  const picked = typeof values === 'string' || values === undefined ? [] : values;
  const selected = question.options.filter((_, at) => picked.includes(String(at))).map(({ label }) => label);
  if (selected.length === 0) return readAnswer(question, typed);
  return {
    id: question.id,
    selected: question.multiSelect ? selected : selected.slice(0, 1),
    text: question.allowFreeText ? typed : '',
    status: 'answered',
  };
}

/** The question of a card that asks for one choice and nothing else. */
export function onlyChoice({ questions }: QuestionCard): Question | undefined {
  const [question] = questions;
  const isChoice = question !== undefined && question.options.length > 0 && !question.multiSelect;
  return questions.length === 1 && isChoice ? question : undefined;
}

/** Not answered yet, each with its number. */
export function openQuestions(card: QuestionCard, answers: readonly Answer[]) {
  return card.questions
    .map((question, at) => ({ question, at }))
    .filter(({ question }) => !answers.some(({ id }) => id === question.id));
}

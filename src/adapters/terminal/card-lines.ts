/** A question as lines of text, its choices numbered (lettered where the labels are numbers themselves). */
import { type Answer, optionKeys, type Question, type QuestionCard } from '../../domain/question.ts';
import { harmless } from '../../render/harmless.ts';

/** One question of the card; the intro stands before the first one only. */
export function questionLines(card: QuestionCard, at: number): string[] {
  const question = card.questions[at];
  if (question === undefined) return [];
  const count = card.questions.length > 1 ? `(${at + 1} of ${card.questions.length}) ` : '';
  const header = question.header === undefined ? '' : `${question.header}: `;
  const intro = at === 0 && card.intro !== undefined ? [card.intro] : [];
  const keys = optionKeys(question);
  const options = question.options.map(
    ({ label, description }, index) =>
      `   ${keys[index]}  ${label}${description === undefined ? '' : ` – ${description}`}`,
  );
  return [...intro, `❓ ${count}${header}${question.prompt}`, ...options].flatMap((text) =>
    harmless(text).split('\n'),
  );
}

/** How to answer, in one line. */
export function howToAnswer(question: Question): string {
  const keys = optionKeys(question);
  const skip = '/skip to leave it open';
  if (keys.length === 0) return harmless(`   ${question.placeholder ?? 'your answer'} · ${skip}`);
  const which = keys.length === 1 ? `${keys[0]}` : `${keys[0]}–${keys.at(-1)}`;
  const several = question.multiSelect ? `${which}, several with commas between` : which;
  const free = question.allowFreeText ? ` or ${question.placeholder ?? 'your own words'}` : '';
  return harmless(`   ${several}${free} · ${skip}`);
}

/** What was understood, so that a wrong reading can be seen. */
export function answeredLine(answer: Answer): string {
  if (answer.status === 'skipped') return '⏭ left open';
  return harmless(`✓ ${[...answer.selected, answer.text].filter((part) => part !== '').join(', ')}`);
}

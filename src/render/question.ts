/** A question card as text: how it is asked, and how it reads once it is closed. */
import type { CallId, UserId } from '../domain/ids.ts';
import { type Answer, isQuestionCard, type Question } from '../domain/question.ts';
import type { SurfaceMessage } from '../domain/surface-message.ts';
import type { Words } from './words.ts';

export interface AskedCard {
  readonly callId: CallId;
  readonly question: unknown;
  readonly asker: UserId | undefined;
  readonly answers: readonly Answer[];
}

/** The open card. A question that is no card is shown as its JSON: better odd than invisible. */
export function openCard({ callId, question, asker, answers }: AskedCard): SurfaceMessage {
  if (!isQuestionCard(question))
    return { kind: 'question', state: 'open', text: `❓ ${JSON.stringify(question)}` };
  const asked = question.questions.map((each) => questionText(each, answers)).join('\n\n');
  const text = question.intro === undefined ? asked : `${question.intro}\n\n${asked}`;
  return { kind: 'question', state: 'open', text, card: { callId, card: question, asker, answers } };
}

export function closedCard(
  { question }: AskedCard,
  as: 'answered' | 'expired' | 'closed',
  answers: readonly Answer[],
  words: Words,
): SurfaceMessage {
  const prompts = isQuestionCard(question) ? question.questions : [];
  const ending = { answered: `⏭ ${words.skipped}`, expired: words.notAnswered, closed: words.closed }[as];
  const text = prompts.map((each) => `❓ ${each.prompt}\n${answerText(each, answers, ending)}`).join('\n\n');
  return { kind: 'question', state: as, text: text === '' ? ending : text };
}

function questionText(question: Question, answers: readonly Answer[]): string {
  const given = answers.find((answer) => answer.id === question.id);
  if (given !== undefined)
    return `❓ ${question.prompt}\n${given.status === 'skipped' ? '⏭' : `✓ ${answerOf(given)}`}`;
  const options = question.options.map(({ label, description }, at) =>
    description === undefined ? `${at + 1}. ${label}` : `${at + 1}. ${label}: ${description}`,
  );
  return [`❓ ${question.prompt}`, ...options].join('\n');
}

function answerText(question: Question, answers: readonly Answer[], ending: string): string {
  const given = answers.find((answer) => answer.id === question.id);
  return given?.status === 'answered' ? `✓ ${answerOf(given)}` : ending;
}

function answerOf({ selected, text }: Answer): string {
  return [...selected, ...(text === '' ? [] : [text])].join(', ');
}

/** What opens or resumes a turn: the items a claim took, set against the question that may be open. Pure. */
import { type CallId, UserId } from '../domain/ids.ts';
import type { InboxItem } from '../domain/inbound.ts';
import { textOf } from '../domain/message.ts';
import { type Answers, isQuestionCard, readAnswer, skipped } from '../domain/question.ts';
import type { UserRecord } from '../loop/hooks.ts';
import type { Recovery } from '../loop/recover.ts';
import { resultText } from '../loop/result-texts.ts';
import type { TurnStart } from '../loop/turn-io.ts';
import { answersText } from '../tools/ask-user.ts';

export interface OpenQuestion {
  readonly callId: CallId;
  readonly question: unknown;
}

export type Start =
  | { readonly kind: 'run'; readonly start: TurnStart }
  /** Nothing to do: no item, or none that answers the open question. */
  | { readonly kind: 'wait' };

type TextItem = Extract<InboxItem, { kind: 'message' | 'next' | 'note' }>;

/**
 * An interrupted turn goes on before anything new is opened. While a question is open its card's answer, a plain
 * message or a stop closes it; a message that cannot be an answer leaves it open. `at` is ISO 8601.
 */
export function startFrom(
  recovery: Recovery,
  open: OpenQuestion | undefined,
  items: readonly InboxItem[],
  at: string,
): Start {
  if (recovery.action === 'continue' || recovery.action === 'deliver') {
    return { kind: 'run', start: { kind: 'recover' } };
  }
  if (open !== undefined) return closing(open, items, at);
  const messages = items.filter(hasText).map(recordOf);
  const asksSomething = messages.some((message) => message.source === 'person');
  return asksSomething ? { kind: 'run', start: { kind: 'open', messages } } : { kind: 'wait' };
}

function closing(open: OpenQuestion, items: readonly InboxItem[], at: string): Start {
  const answer = (status: 'answered' | 'aborted', text: string): Start => ({
    kind: 'run',
    start: { kind: 'answer', callId: open.callId, status, text },
  });
  if (items.some((item) => item.kind === 'stop')) return answer('aborted', resultText('aborted'));
  const answers = items.map((item) => answersIn(item, open, at)).find((each) => each !== undefined);
  return answers === undefined
    ? { kind: 'wait' }
    : answer(
        'answered',
        isQuestionCard(open.question) ? answersText(open.question, answers) : JSON.stringify(answers),
      );
}

function answersIn(item: InboxItem, open: OpenQuestion, at: string): Answers | undefined {
  if (item.kind === 'answer') return item.callId === open.callId ? item.answers : undefined;
  if (item.kind === 'stop' || item.kind === 'note' || !isQuestionCard(open.question)) return undefined;
  const [first, ...others] = open.question.questions;
  const answer = first && readAnswer(first, textOf(item.content));
  if (answer === undefined) return undefined;
  return { answers: [answer, ...others.map(skipped)], by: item.author ?? UserId(''), at };
}

function recordOf(item: TextItem): UserRecord {
  const author = item.author === undefined ? {} : { author: item.author };
  const source = item.kind === 'note' ? 'inject' : 'person';
  return { type: 'user/message', source, content: item.content, item: item.id, ...author };
}

function hasText(item: InboxItem): item is TextItem {
  return 'content' in item;
}

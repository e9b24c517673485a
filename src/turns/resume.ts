/** What opens or resumes a turn: the items a claim took, set against the question that may be open. Pure. */
import type { InboxItem } from '../domain/inbound.ts';
import { textOf } from '../domain/message.ts';
import { type Answers, isQuestionCard, readAnswer, skipped } from '../domain/question.ts';
import type { CallId, UserId } from '../domain/ids.ts';
import type { Recovery } from '../loop/recover.ts';
import type { UserRecord } from '../loop/hooks.ts';
import type { TurnStart } from '../loop/turn-io.ts';

export interface OpenQuestion {
  readonly callId: CallId;
  readonly question: unknown;
}

export type Start =
  | { readonly kind: 'run'; readonly start: TurnStart }
  /** Nothing to do: no item, or none that answers the open question. */
  | { readonly kind: 'wait' };

/**
 * An interrupted turn goes on before anything new is opened. While a question is open its card's answer, or a plain
 * message, answers it; a message that cannot be an answer leaves it open.
 */
export function startFrom(
  recovery: Recovery,
  open: OpenQuestion | undefined,
  items: readonly InboxItem[],
  at: string,
): Start {
  if (recovery.action === 'continue' || recovery.action === 'deliver')
    return { kind: 'run', start: { kind: 'recover' } };
  if (open !== undefined) {
    const answers = items.map((item) => answerFrom(open, item, at)).find((each) => each !== undefined);
    if (answers === undefined) return { kind: 'wait' };
    const { callId } = open;
    return {
      kind: 'run',
      start: { kind: 'answer', callId, status: 'answered', text: JSON.stringify(answers) },
    };
  }
  const messages = items.flatMap((item) => recordOf(item) ?? []);
  const asksSomething = items.some((item) => item.kind === 'message' || item.kind === 'next');
  return asksSomething ? { kind: 'run', start: { kind: 'open', messages } } : { kind: 'wait' };
}

function answerFrom(open: OpenQuestion, item: InboxItem, at: string): Answers | undefined {
  if (item.kind === 'answer') return item.callId === open.callId ? item.answers : undefined;
  if (item.kind === 'note' || !isQuestionCard(open.question)) return undefined;
  const [first, ...others] = open.question.questions;
  const answer = first && readAnswer(first, textOf(item.content));
  if (answer === undefined) return undefined;
  return { answers: [answer, ...others.map(skipped)], by: item.author ?? ('' as UserId), at };
}

function recordOf(item: InboxItem): UserRecord | undefined {
  if (item.kind === 'answer') return undefined;
  const author = item.author === undefined ? {} : { author: item.author };
  const source = item.kind === 'note' ? 'inject' : 'person';
  return { type: 'user/message', source, content: item.content, item: item.id, ...author };
}

/** An open question as it is stored: everything any process needs to answer, show, expire or close it. */
import type { MessageRef, SurfaceAddress } from './address.ts';
import type { CallId, EventId, TurnId, UserId } from './ids.ts';
import { type Answer, isQuestionCard } from './question.ts';

export interface OpenPause {
  readonly turn: TurnId;
  readonly callId: CallId;
  /** What the tool asked; a `QuestionCard` when the surface can show it. */
  readonly question: unknown;
  readonly address: SurfaceAddress;
  /** Whose turn it is. */
  readonly asker: UserId | undefined;
  /** When it lapses. Unit: milliseconds since 1970. */
  readonly expiresAt: number;
  /** When it was asked. Unit: milliseconds since 1970. */
  readonly askedAt: number;
  /** Where the card stands; absent until it is posted. */
  readonly card?: MessageRef;
  /** Answers given so far, when a card has several questions. */
  readonly answers: readonly Answer[];
  /** Inbox items those answers were made of: none is used twice. */
  readonly used: readonly EventId[];
  /** People who were told once whom the bot waits for. */
  readonly told: readonly UserId[];
}

/** The only person who may answer; undefined: anyone. */
export function answererOf({ question, asker }: Pick<OpenPause, 'question' | 'asker'>): UserId | undefined {
  return isQuestionCard(question) && question.answerers === 'anyone' ? undefined : asker;
}

/** What is to be seen on a surface, before any platform's own form. */
import type { Controls } from './controls.ts';
import type { CallId, TurnId, UserId } from './ids.ts';
import type { Answer, QuestionCard } from './question.ts';

export type MessageKind = 'answer' | 'trace' | 'question' | 'notice';

/** `live` still grows; the others are how it ended. A question is `open` until it is one of the last three. */
export type MessageState =
  | 'live'
  | 'final'
  | 'stopped'
  | 'failed'
  | 'open'
  | 'answered'
  | 'expired'
  | 'closed';

export interface SurfaceMessage {
  readonly kind: MessageKind;
  readonly state: MessageState;
  /** Markdown; never empty. */
  readonly text: string;
  /** With a trace, on a surface that folds: the whole of it, line by line. */
  readonly details?: readonly string[];
  /** With the end of an answer: this turn may be asked for anew. */
  readonly again?: TurnId;
  /** With the end of an answer: how many sources it rests on. */
  readonly sources?: number;
  /** With the last message of an answer, and with a trace: what the buttons below it are about. */
  readonly handle?: MessageHandle;
  /**
   * While it grows: so many of its characters will not change unless text is taken back; the rest only closes what is
   * open. Absent: all of them.
   */
  readonly settledChars?: number;
  /** Whom it is to reach: the platform lets them know, and nobody else. */
  readonly calls?: UserId;
  /**
   * Where it reaches them: in a direct message, or here and nowhere else. Absent: here, and in a direct message when the
   * place is gone.
   */
  readonly reach?: 'direct' | 'here';
  /** What can be pressed below it. */
  readonly controls?: Controls;
  /** With a question: what a surface needs for its buttons and forms. */
  readonly card?: ShownCard;
  /** With a line that says whom an open question waits for: others may ask anyway, which closes it. */
  readonly waitsFor?: { readonly callId: CallId; readonly asker: UserId };
  /** What is too long for messages. */
  readonly file?: AttachedFile;
}

/** Names a message of a turn: `answer:1` is its first answer, `answer:1.2` the second message of that. */
export interface MessageHandle {
  readonly turn: TurnId;
  readonly slot: string;
}

export interface AttachedFile {
  readonly name: string;
  readonly text: string;
}

export interface ShownCard {
  /** What a button or form sends back, with the conversation it stands in. */
  readonly callId: CallId;
  readonly card: QuestionCard;
  /** Whom the bot asked. */
  readonly asker: UserId | undefined;
  /** The answers so far. */
  readonly answers: readonly Answer[];
}

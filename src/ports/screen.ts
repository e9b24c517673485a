import type { MessageRef, SurfaceAddress } from '../domain/address.ts';
import type { ConversationId, TurnId } from '../domain/ids.ts';
import type { OpenPause } from '../domain/pause.ts';
import type { Answer } from '../domain/question.ts';
import type { SurfaceMessage } from '../domain/surface-message.ts';
import type { Outcome, TurnEvent } from '../domain/turn.ts';
import type { Ledger } from './ledger.ts';

/** What people see of one turn. Failures of the platform stay inside; a lost lease does not. */
export interface TurnScreen {
  /** Changes what is wanted and returns at once; the platform is made to agree at its own pace. */
  show(event: TurnEvent): void;
  /** Resolves when the platform shows how the turn ended, or when it is certain that it never will. */
  finish(outcome: Outcome): Promise<void>;
  /** After `finish`: an answer stands there without its end, and its place is closed to us for now. */
  readonly isLeft?: boolean;
  /** As `finish`, after which nothing is to be seen of an answer: its question was taken back. */
  takeBack(outcome: Outcome): Promise<void>;
  /** Shows the question of a stored pause; the same card however often it is called. Undefined: it has no message. */
  ask(pause: OpenPause): Promise<MessageRef | undefined>;
  /** Shows how the question was closed. */
  closeCard(
    pause: OpenPause,
    as: 'answered' | 'expired' | 'closed',
    answers: readonly Answer[],
  ): Promise<void>;
  /** One line to people, outside of any answer; once per `slot`. False: there is no place left where it could stand. */
  tell(slot: string, text: string, more?: ToldWith): Promise<boolean>;
}

export type ToldWith = Pick<SurfaceMessage, 'waitsFor' | 'calls' | 'reach' | 'controls'>;

export interface Screens {
  open(place: {
    readonly conversation: ConversationId;
    readonly turn: TurnId;
    readonly address: SurfaceAddress;
    readonly ledger: Ledger;
    readonly signal: AbortSignal;
  }): TurnScreen;
}

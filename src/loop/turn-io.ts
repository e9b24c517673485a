/** What a turn is given, what it works with, and what it hands back. */
import type { SurfaceAddress } from '../domain/address.ts';
import type { CallId, ConversationId, EventId, TurnId, UserId } from '../domain/ids.ts';
import type { UserContent } from '../domain/message.ts';
import type { Outcome, TurnEvent } from '../domain/turn.ts';
import type { StepInbox, TurnJournal } from '../ports/journal.ts';
import type { Model } from '../ports/model.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import type { Tool } from '../ports/tool.ts';
import type { ContextBudget } from './context-window.ts';
import type { Hooks, UserRecord } from './hooks.ts';
import type { Recovered } from './recover.ts';
import type { Scene } from './scene.ts';
import type { LoopSettings } from './settings.ts';
import type { Strategy } from './strategy.ts';

export interface TurnInput {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
  /** `conversation:turn`: the stem of every idempotency key. */
  readonly key: string;
  /** Whom the turn answers, and where. */
  readonly user: UserId | undefined;
  readonly address: SurfaceAddress | undefined;
  /** Opened by a due task, not by a person. */
  readonly isScheduled: boolean;
  /** The journal as it stands before this run, folded; the run goes on folding into it. */
  readonly recovered: Recovered;
  readonly start: TurnStart;
  /** The system prompt, byte-identical for the whole turn, and the time, which stands behind it. */
  readonly system: string;
  readonly now?: string;
  readonly strategy: Strategy;
  readonly tools: readonly Tool[];
  readonly settings: LoopSettings;
  readonly scenes: readonly Scene[];
  readonly rules: TurnRules;
}

export type TurnStart =
  /**
   * `messages` is called when the start is recorded: what came with them may still be on its way. `again`: the newest turn
   * once more, for this inbox item; what was said in it is in the journal.
   */
  | {
      readonly kind: 'open';
      readonly messages: () => Promise<readonly UserRecord[]>;
      readonly again?: EventId;
    }
  /** The open question has an end: `text` becomes the result of its call. */
  | {
      readonly kind: 'answer';
      readonly callId: CallId;
      readonly status: 'answered' | 'no_reply' | 'superseded' | 'aborted';
      readonly text: string;
      /** The inbox items it was made of. */
      readonly items: readonly EventId[];
    }
  /** Another process left this turn open. */
  | { readonly kind: 'recover' };

/** What a capability adds to the loop's own rules. */
export interface TurnRules {
  /** Refuses a terminal reply; the problem names the repair note, `note` is added to it. */
  validateTerminal?(
    label: string,
    text: string,
  ): { readonly problem: string; readonly note?: string } | undefined;
  /** Feedback on an intermediate reply; it reaches the model as a user message. */
  onIntermediate?(label: string, text: string): string | undefined;
  /** Before each model call that offers tools. */
  beforeRound?(round: number): Promise<void>;
}

export interface LoopIo {
  readonly model: Model;
  readonly journal: TurnJournal;
  readonly inbox: StepInbox;
  readonly emit: (event: TurnEvent) => void;
  /** Resolves when people see how the turn ended; only then is its end recorded. */
  readonly settle: (outcome: Outcome) => Promise<void>;
  readonly hooks: Hooks;
  readonly clock: Clock;
  readonly log: Logger;
  /** A fresh id for a call that came without one. */
  readonly newId: () => string;
  readonly estimateTokens: (text: string) => number;
  /** Aborted when the turn is to stop; the reason says why. */
  readonly signal: AbortSignal;
  /** What an unpaired request does: tests throw, production repairs the copy and logs an error. */
  readonly onUnpaired: 'throw' | 'repair';
}

export interface LoopResult {
  readonly outcome: Outcome;
  /** What listeners at the end of the turn said when it could not go on: notes for the next turn. */
  readonly parked: readonly UserContent[];
  /** The turn was closed because the model could not hold the protocol. */
  readonly repairsExhausted: boolean;
  /** The last request as it was measured. */
  readonly context: ContextBudget | undefined;
}

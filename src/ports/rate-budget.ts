/** The write budget of one place on a platform, shared by every process that writes there. */

/** What a write is for, the most important first. */
export const importances = [
  /** The last text of a message. */
  'final',
  /** A question that waits for somebody. */
  'question',
  /** What a click or a form changed. */
  'click',
  /** The first text of an answer. */
  'first',
  /** Text that grows. */
  'text',
  'tools',
  'thinking',
] as const;

export type Importance = (typeof importances)[number];

export interface RateBudget {
  /**
   * May this message be written now? Granted at most once per answer: whoever is granted writes, and says what came of it
   * with `learn`. Who has to wait asks again after `waitMs`, or earlier when its importance rises; meanwhile it keeps its
   * place, and loses it when it does not come. Rejects when the budget cannot be reached.
   */
  ask(want: Want): Promise<Turn>;
  /** What the platform answered to a granted write. */
  learn(message: string, reply: CallReply): Promise<void>;
  /** The message wants nothing more here: it waits no longer, and shares the budget with nobody. */
  leave(message: string): Promise<void>;
}

export interface RateBudgets {
  /** Its rule is what holds until the platform says otherwise. */
  budget(named: NamedBudget): RateBudget;
}

/** For example edits in one Discord channel, or `chat.update` in one Slack workspace. */
export interface BudgetName {
  readonly surface: string;
  readonly route: string;
  readonly scope: string;
}

export interface NamedBudget {
  readonly name: BudgetName;
  readonly rule: RateRule;
}

/** What a platform allows. It may count in fixed windows or fill a bucket: nothing here depends on which. */
export interface RateRule {
  readonly calls: number;
  readonly perMs: number;
}

export interface Want {
  /** Names the message among all that share the budget. */
  readonly message: string;
  readonly importance: Importance;
  /** How long its newest unseen content has waited: an age, because the clocks of two processes differ. */
  readonly unseenMs: number;
}

export type Turn = { readonly granted: true } | { readonly granted: false; readonly waitMs: number };

export interface CallReply {
  /** From the call to its answer. Unit: milliseconds. */
  readonly callMs: number;
  /** What happened: `failed` when it is not known whether the platform counted the call. */
  readonly outcome: 'written' | 'refused' | 'failed';
  /** Where the platform tells. */
  readonly headers?: RateHeaders;
  /** With `refused`, where the platform tells. Unit: milliseconds. */
  readonly retryAfterMs?: number;
  /** As `leave`, once this is heard. */
  readonly isLast?: true;
}

/** `X-RateLimit-*` of Discord. */
export interface RateHeaders {
  readonly limit: number;
  readonly remaining: number;
  /** Until the window ends, or until the bucket is full. Unit: milliseconds. */
  readonly resetAfterMs: number;
}

/** The numbers of the loop. A capability overrides what it needs; sources: `docs/architecture.md`, "Budgets". */
export interface LoopSettings {
  /** Model calls that offer tools before the loop asks to come to an end. */
  readonly exploration: number;
  /** Model calls after that, still with tools, to finish what was begun. One call without tools follows. */
  readonly settlement: number;
  /** Shorthand M: exploration = max(0, M − 2), settlement = 0. */
  readonly maxIterations: number | null;
  /** The same call this often in a row is stuck; 0 switches the check off. */
  readonly maxSameCalls: number;
  /** One tool failing this often in a row is stuck; 0 switches the check off. */
  readonly maxSameErrors: number;
  /** How many code points of the raw arguments belong to a call's signature. */
  readonly signatureChars: number;
  /** Tools the same-call check looks through. */
  readonly exempt: readonly string[];
  /** Also count a whole response of two or more calls that repeats. */
  readonly batchStreak: boolean;
  readonly maxCallsPerRound: number;
  /** How many calls of one response may run at once. */
  readonly parallel: number;
  /** Does a waiting note keep a turn open that is otherwise done? */
  readonly injectHoldsTurn: boolean;
  /** How often listeners at the end of a turn may continue it. */
  readonly maxStopContinues: number;
  /** Broken replies in a row after which the turn is closed; 0 switches the check off. */
  readonly maxRepairs: number;
  /** Processes that may die at one step before the turn is given up. */
  readonly maxCrashes: number;
  /** Messages taken at one step boundary, and in one turn; the rest open the next turn. */
  readonly maxSteersPerStep: number;
  readonly maxSteersPerTurn: number;
  /** The answer when there would otherwise be none. */
  readonly fallback: string;
  /** Output limit of one response, when one is set. Unit: tokens. */
  readonly maxTokens: number | null;
  readonly limits: StreamLimits;
}

/** How long a stream may be silent. Unit: milliseconds. Keep-alives are not chunks. */
export interface StreamLimits {
  readonly firstChunkMs: number;
  readonly idleMs: number;
  /** After some final text: a provider that goes silent here has usually lost the stream. */
  readonly finalIdleMs: number;
  /** After the finish reason, for the usage frame. */
  readonly usageGraceMs: number;
}

export const defaultLoopSettings: LoopSettings = {
  exploration: 8,
  settlement: 3,
  maxIterations: null,
  maxSameCalls: 3,
  maxSameErrors: 3,
  signatureChars: 60,
  exempt: [],
  batchStreak: true,
  maxCallsPerRound: 8,
  parallel: 10,
  injectHoldsTurn: false,
  maxStopContinues: 3,
  maxRepairs: 3,
  maxCrashes: 2,
  maxSteersPerStep: 5,
  maxSteersPerTurn: 10,
  fallback: 'I could not put an answer together this time. Please ask again, perhaps in smaller steps.',
  maxTokens: null,
  limits: { firstChunkMs: 120_000, idleMs: 60_000, finalIdleMs: 8_000, usageGraceMs: 1_000 },
};

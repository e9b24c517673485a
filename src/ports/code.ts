import type { UserId } from '../domain/ids.ts';

export type CodeLanguage = 'python' | 'javascript';

export interface CodeRequest {
  readonly language: CodeLanguage;
  readonly code: string;
  /** What the program reads. */
  readonly stdin: string;
  /** For whom: many runs of one person do not hold up those of others. */
  readonly person: UserId | undefined;
}

export interface CodeResult {
  /** What it printed, errors included, in order; cut at a limit. */
  readonly output: string;
  /** `failed`: an error of the program; the rest are limits that ended it. */
  readonly ended: 'well' | 'failed' | 'time' | 'memory' | 'output' | 'broken';
  /** How long it ran. Unit: milliseconds. */
  readonly ms: number;
}

/** Runs a program where it reaches nothing of this machine. Rejects with the reason of `signal` once that is aborted. */
export type RunCode = (request: CodeRequest, signal: AbortSignal) => Promise<CodeResult>;

/** Time, so that tests never wait. Unit: milliseconds. */
export interface Clock {
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason when aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms`; the returned function cancels. */
  after(ms: number, run: () => void): () => void;
}

/** Structured log lines. The message is a plain sentence; facts are fields. */
export interface Logger {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * Facts learned about a model, kept for a while under a text key: which request features it refuses, that it cannot
 * hold the label protocol. Losing them costs a few repeated refusals, nothing else.
 */
export interface ModelNotes {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
}

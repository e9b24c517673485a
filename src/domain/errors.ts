/** Base of the errors that a caller treats differently or a person reads. */
export abstract class TutorError extends Error {
  abstract readonly code: string;
  /** What the reader can do about it, in one sentence. */
  abstract readonly hint: string;
  override get name(): string {
    return this.constructor.name;
  }
}

/** The model could not be used. `shown` says whether any of its text had reached the caller: then nothing may repeat it. */
export class ModelError extends TutorError {
  readonly code: `model.${ModelFailure}`;
  readonly hint: string;
  constructor(
    readonly failure: ModelFailure,
    message: string,
    readonly detail: { readonly hint: string; readonly retryable: boolean; readonly status?: number },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = `model.${failure}`;
    this.hint = detail.hint;
  }
}

export type ModelFailure =
  | 'unreachable'
  | 'unauthorized'
  | 'unknown_model'
  | 'rate_limited'
  | 'refused'
  | 'server_error'
  | 'not_a_stream'
  | 'cut'
  | 'idle'
  | 'context_too_long';

/** A record or request broke the rule that every call has exactly one result. Always a bug of ours. */
export class PairingError extends TutorError {
  readonly code = 'loop.unpaired';
  readonly hint =
    'This is a bug in Docent: report it with the conversation id; the journal itself is unchanged.';
}

/** Another worker owns the conversation now. The loser stops silently: nothing of it was written. */
export class LeaseLostError extends TutorError {
  readonly code = 'conversation.lease_lost';
  readonly hint = 'No action needed: another worker goes on with the conversation.';
}

/** Settings that cannot be used, all of them at once. */
export class ConfigError extends TutorError {
  readonly code = 'config.invalid';
  readonly hint = 'Correct the settings listed above and start again.';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** Narrowing helper for switches over unions. Throws when a case was forgotten at run time. */
export function assertNever(value: never, where: string): never {
  throw new Error(`${where}: unexpected ${JSON.stringify(value)}`);
}

import type { FileFailure } from './file.ts';
import type { Failure } from './turn.ts';

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

/** The platform asked us to slow down. Delivery waits and writes again; nothing else catches it. */
export class RateLimitedError extends TutorError {
  readonly code = 'surface.rate_limited';
  readonly hint = 'No action needed: the write is repeated after the wait the platform asked for.';
  /** Without a wait where the platform names none. */
  constructor(
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(
      retryAfterMs === undefined ? 'rate limited' : `rate limited, retry after ${retryAfterMs} ms`,
      options,
    );
  }
}

/** The message or its place is gone, or we may not write there: writing again cannot help. */
export class SurfaceGoneError extends TutorError {
  readonly code = 'surface.gone';
  readonly hint = 'The message, thread or channel was deleted, or the bot lost its permission there.';
  /** `mayReturn`: it is there, and only closed to us. */
  constructor(
    message: string,
    options?: ErrorOptions,
    readonly mayReturn = false,
  ) {
    super(message, options);
  }
}

/** An answer is recorded, and cannot be shown to its end now: its turn stays open until it can. */
export class AnswerLeftError extends TutorError {
  readonly code = 'turn.left';
  readonly hint = 'It is shown when the bot may write there again.';
}

/** The platform will not take this write, however often it is repeated. Nothing was written. */
export class WriteRefusedError extends TutorError {
  readonly code = 'surface.refused';
  readonly hint =
    'If it goes on, report it with the log line: the message was of a form the platform refuses.';
  /** `message`: it is closed, whatever is written; `content`: no message of this platform may say this. */
  constructor(
    readonly refuses: 'message' | 'content',
    why: string,
    options?: ErrorOptions,
  ) {
    super(why, options);
  }
}

/** The message does not grow any more: it can only be edited. Delivery does that; nothing else catches it. */
export class StreamEndedError extends TutorError {
  readonly code = 'surface.stream_ended';
  readonly hint = 'No action needed: the message goes on by edits.';
}

/** A write failed and it is not known whether it took effect: look it up before writing again. */
export class SurfaceError extends TutorError {
  readonly code = 'surface.failed';
  readonly hint = 'The write is looked up and repeated; if it goes on, check the state of the platform.';
}

/** A file cannot be had, and trying again cannot help. The model is told why; nothing else fails. */
export class FileUnavailableError extends TutorError {
  readonly code = 'file.unavailable';
  readonly hint = 'Send the file again, smaller or in another form.';
  constructor(
    readonly why: FileFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A journal lacks a record, or holds one that this version cannot read. Only its conversation is affected. */
export class UnreadableJournalError extends TutorError {
  readonly code = 'conversation.unreadable';
  readonly hint =
    'Start the version that wrote it, restore Redis from a backup, or begin a new conversation; the journal is left as it is.';
  constructor(conversation: string, place: string, why: string, options?: ErrorOptions) {
    super(`the journal of ${conversation} cannot be read at ${place}: ${why}`, options);
  }
}

/** This process ends, so the turn is given back as it stands: nothing of the interruption is recorded. */
export class TurnParkedError extends TutorError {
  readonly code = 'turn.parked';
  readonly hint = 'No action needed: another worker goes on with the turn.';
}

/** Settings that cannot be used, all of them at once. */
export class ConfigError extends TutorError {
  readonly code = 'config.invalid';
  readonly hint = 'Correct the settings listed above and start again.';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** An error as it is told: what a `TutorError` says, and nothing but the message of any other. */
export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof TutorError)) return { code: 'internal', message, hint: '' };
  return { code: error.code, message, hint: error.hint };
}

/** Narrowing helper for switches over unions. Throws when a case was forgotten at run time. */
export function assertNever(value: never, where: string): never {
  throw new Error(`${where}: unexpected ${JSON.stringify(value)}`);
}

/** A page could not be had. The message says why, for the model and for whoever asked. */
export class PageError extends TutorError {
  readonly code = 'page.unavailable';
  readonly hint = 'Try another address, or paste the text itself.';
}

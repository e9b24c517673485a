/** What is known when a request failed before anything of its answer was shown. */
import type { ModelError } from '../domain/errors.ts';
import { type Asked, refusal } from './model-failure.ts';
import type { ServiceError } from './service-error.ts';

export interface Failure {
  readonly error: ModelError;
  /** What the service said, when it said something. */
  readonly said?: ServiceError;
  /** The wait it asked for. Unit: milliseconds. */
  readonly retryAfterMs?: number;
  /** The response was complete and held nothing. */
  readonly empty?: true;
}

/** The service said so. Without a status it gets the one its words stand for, so that it is treated alike. */
export function saidFailure(said: ServiceError, asked: Asked, retryAfterMs?: number): Failure {
  const known: ServiceError = said.status === undefined ? { ...said, status: statusOf(said) } : said;
  return {
    error: refusal(known, asked),
    said: known,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function statusOf({ code = '', type = '' }: ServiceError): number {
  const words = `${code} ${type}`;
  if (/rate_limit|insufficient_quota/i.test(words)) return 429;
  if (/invalid_request|bad_?request|context_length/i.test(words)) return 400;
  if (/auth|permission/i.test(words)) return 401;
  if (/model_not_found/i.test(words)) return 404;
  return 500;
}

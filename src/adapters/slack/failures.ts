/** What a failed call means for the message it was about. */
import { WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import {
  RateLimitedError,
  StreamEndedError,
  SurfaceError,
  SurfaceGoneError,
  TutorError,
  WriteRefusedError,
} from '../../domain/errors.ts';
import { TokenRefusedError } from '../../gateway/watched-calls.ts';

/** Slack said that there were too many calls, but not how long to wait. */
export class TooManyCallsError extends Error {
  override readonly name = 'TooManyCallsError';
  constructor() {
    super('too many calls, and no word of when to come again');
  }
}

const tooMany: ReadonlySet<string> = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded']);

/** Slack does not know the token of the bot (any more). */
const tokenCodes: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
]);

/** The message or its place is not there, or not for us. */
const goneCodes: ReadonlySet<string> = new Set([
  'access_denied',
  'cannot_reply_to_message',
  'channel_not_found',
  'ekm_access_denied',
  'is_archived',
  'message_not_found',
  'messages_tab_disabled',
  'missing_scope',
  'no_permission',
  'not_in_channel',
  'restricted_action',
  'team_access_not_granted',
  'thread_not_found',
  'user_disabled',
  'user_not_found',
]);

/** The message stays as it is, whatever is written. */
const closedCodes: ReadonlySet<string> = new Set([
  'cant_delete_message',
  'cant_update_message',
  'edit_window_closed',
  'is_inactive',
  'message_not_owned_by_app',
]);

const streamCodes: ReadonlySet<string> = new Set(['message_not_in_streaming_state', 'stopped_by_user']);

/** It may have been done, or not. */
const unclearCodes: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
]);

/** What Slack refused with; undefined for anything else, such as a page in place of an answer. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof WebAPIPlatformError)) return undefined;
  const code: unknown = error.data.error;
  return typeof code === 'string' && /^[a-z][a-z_]{0,79}$/.test(code) ? code : undefined;
}

/** Slack has said no: it was not done. */
export function isRefused(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && !unclearCodes.has(code) && !tooMany.has(code) && !tokenCodes.has(code);
}

export function isTokenRefused(error: unknown): boolean {
  return tokenCodes.has(codeOf(error) ?? '');
}

/** Unit: milliseconds. */
const tokenWaitMs = 5_000;

export function meaningOf(error: unknown): TutorError {
  const options = { cause: error };
  if (error instanceof TutorError) return error;
  if (error instanceof WebAPIRateLimitedError) return new RateLimitedError(error.retryAfter * 1_000, options);
  if (error instanceof WebAPIRequestError && error.original instanceof TooManyCallsError)
    return new RateLimitedError(undefined, options);
  const code = codeOf(error);
  if (code !== undefined && tooMany.has(code)) return new RateLimitedError(waitIn(error), options);
  // It waits as it would for its turn. All workers wait so long, also those with a token that is right.
  if (error instanceof TokenRefusedError || isTokenRefused(error))
    return new RateLimitedError(tokenWaitMs, options);
  if (code === undefined || unclearCodes.has(code))
    return new SurfaceError(`Slack gave no clear answer: ${code ?? inShort(error)}`, options);
  const why = `Slack refused: ${code}${neededFor(error)}`;
  if (streamCodes.has(code)) return new StreamEndedError(why, options);
  if (goneCodes.has(code) || code.startsWith('restricted_action')) return new SurfaceGoneError(why, options);
  return new WriteRefusedError(closedCodes.has(code) ? 'message' : 'content', why, options);
}

function waitIn(error: unknown): number | undefined {
  const seconds = error instanceof WebAPIPlatformError ? error.data.response_metadata?.retryAfter : undefined;
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** With `missing_scope`, which one; with others, what Slack says about the arguments. */
function neededFor(error: unknown): string {
  if (!(error instanceof WebAPIPlatformError)) return '';
  const needed = 'needed' in error.data ? ` (the scope ${String(error.data['needed'])})` : '';
  const messages = error.data.response_metadata?.messages ?? [];
  return needed + (messages.length === 0 ? '' : ` (${messages.join('; ')})`);
}

/** A whole page may stand in place of an answer. */
function inShort(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(/\s+/g, ' ').slice(0, 200);
}

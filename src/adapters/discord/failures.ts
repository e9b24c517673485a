/** What a failed call means for the message it was about. */
import { DiscordAPIError, RateLimitError, RESTJSONErrorCodes } from 'discord.js';
import {
  RateLimitedError,
  SurfaceError,
  SurfaceGoneError,
  type TutorError,
  WriteRefusedError,
} from '../../domain/errors.ts';
import { TokenRefusedError } from '../../gateway/watched-calls.ts';

/** Edits of a message that is older than an hour have a limit of their own; it comes as a 429. */
const oldEdit = RESTJSONErrorCodes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached;

/** The place is not there, or not for us. */
const goneCodes: ReadonlySet<number> = new Set([
  RESTJSONErrorCodes.UnknownChannel,
  RESTJSONErrorCodes.UnknownGuild,
  RESTJSONErrorCodes.UnknownMessage,
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.MissingPermissions,
  RESTJSONErrorCodes.CannotSendMessagesToThisUser,
  RESTJSONErrorCodes.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds,
  RESTJSONErrorCodes.ThreadLocked,
]);

/** Of these, what a new invitation or another permission may change. */
const closedCodesForNow: ReadonlySet<number> = new Set([
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.MissingPermissions,
]);

/** The message stays as it is, whatever is written. */
const closedCodes: ReadonlySet<number> = new Set([
  oldEdit,
  RESTJSONErrorCodes.InvalidActionOnArchivedThread,
  RESTJSONErrorCodes.CannotEditMessageAuthoredByAnotherUser,
]);

/** The JSON code of a refusal; undefined for anything else. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof DiscordAPIError && typeof error.code === 'number' ? error.code : undefined;
}

/** Discord has said no: it was not done. */
export function isRefused(error: unknown): error is DiscordAPIError {
  return error instanceof DiscordAPIError && !isTokenRefused(error);
}

/** Discord does not know the token of the bot (any more). That of an interaction that is over is another matter. */
export function isTokenRefused(error: unknown): boolean {
  const isUnauthorized = error instanceof DiscordAPIError && error.status === 401;
  return isUnauthorized && codeOf(error) !== RESTJSONErrorCodes.InvalidWebhookToken;
}

/** Whether the text of a 429 is about old messages. */
export function isOldEdit(text: string): boolean {
  return text.includes(`"code":${oldEdit}`) || text.includes(`"code": ${oldEdit}`);
}

/** Unit: milliseconds. */
const tokenWaitMs = 5_000;

export function meaningOf(error: unknown): TutorError {
  const why = error instanceof Error ? error.message : String(error);
  const options = { cause: error };
  if (error instanceof RateLimitError)
    return new RateLimitedError(error.retryAfter > 0 ? error.retryAfter : undefined, options);
  // It waits as it would for its turn. All workers wait so long, also those with a token that is right.
  if (error instanceof TokenRefusedError) return new RateLimitedError(tokenWaitMs, options);
  if (!isRefused(error)) return new SurfaceError(`Discord gave no clear answer: ${why}`, options);
  const code = codeOf(error) ?? 0;
  if (goneCodes.has(code))
    return new SurfaceGoneError(`Discord refused: ${why} (${code})`, options, closedCodesForNow.has(code));
  const refuses = closedCodes.has(code) ? 'message' : 'content';
  return new WriteRefusedError(refuses, `Discord refused: ${why} (${code})`, options);
}

/** Ids that travel. Each is a plain string at run time; the brand keeps one kind from standing in for another. */
declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

/** `discord:<thread>`, `slack:<team>:<channel>:<root ts>`, `term:local` … Built only by an adapter. */
export type ConversationId = Id<'ConversationId'>;
export const ConversationId = (raw: string): ConversationId => raw as ConversationId;

/** One turn, from its first claim to its end; kept over a pause and over a crash. */
export type TurnId = Id<'TurnId'>;
export const TurnId = (raw: string): TurnId => raw as TurnId;

/** The platform's id of the message (not of the envelope that brought it): what duplicates are told by. */
export type EventId = Id<'EventId'>;
export const EventId = (raw: string): EventId => raw as EventId;

/** A person on one surface, for example `discord:42`. */
export type UserId = Id<'UserId'>;
export const UserId = (raw: string): UserId => raw as UserId;

/** A tool call of the model. Unique in its conversation. */
export type CallId = Id<'CallId'>;
export const CallId = (raw: string): CallId => raw as CallId;

/** Bytes that are kept: their SHA-256 as 64 hex digits. */
export type BlobHash = Id<'BlobHash'>;
export const BlobHash = (raw: string): BlobHash => raw as BlobHash;

import type { ConversationId, UserId } from '../domain/ids.ts';

/** What people think of answers: one vote of each person on each answer. */
export interface Votes {
  /** Takes the place of an earlier one. True when it says something else than before. */
  cast(ballot: Ballot): Promise<boolean>;
  /** The votes of one person in a conversation, by answer. */
  of(conversation: ConversationId, person: UserId): Promise<ReadonlyMap<string, Vote>>;
}

export type Vote = 'up' | 'down';

export interface Ballot {
  readonly conversation: ConversationId;
  /** The key under which the answer was posted: it names the turn, whose model and protocol stand in the journal. */
  readonly answer: string;
  readonly person: UserId;
  /** Undefined takes the vote back. */
  readonly vote: Vote | undefined;
  /** Why not, in their own words. */
  readonly reason?: string;
}

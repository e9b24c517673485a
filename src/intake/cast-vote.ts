/** A vote on an answer: stored once for each person, counted when it says something new. */
import type { Meter } from '../ports/meter.ts';
import type { Ballot, Votes } from '../ports/votes.ts';

export interface VoteServices {
  readonly votes: Votes;
  /** Absent: nobody looks. */
  readonly meter?: Meter;
}

export async function castVote({ votes, meter }: VoteServices, ballot: Ballot): Promise<void> {
  const isNew = await votes.cast(ballot);
  if (isNew && ballot.vote !== undefined) meter?.count('votes', { vote: ballot.vote });
}

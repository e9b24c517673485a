import type { UserId } from '../domain/ids.ts';
import type { ChangedChoices, Preferences, Profile } from '../domain/person.ts';

/** What is known of people. An account is one person until it is linked with others: then all of them are the same one. */
export interface People {
  /** Empty for somebody unknown. */
  preferences(account: UserId): Promise<Preferences>;
  /** Counts for all linked accounts. */
  choose(account: UserId, change: ChangedChoices): Promise<void>;
  /** What the platform tells of this one account; what it does not tell stays. */
  noteProfile(account: UserId, profile: Profile): Promise<void>;
  /** True once for each account: its zone is asked for now. */
  mayAskZone(account: UserId): Promise<boolean>;
  /** All accounts of the person, this one first. */
  accountsOf(account: UserId): Promise<readonly UserId[]>;
  /** A new code, for `linkCodeMs`: whoever enters it elsewhere is the same person from then on. */
  offerLink(account: UserId): Promise<string>;
  /**
   * The other accounts of the person that both are now. Choices of whoever made the code win. `unknown`: no such code
   * (any more). `own`: this account made it; it can still be used by another one.
   */
  link(account: UserId, code: string): Promise<readonly UserId[] | 'unknown' | 'own'>;
  /** The account is a person of its own again, with a copy of the choices. False: it was not linked. */
  unlink(account: UserId): Promise<boolean>;
}

import type { UserId } from '../domain/ids.ts';

/** What one person may use. Unit of `freeAt`: milliseconds since 1970. */
export interface Quotas {
  /** Counts one message that opens a turn. */
  message(user: UserId): Promise<{ readonly ok: true } | { readonly ok: false; readonly freeAt: number }>;
  /** Counts what a turn used. Unit: tokens. */
  spend(user: UserId, tokens: number): Promise<void>;
}

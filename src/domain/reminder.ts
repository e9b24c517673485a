/** A reminder as it is stored: what is due, when, and where it goes. Plain data. */
import type { SurfaceAddress } from './address.ts';
import type { ConversationId, UserId } from './ids.ts';

/** When a reminder is due. Times are in milliseconds since 1970. */
export type Schedule =
  | { readonly kind: 'at'; readonly at: number }
  | { readonly kind: 'every'; readonly everyMs: number }
  /** Five fields, read on the wall clock of `tz` (IANA). */
  | { readonly kind: 'cron'; readonly expr: string; readonly tz: string };

/** What somebody asked for. */
export interface ReminderDraft {
  readonly owner: UserId;
  /** Where it was asked for, and where it is delivered. */
  readonly conversation: ConversationId;
  readonly address: SurfaceAddress;
  /** `reminder`: the message is shown as it is. `task`: a turn opens with the message as its instruction. */
  readonly kind: 'reminder' | 'task';
  readonly message: string;
  readonly schedule: Schedule;
  /** The IANA zone in which the owner is told its times. */
  readonly tz: string;
  /** When it is due first. Unit: milliseconds since 1970. */
  readonly nextAt: number;
}

export interface Reminder extends ReminderDraft {
  /** `r1`, `r2` …: counted per person and never used again. */
  readonly id: string;
  /** Unit: milliseconds since 1970. */
  readonly createdAt: number;
}

/** A reminder whose time has come. Owner, id and `dueAt` name this one firing for ever. */
export interface DueReminder {
  readonly reminder: Reminder;
  /** The time it was due, however late it is now. Unit: milliseconds since 1970. */
  readonly dueAt: number;
}

/** More active reminders than this nobody may have. */
export const maxActiveReminders = 25;
/** Unit: characters (UTF-16). */
export const maxReminderChars = 2_000;

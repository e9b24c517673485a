/** A reminder as it is stored: what is due, when, and where it goes. Plain data. */
import type { SurfaceAddress } from './address.ts';
import type { ConversationId, UserId } from './ids.ts';

/** When a reminder is due. Times are in milliseconds since 1970. */
export type Schedule =
  /** `isInstant`: a wait, or a time of a zone that was named. It stays where it is when the person moves. */
  | { readonly kind: 'at'; readonly at: number; readonly isInstant?: true }
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
  /** It comes no later than this. Unit: milliseconds since 1970. */
  readonly until?: number;
  /** How often it still comes. */
  readonly timesLeft?: number;
  /** It is said to its owner alone, wherever it was asked for. */
  readonly deliverTo?: 'dm';
  /** What is not said in time is not said at all. */
  readonly misfire?: 'skip';
  /** How the person wrote a time that repeats. */
  readonly asked?: string;
}

export interface Reminder extends ReminderDraft {
  /** `r1`, `r2` …: counted per person and never used again. */
  readonly id: string;
  /** Unit: milliseconds since 1970. */
  readonly createdAt: number;
  /** It is not due until it is resumed. */
  readonly isPaused?: true;
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
/** A reminder repeats at most so often; a task costs a turn. Unit: milliseconds. */
export const minRepeatMs = { reminder: 60_000, task: 300_000 } as const;
/** Later than this, a reminder says when it was due. Unit: milliseconds. */
export const lateMs = 60_000;
/** Later than this, what was missed is only told. Unit: milliseconds. */
export const missedMs = 24 * 3_600_000;

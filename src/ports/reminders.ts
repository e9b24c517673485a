import type { UserId } from '../domain/ids.ts';
import type { Reminder, ReminderDraft } from '../domain/reminder.ts';

/** Reminders of people: kept until they have fired for the last time or are removed. */
export interface Reminders {
  /**
   * `key` names the request: repeating it within 72 h changes nothing and returns what was made the first time, even if
   * it has fired or was removed since. `full`: the owner has `maxActiveReminders` already.
   */
  add(draft: ReminderDraft, key: string): Promise<Reminder | 'full'>;
  /** What a request made, within 72 h. */
  made(key: string): Promise<Reminder | undefined>;
  /** The owner's active reminders, soonest first. */
  list(owner: UserId): Promise<readonly Reminder[]>;
  get(owner: UserId, id: string): Promise<Reminder | undefined>;
  /** What it was when it came last, for a month: it may be over since. `nextAt` is when it was due. */
  said(owner: UserId, id: string): Promise<Reminder | undefined>;
  /** Puts `now` in the place of `was`. False: it fired, was changed or removed meanwhile. */
  change(was: Reminder, now: Reminder): Promise<boolean>;
  /** False when the owner has no active reminder of that id. */
  remove(owner: UserId, id: string): Promise<boolean>;
}

/** One firing of one reminder. */
export interface DueTime {
  readonly owner: UserId;
  readonly id: string;
  /** Unit: milliseconds since 1970. */
  readonly dueAt: number;
}

/** Where reminders are written down. It is the truth: a queue only wakes somebody up at the time that stands here. */
export interface ReminderRecords {
  /** As `Reminders.add`; `createdAt` in milliseconds since 1970. */
  add(draft: ReminderDraft, key: string, createdAt: number): Promise<Reminder | 'full'>;
  made(key: string): Promise<Reminder | undefined>;
  get(owner: UserId, id: string): Promise<Reminder | undefined>;
  list(owner: UserId): Promise<readonly Reminder[]>;
  /** What was removed. */
  remove(owner: UserId, id: string): Promise<Reminder | undefined>;
  /** As `Reminders.said`. */
  said(owner: UserId, id: string): Promise<Reminder | undefined>;
  /** As `Reminders.change`; without `now` it is over. */
  replace(was: Reminder, now: Reminder | undefined): Promise<boolean>;
  /** As `replace`, after `was` was said: see `said`. */
  fired(was: Reminder, now: Reminder | undefined): Promise<boolean>;
  /** What is due before a time, longest overdue first, at most 1,000. Unit: milliseconds since 1970. */
  dueBefore(time: number): Promise<readonly DueTime[]>;
}

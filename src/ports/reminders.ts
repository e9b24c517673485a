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
  /**
   * The firing at `reminder.nextAt` is over: the next one is at `nextAt`, or there is none and the record goes. False,
   * and nothing is written, when it was removed or moved by somebody else.
   */
  move(reminder: Reminder, nextAt: number | undefined): Promise<boolean>;
  /** What is due before a time, longest overdue first, at most 1,000. Unit: milliseconds since 1970. */
  dueBefore(time: number): Promise<readonly DueTime[]>;
}

/** Reminders: a record each, and an alarm for its next time. */
import type { UserId } from '../domain/ids.ts';
import type { Reminder, ReminderDraft } from '../domain/reminder.ts';
import type { ReminderRecords, Reminders } from '../ports/reminders.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import type { ReminderAlarms } from './reminder-alarms.ts';

export interface QueuedRemindersOptions {
  readonly records: ReminderRecords;
  readonly alarms: ReminderAlarms;
  readonly clock: Clock;
  readonly log: Logger;
}

export function queuedReminders({ records, alarms, clock, log }: QueuedRemindersOptions): Reminders {
  const set = ({ owner, id, nextAt: dueAt, isPaused }: Reminder) =>
    isPaused === true ? undefined : tryTo(() => alarms.set([{ owner, id, dueAt }]));
  const clear = ({ owner, id, nextAt: dueAt }: Reminder) => tryTo(() => alarms.clear({ owner, id, dueAt }));
  return {
    async add(draft: ReminderDraft, key: string) {
      const reminder = await records.add(draft, key, clock.now());
      if (reminder !== 'full') await set(reminder);
      return reminder;
    },
    made: (key: string) => records.made(key),
    list: (owner: UserId) => records.list(owner),
    get: (owner: UserId, id: string) => records.get(owner, id),
    said: (owner: UserId, id: string) => records.said(owner, id),
    async change(was: Reminder, now: Reminder) {
      if (!(await records.replace(was, now))) return false;
      if (was.nextAt !== now.nextAt || was.isPaused !== now.isPaused) {
        await clear(was);
        await set(now);
      }
      return true;
    },
    async remove(owner: UserId, id: string) {
      const removed = await records.remove(owner, id);
      if (removed === undefined) return false;
      await clear(removed);
      return true;
    },
  };

  /** The record is written: a missing alarm is set by the sweep, a left one rings for nothing. */
  async function tryTo(change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } catch (error) {
      log.warn({ error }, 'an alarm of a reminder could not be changed; the sweep makes up for it');
    }
  }
}

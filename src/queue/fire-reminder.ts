/** What happens when an alarm rings. It may ring late, twice, or for nothing. */
import type { DueReminder, Reminder } from '../domain/reminder.ts';
import type { DueTime, ReminderRecords } from '../ports/reminders.ts';
import type { Clock } from '../ports/runtime.ts';
import { lastMissed, nextTime } from '../time/schedule.ts';
import type { ReminderAlarms } from './reminder-alarms.ts';

export interface FiringMeans {
  readonly records: ReminderRecords;
  readonly alarms: Pick<ReminderAlarms, 'set'>;
  readonly clock: Clock;
  /**
   * Delivers. A process that dies afterwards is followed by one that calls this again with the same `dueAt`, so it must
   * tell repetitions by owner, id and `dueAt`. When it rejects, the firing is tried again.
   */
  readonly onDue: (due: DueReminder) => Promise<void>;
}

/** Delivers what is due, then sets the next alarm. */
export async function fireReminder(time: DueTime, means: FiringMeans): Promise<void> {
  const reminder = await standing(time, means);
  if (reminder === undefined) return;
  const last = lastMissed(reminder.schedule, time.dueAt, means.clock.now());
  // Written down first: should this process die, the next one must not deliver for another of the missed times.
  if (last !== time.dueAt) return goOn(reminder, last, means);
  await means.onDue({ reminder, dueAt: time.dueAt });
  await goOn(reminder, nextTime(reminder.schedule, time.dueAt), means);
}

/** Gives this due time up; a later one of the same reminder still comes. */
export async function skipReminder(time: DueTime, means: FiringMeans): Promise<void> {
  const reminder = await standing(time, means);
  if (reminder !== undefined) await goOn(reminder, nextTime(reminder.schedule, time.dueAt), means);
}

/** Undefined when it was removed, moved, or has fired. */
async function standing({ owner, id, dueAt }: DueTime, { records }: FiringMeans) {
  const reminder = await records.get(owner, id);
  return reminder?.nextAt === dueAt ? reminder : undefined;
}

async function goOn(reminder: Reminder, nextAt: number | undefined, { records, alarms }: FiringMeans) {
  const moved = await records.move(reminder, nextAt);
  if (moved && nextAt !== undefined)
    await alarms.set([{ owner: reminder.owner, id: reminder.id, dueAt: nextAt }]);
}

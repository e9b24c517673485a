/** What happens when an alarm rings. It may ring late, twice, too early, or for nothing. */
import { type DueReminder, lateMs, type Reminder } from '../domain/reminder.ts';
import type { DueTime, ReminderRecords } from '../ports/reminders.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import { lastMissed, nextTime } from '../time/schedule.ts';
import type { ReminderAlarms } from './reminder-alarms.ts';

export interface FiringMeans {
  readonly records: ReminderRecords;
  readonly alarms: Pick<ReminderAlarms, 'set'>;
  readonly clock: Clock;
  readonly log: Logger;
  /**
   * Delivers. A process that dies afterwards is followed by one that calls this again with the same `dueAt`, so it must
   * tell repetitions by owner, id and `dueAt`. When it rejects, the firing is tried again. `unreachable`: its place is
   * gone, and so is every other way to its owner.
   */
  readonly onDue: (due: DueReminder) => Promise<'told' | 'unreachable'>;
}

/** Clocks of several machines differ by so much. Unit: milliseconds. */
const earlyMs = 1_000;

/** Delivers what is due, then sets the next alarm. */
export async function fireReminder(time: DueTime, means: FiringMeans): Promise<void> {
  const { records, clock, log } = means;
  const reminder = await standing(time, means);
  if (reminder === undefined) return;
  const now = clock.now();
  // A clock was set back since the alarm was set: the sweep sets it anew.
  if (now < time.dueAt - earlyMs) return;
  const last = lastMissed(reminder.schedule, time.dueAt, Math.min(now, reminder.until ?? now));
  // Written down first: should this process die, the next one must not deliver for another of the missed times.
  if (last !== time.dueAt) return goOn(reminder, { ...reminder, nextAt: last }, means);
  if (reminder.misfire === 'skip' && now - time.dueAt > lateMs) {
    log.info({ ...time, lateMs: now - time.dueAt }, 'a reminder was not said in time, and is left out');
    return goOn(reminder, following(reminder), means);
  }
  if ((await means.onDue({ reminder, dueAt: time.dueAt })) === 'told')
    return goOn(reminder, following(reminder), means, true);
  log.warn({ ...time, place: reminder.address }, 'a reminder has no place left to be said in, and is ended');
  await records.replace(reminder, undefined);
}

/** Gives this due time up; a later one of the same reminder still comes. */
export async function skipReminder(time: DueTime, means: FiringMeans): Promise<void> {
  const reminder = await standing(time, means);
  if (reminder !== undefined) await goOn(reminder, following(reminder), means);
}

/** Undefined when it was removed, moved or paused, or has fired. */
async function standing({ owner, id, dueAt }: DueTime, { records }: FiringMeans) {
  const reminder = await records.get(owner, id);
  return reminder?.nextAt === dueAt && reminder.isPaused !== true ? reminder : undefined;
}

/** As it goes on after it was due; undefined when that was the last time. */
function following({ timesLeft, ...reminder }: Reminder): Reminder | undefined {
  const { schedule, nextAt: dueAt, until = Number.POSITIVE_INFINITY } = reminder;
  const nextAt = timesLeft === 1 ? undefined : nextTime(schedule, dueAt);
  if (nextAt === undefined || nextAt > until) return undefined;
  return { ...reminder, nextAt, ...(timesLeft !== undefined && { timesLeft: timesLeft - 1 }) };
}

async function goOn(
  was: Reminder,
  now: Reminder | undefined,
  { records, alarms }: FiringMeans,
  isSaid = false,
): Promise<void> {
  const isMoved = await (isSaid ? records.fired(was, now) : records.replace(was, now));
  if (isMoved && now !== undefined) await alarms.set([{ owner: now.owner, id: now.id, dueAt: now.nextAt }]);
}

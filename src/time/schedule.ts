/** When a schedule is due. All times in milliseconds since 1970. */
import type { Schedule } from '../domain/reminder.ts';
import { lastCronTime, nextCronTime } from './cron.ts';

/** The first time after `after`; for `every`, counted from there. Undefined when there is none. */
export function nextTime(schedule: Schedule, after: number): number | undefined {
  switch (schedule.kind) {
    case 'at':
      return schedule.at > after ? schedule.at : undefined;
    case 'every':
      return after + schedule.everyMs;
    case 'cron':
      return nextCronTime(schedule.expr, schedule.tz, after);
  }
}

/**
 * The due time to fire now for one that came at `due`: itself, or the last of those that passed meanwhile. So a process
 * that was down for a weekend says a reminder once, late, and not sixty times.
 */
export function lastMissed(schedule: Schedule, due: number, now: number): number {
  switch (schedule.kind) {
    case 'at':
      return due;
    case 'every':
      return due + Math.max(0, Math.floor((now - due) / schedule.everyMs)) * schedule.everyMs;
    case 'cron':
      return Math.max(due, lastCronTime(schedule.expr, schedule.tz, now));
  }
}

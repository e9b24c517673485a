/**
 * One delayed job for the next due time of each reminder. An alarm is only a wake: the record says what is due, so one
 * that rings twice, or for a reminder that is gone, does nothing. BullMQ's job schedulers are not used: they would be
 * a second truth about the next time, and their cron leaves out times in half-hour and midnight jumps of the clocks.
 */
import { Queue } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import type { DueTime } from '../ports/reminders.ts';
import { type JobPayload, jobs, queuePrefix } from './jobs.ts';

export interface ReminderAlarms {
  /** An alarm that is set already, or rings right now, stays as it is. */
  set(times: readonly DueTime[]): Promise<void>;
  clear(time: DueTime): Promise<void>;
  close(): Promise<void>;
}

/** Tries of one firing, about three days of them: a surface that is away for a weekend must not cost a reminder. */
export const alarmAttempts = 440;
const longestWaitMs = 10 * 60_000;

/** Seconds at first, then every ten minutes. `attempt` counts from 1. */
export function waitBeforeAttempt(attempt: number): number {
  return Math.min(longestWaitMs, 1_000 * 2 ** Math.min(attempt - 1, 20));
}

export function bullReminderAlarms(connection: Redis | Cluster, now: () => number): ReminderAlarms {
  const queue = new Queue(jobs.reminder.queue, { connection, prefix: queuePrefix });
  queue.on('error', () => {}); // the connection's owner logs it
  return {
    async set(times) {
      const at = now();
      await queue.addBulk(
        times.map((time) => ({
          name: 'reminder',
          data: { ...time } satisfies JobPayload<'reminder'>,
          opts: {
            jobId: alarmId(time),
            timestamp: at,
            delay: Math.max(0, time.dueAt - at),
            attempts: alarmAttempts,
            backoff: { type: 'custom' },
            removeOnComplete: true,
            removeOnFail: true,
          },
        })),
      );
    },
    async clear(time) {
      await queue.remove(alarmId(time));
    },
    close: () => queue.close(),
  };
}

/** BullMQ takes no colon in an id. */
function alarmId({ owner, id, dueAt }: DueTime): string {
  return `${encodeURIComponent(owner)}/${id}/${dueAt}`;
}

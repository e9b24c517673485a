/** Waits for the alarms of reminders, in a queue of their own: a due time never stands behind a turn. */
import { type Job, Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import type { Logger } from '../ports/runtime.ts';
import { type FiringMeans, fireReminder, skipReminder } from './fire-reminder.ts';
import { jobs, queuePrefix } from './jobs.ts';
import { alarmAttempts, waitBeforeAttempt } from './reminder-alarms.ts';

export interface ReminderWorkerOptions extends FiringMeans {
  /** Waits for Redis for ever; not closed here. BullMQ makes a second one from it for blocking. */
  readonly connection: Redis | Cluster;
  /** How long BullMQ believes in a worker without a sign of life. Unit: milliseconds. */
  readonly lockMs: number;
  readonly log: Logger;
}

export interface ReminderWorker {
  /** Resolves when the firings that had begun are over. */
  close(): Promise<void>;
}

/** Most of them wait for the turn of their channel, which costs nothing. */
const concurrency = 200;
/** Of all workers together: half of what Discord takes in a second from one bot, so that answers have the other half. */
const mostAtOnce = { max: 25, duration: 1_000 };
const sweepEveryMs = 5_000;

export async function startReminderWorker(options: ReminderWorkerOptions): Promise<ReminderWorker> {
  const { connection, lockMs, log, clock } = options;
  const closing = new AbortController();
  const worker = new Worker(jobs.reminder.queue, ring, {
    connection,
    prefix: queuePrefix,
    concurrency,
    limiter: mostAtOnce,
    lockDuration: lockMs,
    stalledInterval: Math.min(10_000, Math.floor((lockMs * 2) / 3)),
    // The default drops a job silently when its worker dies a second time.
    maxStalledCount: 1_000,
    settings: { backoffStrategy: waitBeforeAttempt },
  });
  worker.on('error', () => {}); // the connection's owner logs it
  const sweeping = sweep();
  await worker.waitUntilReady();

  return {
    async close() {
      closing.abort();
      await sweeping;
      await worker.close();
    },
  };

  async function ring(job: Job): Promise<void> {
    const payload = jobs.reminder.payload.safeParse(job.data);
    if (!payload.success) {
      log.error({ job: job.id }, 'an alarm of another version was dropped; the sweep sets it again');
      return;
    }
    const { owner, id, dueAt } = payload.data;
    try {
      await fireReminder(payload.data, options);
    } catch (error) {
      const attempt = job.attemptsMade + 1;
      const facts = { owner, reminder: id, dueAt, attempt, error };
      if (attempt < alarmAttempts) {
        log.warn(facts, 'a reminder could not be delivered; it is tried again');
        throw error;
      }
      log.error(facts, 'a reminder could not be delivered for days; this due time is given up');
      await skipReminder(payload.data, options);
    }
  }

  /** Sets the alarms that are missing: their process died before it set them, or Redis forgot its last second. */
  async function sweep(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const soon = await options.records.dueBefore(clock.now() + sweepEveryMs);
        if (soon.length > 0) await options.alarms.set(soon);
        await clock.sleep(sweepEveryMs, closing.signal);
      } catch (error) {
        if (closing.signal.aborted) return;
        log.warn({ error }, 'the sweep for lost alarms failed; it is tried again');
        await clock.sleep(sweepEveryMs, closing.signal).catch(() => {}); // closing: the loop ends
      }
    }
  }
}

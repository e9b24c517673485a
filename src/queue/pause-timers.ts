/** Open questions that wait for days: a delayed job each. It first reminds the asker, then lets the question lapse. */
import { Queue, Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import type { CallId, ConversationId } from '../domain/ids.ts';
import type { PauseTimers } from '../ports/pause-timers.ts';
import { jobs, queuePrefix } from './jobs.ts';

export interface ClosablePauseTimers extends PauseTimers {
  /** At this time the question lapses, without another word before. Unit: milliseconds since 1970. */
  lapse(conversation: ConversationId, callId: CallId, at: number): Promise<void>;
  /** How many questions are open. */
  open(): Promise<number>;
  close(): Promise<void>;
}

/** A question that waits longer than this is brought to mind once. Unit: milliseconds. */
export const nudgeAfterMs = 24 * 3_600 * 1_000;

export function bullPauseTimers(connection: Redis | Cluster, now: () => number): ClosablePauseTimers {
  const queue = new Queue(jobs.pause.queue, { connection, prefix: queuePrefix });
  queue.on('error', () => {}); // the connection's owner logs it
  const add = async (conversation: ConversationId, callId: CallId, at: number, lapsesAt?: number) => {
    await queue.add(
      'pause',
      { conversation, callId, ...(lapsesAt === undefined ? {} : { lapsesAt }) },
      {
        // The same question again is the same job.
        jobId: jobId(conversation, callId, lapsesAt === undefined ? 'lapse' : 'nudge'),
        delay: Math.max(0, at - now()),
        attempts: 10,
        backoff: { type: 'exponential', delay: 1_000 },
        removeOnComplete: true,
        removeOnFail: true,
      },
    );
  };
  return {
    async set(conversation, callId, expiresAt) {
      const nudgeAt = now() + nudgeAfterMs;
      await (expiresAt > nudgeAt
        ? add(conversation, callId, nudgeAt, expiresAt)
        : add(conversation, callId, expiresAt));
    },
    lapse: (conversation, callId, at) => add(conversation, callId, at),
    async clear(conversation, callId) {
      await queue.remove(jobId(conversation, callId, 'nudge'));
      await queue.remove(jobId(conversation, callId, 'lapse'));
    },
    open: () => queue.getDelayedCount(),
    close: () => queue.close(),
  };
}

/** BullMQ reads a colon in an id as its own. */
function jobId(conversation: ConversationId, callId: CallId, what: 'nudge' | 'lapse'): string {
  return `${conversation}/${callId}/${what}`.replaceAll(':', '~');
}

export interface PauseHandlers {
  /** Brings an open question to mind. May be called twice, and for a question that is closed already. */
  readonly nudge: (conversation: ConversationId, callId: CallId) => Promise<void>;
  /** The question was not answered in time. May be called twice, and for a question that is closed already. */
  readonly expire: (conversation: ConversationId, callId: CallId) => Promise<void>;
}

export function startPauseWorker(
  connection: Redis | Cluster,
  timers: Pick<ClosablePauseTimers, 'lapse'>,
  { nudge, expire }: PauseHandlers,
): { close(): Promise<void> } {
  const worker = new Worker(
    jobs.pause.queue,
    async (job) => {
      const { conversation, callId, lapsesAt } = jobs.pause.payload.parse(job.data);
      if (lapsesAt === undefined) return expire(conversation, callId);
      // First: where nothing can be said for long, it lapses all the same.
      await timers.lapse(conversation, callId, lapsesAt);
      await nudge(conversation, callId);
    },
    { connection, prefix: queuePrefix, concurrency: 10 },
  );
  worker.on('error', () => {}); // the connection's owner logs it
  return { close: () => worker.close() };
}

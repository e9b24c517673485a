/** Open questions that wait for days: a delayed job each, which appends the time-out when it is due. */
import { Queue, Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import type { CallId, ConversationId } from '../domain/ids.ts';
import type { PauseTimers } from '../ports/pause-timers.ts';
import { jobs, queuePrefix } from './jobs.ts';

export interface ClosablePauseTimers extends PauseTimers {
  /** How many questions are open. */
  open(): Promise<number>;
  close(): Promise<void>;
}

export function bullPauseTimers(connection: Redis | Cluster, now: () => number): ClosablePauseTimers {
  const queue = new Queue(jobs.pause.queue, { connection, prefix: queuePrefix });
  queue.on('error', () => {}); // the connection's owner logs it
  return {
    async set(conversation, callId, expiresAt) {
      await queue.add(
        'pause',
        { conversation, callId },
        {
          // The same question again is the same job.
          jobId: jobId(conversation, callId),
          delay: Math.max(0, expiresAt - now()),
          attempts: 10,
          backoff: { type: 'exponential', delay: 1_000 },
          removeOnComplete: true,
          removeOnFail: true,
        },
      );
    },
    async clear(conversation, callId) {
      await queue.remove(jobId(conversation, callId));
    },
    open: () => queue.getDelayedCount(),
    close: () => queue.close(),
  };
}

/** BullMQ reads a colon in an id as its own. */
function jobId(conversation: ConversationId, callId: CallId): string {
  return `${conversation}/${callId}`.replaceAll(':', '~');
}

/** `expire` is called when a question is due; it may be called twice, and for a question that is closed already. */
export function startPauseWorker(
  connection: Redis | Cluster,
  expire: (conversation: ConversationId, callId: CallId) => Promise<void>,
): { close(): Promise<void> } {
  const worker = new Worker(
    jobs.pause.queue,
    async (job) => {
      const { conversation, callId } = jobs.pause.payload.parse(job.data);
      await expire(conversation, callId);
    },
    { connection, prefix: queuePrefix, concurrency: 10 },
  );
  worker.on('error', () => {}); // the connection's owner logs it
  return { close: () => worker.close() };
}

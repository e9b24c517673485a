/** Wakes and stops. The queue carries "this conversation has something to do", never a text. */
import { Queue } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import type { ConversationId } from '../domain/ids.ts';
import type { TurnQueue } from '../ports/turn-queue.ts';
import { type JobPayload, jobs, queuePrefix } from './jobs.ts';

/** Conversations whose running turn is to stop are named here. */
export const stopChannel = 'docent:stop';

export interface ClosableTurnQueue extends TurnQueue {
  /**
   * Wakes those of these conversations that no worker has, and for which no further attempt is due. Their first wake
   * must be known to wait no more.
   */
  wakeLost(conversations: readonly ConversationId[]): Promise<void>;
  /** Whether a job that was added after this one is with a worker. Ids of jobs are numbers that rise. */
  isOvertaken(conversation: ConversationId, job: string): Promise<boolean>;
  /** How many wakes wait, and for how long the oldest has. Unit: milliseconds. */
  depth(): Promise<{ readonly waiting: number; readonly oldestMs: number }>;
  close(): Promise<void>;
}

const retries = { attempts: 3, backoff: { type: 'fixed', delay: 1_000 } };

/** `connection` is for commands that fail fast; it is not closed here. */
export function bullTurnQueue(connection: Redis | Cluster, now: () => number): ClosableTurnQueue {
  const queue = new Queue<JobPayload<'turn'>>(jobs.turn.queue, { connection, prefix: queuePrefix });
  queue.on('error', () => {}); // the connection's owner logs it
  return {
    async wake(conversation: ConversationId) {
      await queue.add('turn', { conversation }, retries);
    },
    async wakeLost(conversations: readonly ConversationId[]) {
      if (conversations.length === 0) return;
      const taken = await queue.getJobs(['active', 'delayed']);
      const known = new Set(taken.map((job) => job.data.conversation));
      const lost = conversations.filter((conversation) => !known.has(conversation));
      // Of those sent like this one waits for each conversation, however often they are looked for.
      const once = (id: ConversationId) => ({ ...retries, deduplication: { id } });
      await Promise.all(lost.map((conversation) => queue.add('turn', { conversation }, once(conversation))));
    },
    async isOvertaken(conversation: ConversationId, job: string) {
      const active = await queue.getActive();
      return active.some(({ data, id }) => data.conversation === conversation && Number(id) > Number(job));
    },
    async stop(conversation: ConversationId) {
      await connection.publish(stopChannel, conversation);
    },
    async depth() {
      const [waiting, [oldest]] = await Promise.all([queue.getWaitingCount(), queue.getWaiting(0, 0)]);
      return { waiting, oldestMs: oldest === undefined ? 0 : Math.max(0, now() - oldest.timestamp) };
    },
    close: () => queue.close(),
  };
}

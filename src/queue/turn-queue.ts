/** Wakes and stops. The queue carries "this conversation has something to do", never a text. */
import { Queue } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import type { ConversationId } from '../domain/ids.ts';
import type { TurnQueue } from '../ports/turn-queue.ts';
import { jobs, queuePrefix } from './jobs.ts';

/** Conversations whose running turn is to stop are named here. */
export const stopChannel = 'docent:stop';

export interface ClosableTurnQueue extends TurnQueue {
  /** How many wakes wait, and for how long the oldest has. Unit: milliseconds. */
  depth(): Promise<{ readonly waiting: number; readonly oldestMs: number }>;
  close(): Promise<void>;
}

/** `connection` is for commands that fail fast; it is not closed here. */
export function bullTurnQueue(connection: Redis | Cluster, now: () => number): ClosableTurnQueue {
  const queue = new Queue(jobs.turn.queue, { connection, prefix: queuePrefix });
  queue.on('error', () => {}); // the connection's owner logs it
  return {
    async wake(conversation: ConversationId) {
      await queue.add(
        'turn',
        { conversation },
        {
          // A second line behind the wake flag: one job a conversation, and one more when a wake comes while it runs.
          deduplication: { id: conversation, keepLastIfActive: true },
          attempts: 3,
          backoff: { type: 'fixed', delay: 1_000 },
          removeOnComplete: true,
          removeOnFail: true,
        },
      );
    },
    async stop(conversation: ConversationId) {
      await connection.publish(stopChannel, conversation);
    },
    async depth() {
      const [waiting, [oldest]] = await Promise.all([queue.getWaitingCount(), queue.getWaiting(0, 0)]);
      return { waiting, oldestMs: oldest === undefined ? 0 : now() - oldest.timestamp };
    },
    close: () => queue.close(),
  };
}

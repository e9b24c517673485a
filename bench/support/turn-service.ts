/** The way of a message through the product, but for what the turn itself does: door, inbox, queue, worker. */
import type { ConversationId } from '../../src/domain/ids.ts';
import { type Accept, acceptInbound } from '../../src/intake/accept.ts';
import { systemClock } from '../../src/observe/clock.ts';
import type { Conversations } from '../../src/ports/conversations.ts';
import type { Logger } from '../../src/ports/runtime.ts';
import { bullFileFetches } from '../../src/queue/file-fetches.ts';
import { bullTurnQueue } from '../../src/queue/turn-queue.ts';
import { startTurnWorker } from '../../src/queue/turn-worker.ts';
import { connectRedis, parseRedisUrl } from '../../src/redis-server/connect.ts';
import { redisConversations } from '../../src/store/redis/conversations.ts';
import { concurrency, lockMs as rawLockMs } from './raw-queue.ts';

/** As the product's setting. Unit: seconds. */
export const retentionS = 180 * 24 * 3_600;

/** What goes wrong stands beside the figures; all else is silent. */
export const errorLog: Logger = {
  debug: () => {},
  info: () => {},
  warn: (fields, message) => console.error(message, fields),
  error: (fields, message) => console.error(message, fields),
};

const noList = { servers: [], channels: [], roles: [], users: [] };
const everybody = { admins: [], allow: { ...noList, bots: [] }, deny: noList };

export interface TurnService {
  readonly conversations: Conversations;
  readonly accept: Accept;
  /** Takes wakes until this process ends. */
  work(run: (conversation: ConversationId) => Promise<'more' | 'idle'>): Promise<void>;
  /** For one that takes no wakes. */
  close(): Promise<void>;
}

/** `lockMs`: how long BullMQ believes in a worker without a sign of life. */
export function turnService(url: string, lockMs = rawLockMs): TurnService {
  const connect = (whenAway: 'fail' | 'wait') =>
    connectRedis(parseRedisUrl(url), { whenAway, log: errorLog });
  const redis = connect('fail');
  const conversations = redisConversations({ redis, clock: systemClock, retentionS });
  const queue = bullTurnQueue(redis, Date.now);
  const fetches = bullFileFetches(redis);
  const config = { access: everybody };
  const accept = acceptInbound({ conversations, queue, fetches, config, clock: systemClock, log: errorLog });
  return {
    conversations,
    accept,
    async close() {
      await accept.settled();
      await Promise.all([queue.close(), fetches.close()]);
      redis.disconnect();
    },
    async work(run) {
      await startTurnWorker({
        connection: connect('wait'),
        subscriber: connect('wait'),
        queue,
        concurrency,
        lockMs,
        clock: systemClock,
        log: errorLog,
        run,
        giveUp: async () => 'idle',
        overdue: (before) => conversations.overdue(before),
        stopRequested: (conversation) => conversations.stopRequested(conversation),
      });
    },
  };
}

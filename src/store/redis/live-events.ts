/**
 * The events of a running turn, for surfaces that show them directly. A capped stream for each conversation: losing it
 * loses nothing but the live view.
 */
import type { ConversationId } from '../../domain/ids.ts';
import type { TurnEvent } from '../../domain/turn.ts';
import type { RedisClient } from './client.ts';
import { conversationKeys } from './keys.ts';

/** Kept for whoever comes back: what happened meanwhile is shown then. */
const keptEntries = 2_000;
const keptS = 7 * 24 * 3_600;
const blockMs = 5_000;

export interface LiveEvents {
  publish(conversation: ConversationId, events: readonly TurnEvent[]): Promise<void>;
  /**
   * Calls back, in order, with everything this conversation's follower has not seen yet; one that never looked begins
   * now. Resolves once nothing can be missed; `done` when the signal was aborted.
   */
  follow(
    conversation: ConversationId,
    onEvents: (events: readonly TurnEvent[]) => void,
    signal: AbortSignal,
  ): Promise<{ readonly done: Promise<void> }>;
}

/** `connectForBlocking` makes a connection of its own for a follower, which waits on it. */
export function redisLiveEvents(redis: RedisClient, connectForBlocking: () => RedisClient): LiveEvents {
  return {
    async publish(conversation, events) {
      const { live } = conversationKeys(conversation);
      const text = JSON.stringify(events);
      await redis.xadd(live, 'MAXLEN', '~', keptEntries, '*', 'e', text);
      await redis.expire(live, keptS);
    },
    async follow(conversation, onEvents, signal) {
      const { live, seenLive } = conversationKeys(conversation);
      const newest = await redis.xrevrange(live, '+', '-', 'COUNT', 1);
      let from = (await redis.get(seenLive)) ?? newest[0]?.[0] ?? '0-0';
      const connection = connectForBlocking();
      signal.addEventListener('abort', () => connection.disconnect(), { once: true });
      const read = async () => {
        while (!signal.aborted) {
          try {
            const reply = await connection.xread('COUNT', 100, 'BLOCK', blockMs, 'STREAMS', live, from);
            for (const [id, fields] of reply?.[0]?.[1] ?? []) {
              from = id;
              onEvents(JSON.parse(fields[1] ?? '[]') as TurnEvent[]);
            }
            if (reply !== null) await redis.set(seenLive, from, 'EX', keptS);
          } catch (error) {
            if (!signal.aborted) throw error;
          }
        }
      };
      return { done: read() };
    },
  };
}

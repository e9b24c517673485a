/**
 * The events of a running turn, for surfaces that show them directly. A capped stream for each conversation: losing it
 * loses nothing but the live view.
 */
import type { ConversationId } from '../../domain/ids.ts';
import type { TurnEvent } from '../../domain/turn.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import type { RedisClient } from './client.ts';
import { conversationKeys } from './keys.ts';

/** Kept for whoever comes back: what happened meanwhile is shown then. */
const keptEntries = 2_000;
const keptS = 7 * 24 * 3_600;
const blockMs = 5_000;
/** When Redis gave no answer, it is asked again after this. Unit: milliseconds. */
const askAgainMs = 500;

export interface LiveEvents {
  /** `batch` names what is sent: a repetition of the last one is shown once. */
  publish(conversation: ConversationId, events: readonly TurnEvent[], batch: string): Promise<void>;
  /**
   * Calls back, in order, with everything this conversation's follower has not seen yet; a turn that it saw in part is
   * shown from its start, for its screen is a new one. Who never looked begins now. Resolves once nothing can be missed;
   * `done` when the signal was aborted. While Redis is away it waits, however long.
   */
  follow(
    conversation: ConversationId,
    onEvents: (events: readonly TurnEvent[]) => void,
    signal: AbortSignal,
  ): Promise<{ readonly done: Promise<void> }>;
}

type Entry = [string, string[]];

export interface LiveEventsOptions {
  readonly redis: RedisClient;
  /** Makes a connection of its own for a follower, which waits on it. */
  readonly connectForBlocking: () => RedisClient;
  readonly clock: Clock;
  readonly log: Logger;
}

export function redisLiveEvents({ redis, connectForBlocking, clock, log }: LiveEventsOptions): LiveEvents {
  return {
    async publish(conversation, events, batch) {
      const { live } = conversationKeys(conversation);
      const fields = ['e', JSON.stringify(events), 'b', batch];
      await redis.xadd(live, 'MAXLEN', '~', keptEntries, '*', ...fields);
      await redis.expire(live, keptS);
    },
    async follow(conversation, onEvents, signal) {
      const { live, seenLive } = conversationKeys(conversation);
      let from = await placeToBegin(redis, live, await redis.get(seenLive));
      let lastBatch = '';
      const connection = connectForBlocking();
      signal.addEventListener('abort', () => connection.disconnect(), { once: true });
      const next = async () => {
        try {
          const reply = await connection.xread('COUNT', 100, 'BLOCK', blockMs, 'STREAMS', live, from);
          return reply?.[0]?.[1] ?? [];
        } catch (error) {
          if (signal.aborted) return [];
          log.warn({ conversation, error }, 'live events could not be read; it is tried again');
          await clock.sleep(askAgainMs, signal).catch(() => {}); // the person left
          return [];
        }
      };
      const remember = async () => {
        try {
          await redis.set(seenLive, from, 'EX', keptS);
        } catch (error) {
          if (!signal.aborted)
            log.warn({ conversation, error }, 'what was shown could not be noted; it may be shown again');
        }
      };
      const read = async () => {
        while (!signal.aborted) {
          const entries = await next();
          for (const entry of entries) {
            from = entry[0];
            const batch = entry[1][3] ?? '';
            if (batch !== lastBatch || batch === '') onEvents(eventsIn(entry));
            lastBatch = batch;
          }
          if (entries.length > 0) await remember();
        }
      };
      return { done: read() };
    },
  };
}

/** Behind what was seen; before the start of a turn that was seen in part. */
async function placeToBegin(redis: RedisClient, live: string, seen: string | null): Promise<string> {
  if (seen === null) return (await redis.xrevrange(live, '+', '-', 'COUNT', 1))[0]?.[0] ?? '0-0';
  const before = await redis.xrevrange(live, seen, '-', 'COUNT', keptEntries);
  for (const [at, entry] of before.entries()) {
    const last = eventsIn(entry).findLast((event) => isEnd(event) || isStart(event));
    if (last === undefined) continue;
    return isEnd(last) ? seen : (before[at + 1]?.[0] ?? '0-0');
  }
  return seen;
}

function isStart(event: TurnEvent): boolean {
  return event.type === 'phase' && event.phase === 'reading';
}

function isEnd(event: TurnEvent): boolean {
  return event.type === 'turn.ended' && event.outcome.kind !== 'paused';
}

function eventsIn([, fields]: Entry): TurnEvent[] {
  return JSON.parse(fields[1] ?? '[]') as TurnEvent[];
}

/**
 * Conversations as the product stores them: whole turns over a Redis, with a model that says what it is told to and a
 * surface on which posting always works. No queue is in between: who says something runs the turn.
 */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { chat } from '../../src/capabilities/chat.ts';
import type { MessageRef } from '../../src/domain/address.ts';
import { estimateTokens } from '../../src/model/token-estimate.ts';
import { systemClock } from '../../src/observe/clock.ts';
import type { ModelChunk } from '../../src/ports/model.ts';
import type { Screens } from '../../src/ports/screen.ts';
import { bullPauseTimers } from '../../src/queue/pause-timers.ts';
import { redisConversations } from '../../src/store/redis/conversations.ts';
import { askUser } from '../../src/tools/ask-user.ts';
import { runTurn } from '../../src/turns/run-turn.ts';
import type { TurnServices } from '../../src/turns/services.ts';
import { said } from './said.ts';
import { errorLog, retentionS } from './turn-service.ts';

export interface StoredTalk {
  /** One message, and the turn it opens, to its end or to its question. */
  exchange(place: number, message: number, content: string): Promise<void>;
  close(): Promise<void>;
}

export function storedTalk(redisUrl: string, reply: readonly ModelChunk[]): StoredTalk {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const conversations = redisConversations({ redis, clock: systemClock, retentionS });
  const timers = bullPauseTimers(redis, Date.now);
  const services: TurnServices = {
    conversations,
    screens: postingScreens(),
    timers,
    quotas: { message: async () => ({ ok: true }), spend: async () => {} },
    people: { preferences: async () => ({}) },
    noteLeft: async () => {},
    readEarlier: async () => [],
    markUsed: () => {},
    files: { complete: async (_conversation, arrived) => arrived },
    model: {
      name: 'gpt-4.1-mini',
      async *stream() {
        yield* reply;
      },
    },
    protocol: { for: async () => 'label', couldNotHoldLabels: async () => {} },
    tools: new Map([[askUser.schema.name, askUser]]),
    capability: chat,
    settings: {},
    hooks: {},
    meter: { count: () => {}, time: () => {}, watch: () => {} },
    clock: systemClock,
    logFor: () => errorLog,
    newId: randomUUID,
    estimateTokens,
    spokenTime: (at) => new Date(at).toUTCString(),
  };
  return {
    async exchange(place, message, content) {
      const candidate = said(place, message, content);
      await conversations.append(candidate);
      await runTurn(services, candidate.conversation, new AbortController().signal);
    },
    async close() {
      await timers.close();
      redis.disconnect();
    },
  };
}

/** Every turn has one message, its answer or its card, and the ledger knows of it. */
function postingScreens(): Screens {
  let posted = 0;
  return {
    open({ address: { surface, place }, ledger }) {
      const post = async (slot: string): Promise<MessageRef> => {
        const ref = { surface, place, id: `6${String((posted += 1)).padStart(18, '0')}` };
        await ledger.intend(slot);
        await ledger.done(slot, ref);
        return ref;
      };
      return {
        show: () => {},
        takeBack: async () => {},
        finish: async (outcome) => {
          if (outcome.kind !== 'paused') await post('answer:1');
        },
        ask: ({ callId }) => post(`card:${callId}`),
        closeCard: async () => {},
        tell: async () => true,
      };
    },
  };
}

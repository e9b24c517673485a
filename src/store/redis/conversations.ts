/** Conversations in Redis: one script per step, a fence on every write. */
import type { MessageRef } from '../../domain/address.ts';
import { ConversationId, type EventId, type TurnId } from '../../domain/ids.ts';
import type { Inbound, InboxItem } from '../../domain/inbound.ts';
import type { UserContent } from '../../domain/message.ts';
import type { OpenPause } from '../../domain/pause.ts';
import type { Appended, Claim, Conversations, Edited } from '../../ports/conversations.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Clock } from '../../ports/runtime.ts';
import { claimedForMs, RedisClaim } from './claim.ts';
import { type RedisClient, redisScript } from './client.ts';
import {
  appendScript,
  claimScript,
  commitScript,
  editScript,
  fencedFieldsScript,
  lookScript,
  recordScript,
} from './conversation-scripts.ts';
import { conversationKeys, globalKeys } from './keys.ts';
import { redisLedger } from './ledger.ts';
import { readPause } from './pause-form.ts';

export interface RedisConversationsOptions {
  readonly redis: RedisClient;
  readonly clock: Clock;
  /** How long a conversation is kept after its last turn. Unit: seconds. */
  readonly retentionS: number;
}

/** A message's id is remembered this long. Unit: seconds. */
const seenS = 72 * 3600;

export function redisConversations({ redis, clock, retentionS }: RedisConversationsOptions): Conversations {
  const scripts = {
    append: redisScript(redis, appendScript),
    edit: redisScript(redis, editScript),
    claim: redisScript(redis, claimScript),
    look: redisScript(redis, lookScript),
    record: redisScript(redis, recordScript),
    commit: redisScript(redis, commitScript),
    fields: redisScript(redis, fencedFieldsScript),
  };

  return {
    async append({ conversation, item, wanted }: Inbound): Promise<Appended> {
      const keys = conversationKeys(conversation);
      const { seen, inbox, items, wake, pause, followed, stop } = keys;
      const call = 'callId' in item ? item.callId : '';
      const appended = scripts.append(
        [seen(item.id), inbox, items, wake, pause, followed, stop],
        [item.kind, item.id, JSON.stringify(item), seenS, call, wanted, retentionS, item.author ?? ''],
      );
      // Sent at the same moment, on its own slot: the sweep finds the conversation when the wake is lost.
      const waiting =
        item.kind === 'note' ? undefined : redis.zadd(globalKeys.waiting, 'NX', clock.now(), conversation);
      const [result] = await Promise.all([appended, waiting, remember(item, conversation)]);
      if (result !== 'wake' && result !== 'queued') await forgetIdle(conversation, waiting);
      return result as Appended;
    },

    async edit(conversation: ConversationId, id: EventId, content: UserContent | undefined): Promise<Edited> {
      const { items, inbox, seen } = conversationKeys(conversation);
      const text = await redis.hget(items, id);
      const item = text === null ? undefined : (JSON.parse(text) as InboxItem);
      if (item === undefined || !('content' in item))
        return (await redis.exists(seen(id))) === 1 ? 'late' : 'unknown';
      const changed = content === undefined ? '' : JSON.stringify({ ...item, content });
      return (await scripts.edit([items, inbox], [id, changed, `${item.kind}|${id}`])) === 1
        ? 'changed'
        : 'late';
    },

    async claim(conversation: ConversationId): Promise<Claim> {
      const { fence, wake, inbox, items, journal, pause, stop } = conversationKeys(conversation);
      const claimed = scripts.claim([fence, wake, inbox, items, journal, pause, stop], [retentionS]);
      const [reply] = await Promise.all([
        claimed,
        redis.zadd(globalKeys.waiting, clock.now() + claimedForMs, conversation),
      ]);
      return new RedisClaim(conversation, reply as ConstructorParameters<typeof RedisClaim>[1], {
        redis,
        scripts,
        clock,
        retentionS,
      });
    },

    async pauseOf(conversation: ConversationId): Promise<OpenPause | undefined> {
      return readPause(await redis.hgetall(conversationKeys(conversation).pause));
    },

    ledger(conversation: ConversationId, name: TurnId): Ledger {
      const key = conversationKeys(conversation).ledger(name);
      const set = async (slot: string, entry: string) => {
        await redis.multi().hset(key, slot, entry).expire(key, retentionS).exec();
      };
      return redisLedger({ redis, conversation, key, retentionS, set, check: async () => {} });
    },

    async stopRequested(conversation: ConversationId): Promise<boolean> {
      return (await redis.exists(conversationKeys(conversation).stop)) === 1;
    },

    async conversationOf(ref: MessageRef): Promise<ConversationId | undefined> {
      const id = await redis.get(globalKeys.ref(ref));
      return id === null ? undefined : ConversationId(id);
    },

    async overdue(before: number): Promise<readonly ConversationId[]> {
      const ids = await redis.zrangebyscore(globalKeys.waiting, '-inf', before, 'LIMIT', 0, 1_000);
      return ids.map(ConversationId);
    },
  };

  async function remember(item: InboxItem, conversation: ConversationId): Promise<void> {
    if (item.author === undefined) return;
    const person = globalKeys.person(item.author);
    const isNew = await redis.zadd(person, clock.now(), conversation);
    if (isNew === 1) return void (await redis.expire(person, retentionS));
    // It lives on with its conversations; the acknowledgement does not wait for that, and the next message does it again.
    redis.expire(person, retentionS).catch(() => {});
  }

  /** An item that came to nothing must not leave the conversation on the sweep's list. */
  async function forgetIdle(
    conversation: ConversationId,
    waiting: Promise<unknown> | undefined,
  ): Promise<void> {
    if (waiting === undefined || (await redis.exists(conversationKeys(conversation).wake)) === 1) return;
    await redis.zrem(globalKeys.waiting, conversation);
  }
}

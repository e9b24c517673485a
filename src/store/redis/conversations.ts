/** Conversations in Redis: one script per step, a fence on every write. */
import type { MessageRef, SurfaceAddress } from '../../domain/address.ts';
import { ConversationId, type EventId, type TurnId, UserId } from '../../domain/ids.ts';
import type { Inbound, InboxItem } from '../../domain/inbound.ts';
import type { JournalRecord } from '../../domain/journal.ts';
import type { UserContent } from '../../domain/message.ts';
import type { OpenPause } from '../../domain/pause.ts';
import type { Appended, Claim, Conversations, Edited, MessageOwner } from '../../ports/conversations.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Clock } from '../../ports/runtime.ts';
import { readJournal } from '../journal-form.ts';
import { type ClaimReply, RedisClaim } from './claim.ts';
import { type RedisClient, redisScript } from './client.ts';
import {
  appendScript,
  claimScript,
  closePauseScript,
  commitScript,
  editScript,
  fencedFieldsScript,
  lookScript,
  openPauseScript,
  recordScript,
} from './conversation-scripts.ts';
import { lineOf, readItem, writeItem } from './inbox-form.ts';
import { conversationKeys, globalKeys, personKeys, waitingKeys } from './keys.ts';
import { readOwner, redisLedger } from './ledger.ts';
import { readPause } from './pause-form.ts';

export interface RedisConversationsOptions {
  readonly redis: RedisClient;
  readonly clock: Clock;
  /** How long a conversation is kept after its last turn. Unit: seconds. */
  readonly retentionS: number;
}

/** A message's id is remembered this long. Unit: seconds. */
const seenS = 72 * 3600;
/** What somebody began in a place is found there this long. Unit: seconds. */
const foundS = 24 * 3600;
/** So many conversations of a person are looked through in each shard. */
const foundLimit = 50;
/** So many overdue conversations of one shard are told at a time. */
const sweepLimit = 100;

export function redisConversations({ redis, clock, retentionS }: RedisConversationsOptions): Conversations {
  const scripts = {
    append: redisScript(redis, appendScript),
    edit: redisScript(redis, editScript),
    claim: redisScript(redis, claimScript),
    look: redisScript(redis, lookScript),
    record: redisScript(redis, recordScript),
    commit: redisScript(redis, commitScript),
    openPause: redisScript(redis, openPauseScript),
    closePause: redisScript(redis, closePauseScript),
    fields: redisScript(redis, fencedFieldsScript),
  };

  const inboxOf = async (conversation: ConversationId): Promise<readonly InboxItem[]> =>
    (await redis.lrange(conversationKeys(conversation).inbox, 0, -1)).map(readItem);

  return {
    async append({ conversation, item, wanted, byPart }: Inbound): Promise<Appended> {
      const keys = conversationKeys(conversation);
      const call = 'callId' in item ? item.callId : '';
      const { author = UserId('') } = item;
      const appended = await scripts.append(
        [keys.seen(item.id), keys.state, keys.inbox, keys.waiting, keys.person(author)],
        [
          item.kind,
          writeItem(item),
          seenS,
          call,
          wanted,
          retentionS,
          author,
          clock.now(),
          conversation,
          placeOf(item.address),
          byPart ? '1' : '',
          turnOf(item),
        ],
      );
      return appended as Appended;
    },

    async edit(conversation: ConversationId, id: EventId, content: UserContent | undefined): Promise<Edited> {
      const keys = conversationKeys(conversation);
      const item = (await inboxOf(conversation)).find((each) => each.id === id);
      if (item === undefined || !('content' in item))
        return (await redis.exists(keys.seen(id))) === 1 ? 'late' : 'unknown';
      const changed = content === undefined ? '' : writeItem({ ...item, content });
      return (await scripts.edit([keys.inbox], [lineOf(item), changed])) === 1 ? 'changed' : 'late';
    },

    async claim(conversation: ConversationId): Promise<Claim> {
      const keys = conversationKeys(conversation);
      const reply = await scripts.claim([keys.state, keys.inbox, keys.journal, keys.pause], []);
      return new RedisClaim(conversation, keys, reply as ClaimReply, { redis, scripts, clock, retentionS });
    },

    async pauseOf(conversation: ConversationId): Promise<OpenPause | undefined> {
      return readPause(await redis.hgetall(conversationKeys(conversation).pause));
    },

    inboxOf,

    async journalOf(conversation: ConversationId): Promise<readonly JournalRecord[]> {
      const records = await redis.lrange(conversationKeys(conversation).journal, 0, -1);
      return readJournal(records, conversation);
    },

    ledger(conversation: ConversationId, name: TurnId): Ledger {
      const key = conversationKeys(conversation).ledger(name);
      const set = async (slot: string, entry: string) => {
        await redis.multi().hset(key, slot, entry).expire(key, retentionS).exec();
      };
      return redisLedger({ redis, conversation, turn: name, key, retentionS, set, check: async () => {} });
    },

    async newestAt(surface: string, place: string, person: UserId): Promise<ConversationId | undefined> {
      const since = clock.now() - foundS * 1_000;
      const spoken = await Promise.all(
        personKeys(person).map((key) =>
          redis.zrevrangebyscore(key, '+inf', since, 'WITHSCORES', 'LIMIT', 0, foundLimit),
        ),
      );
      const newestFirst = spoken.flatMap(scored).toSorted((one, other) => other.score - one.score);
      for (const { member } of newestFirst) {
        const conversation = ConversationId(member);
        const begun = await redis.hget(conversationKeys(conversation).state, 'followed');
        if (begun === placeOf({ surface, place })) return conversation;
      }
      return undefined;
    },

    async stopRequested(conversation: ConversationId): Promise<boolean> {
      return (await redis.hexists(conversationKeys(conversation).state, 'stop')) === 1;
    },

    async isBusy(conversation: ConversationId): Promise<boolean> {
      return (await redis.hexists(conversationKeys(conversation).state, 'wake')) === 1;
    },

    async ownerOf(ref: MessageRef): Promise<MessageOwner | undefined> {
      return readOwner(await redis.get(globalKeys.ref(ref)));
    },

    async overdue(before: number): Promise<readonly ConversationId[]> {
      const found = await Promise.all(
        waitingKeys.map((key) => redis.zrangebyscore(key, '-inf', before, 'LIMIT', 0, sweepLimit)),
      );
      return found.flat().map(ConversationId);
    },
  };
}

/** Whose answer is wanted anew, or taken away. */
function turnOf(item: InboxItem): string {
  if (item.kind === 'again') return item.turn;
  return ('removes' in item && item.removes) || '';
}

/** As `followed` has it. */
function placeOf({ surface, place }: Pick<SurfaceAddress, 'surface' | 'place'>): string {
  return `${surface}:${place}`;
}

/** Members and scores as Redis lists them, one after the other. */
function scored(flat: readonly string[]): { readonly member: string; readonly score: number }[] {
  return flat.flatMap((member, at) => (at % 2 === 0 ? [{ member, score: Number(flat[at + 1]) }] : []));
}

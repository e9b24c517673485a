/** The ledger as a Redis hash. What is written behind a fence, or freely, is the caller's to say. */
import { ConversationId, TurnId } from '../../domain/ids.ts';
import type { MessageOwner } from '../../ports/conversations.ts';
import type { Ledger, LedgerEntry } from '../../ports/ledger.ts';
import type { RedisClient } from './client.ts';
import { globalKeys } from './keys.ts';

export interface LedgerMeans {
  readonly redis: RedisClient;
  readonly conversation: ConversationId;
  readonly turn: TurnId;
  readonly key: string;
  readonly retentionS: number;
  readonly set: (slot: string, entry: string) => Promise<void>;
  readonly check: () => Promise<void>;
}

export function redisLedger({ redis, conversation, turn, key, retentionS, set, check }: LedgerMeans): Ledger {
  const write = (slot: string, entry: LedgerEntry) => set(slot, JSON.stringify(entry));
  return {
    async get(slot) {
      const text = await redis.hget(key, slot);
      return text === null ? undefined : (JSON.parse(text) as LedgerEntry);
    },
    intend: (slot) => write(slot, { state: 'intended' }),
    async done(slot, ref, shown) {
      await write(slot, { state: 'done', ref, ...(shown !== undefined && { shown }) });
      await redis.set(globalKeys.ref(ref), writeOwner({ conversation, turn }), 'EX', retentionS);
    },
    check,
  };
}

/** Ids of conversations hold no line breaks. */
function writeOwner({ conversation, turn }: MessageOwner): string {
  return `${conversation}\n${turn}`;
}

export function readOwner(text: string | null): MessageOwner | undefined {
  const end = text?.indexOf('\n') ?? -1;
  if (text === null || end < 0) return undefined;
  return { conversation: ConversationId(text.slice(0, end)), turn: TurnId(text.slice(end + 1)) };
}

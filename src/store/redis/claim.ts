/** A conversation in the hands of one worker: every write goes through the fence of this claim. */
import { LeaseLostError, UnreadableJournalError } from '../../domain/errors.ts';
import type { CallId, ConversationId, EventId, TurnId } from '../../domain/ids.ts';
import type { InboxItem } from '../../domain/inbound.ts';
import { itemsOf, type JournalRecord } from '../../domain/journal.ts';
import { answererOf, type OpenPause } from '../../domain/pause.ts';
import type { Claim } from '../../ports/conversations.ts';
import type { ArrivedItem } from '../../ports/journal.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Clock } from '../../ports/runtime.ts';
import { arrivedItems, openingItems, waitingKinds } from '../inbox-order.ts';
import { readRecord, writeRecord } from '../journal-form.ts';
import type { RedisClient, RedisScript } from './client.ts';
import { conversationKeys, globalKeys } from './keys.ts';
import { redisLedger } from './ledger.ts';
import { readPause, writePause } from './pause-form.ts';

export interface ClaimMeans {
  readonly redis: RedisClient;
  readonly scripts: Readonly<Record<'look' | 'record' | 'commit' | 'fields', RedisScript>>;
  readonly clock: Clock;
  readonly retentionS: number;
}

/** fence, inbox, items, journal, pause, stop: as the claim script returns them. */
export type ClaimReply = readonly [number, string[], string[], [string, string[]][], string[], number];

/** A claimed conversation counts as worked on for this long after its last sign of life. Unit: milliseconds. */
export const claimedForMs = 60_000;

export class RedisClaim implements Claim {
  readonly records: readonly JournalRecord[];
  readonly unreadable: UnreadableJournalError | undefined;
  readonly opening: readonly InboxItem[];
  readonly pause: OpenPause | undefined;
  stopRequested: boolean;
  private readonly fence: number;
  private readonly keys;
  /** Every item seen, by id: a record may take any of them out of the inbox. */
  private readonly known = new Map<EventId, InboxItem>();
  private readonly taken = new Map<EventId, InboxItem>();
  /** The question that is stored now. */
  private openCall: CallId | undefined;

  constructor(
    private readonly conversation: ConversationId,
    [fence, inbox, items, journal, pause, stop]: ClaimReply,
    private readonly means: ClaimMeans,
  ) {
    this.fence = fence;
    this.keys = conversationKeys(conversation);
    const read = readJournal(conversation, journal);
    this.records = read.records;
    this.unreadable = read.unreadable;
    this.pause = readPause(pairs(pause));
    this.openCall = this.pause?.callId;
    this.stopRequested = stop === 1;
    this.opening = openingItems(itemsIn(inbox, items), this.pause !== undefined);
    for (const item of this.opening) this.known.set(item.id, item);
  }

  accept(items: readonly InboxItem[]): void {
    for (const item of items) this.taken.set(item.id, item);
  }

  async append(records: readonly JournalRecord[]): Promise<void> {
    const acked = records.flatMap(itemsOf);
    const entries = acked.flatMap((id) => this.entryOf(id) ?? []);
    const { fence, inbox, items, journal } = this.keys;
    const texts = records.map(writeRecord);
    this.check0(
      await this.means.scripts.record(
        [fence, inbox, items, journal],
        [this.fence, texts.length, ...texts, ...entries],
      ),
    );
    for (const id of acked) this.taken.delete(id);
  }

  async waiting(): Promise<{ messages: boolean; notes: boolean }> {
    return waitingKinds(await this.untaken());
  }

  async take(maxMessages: number): Promise<readonly ArrivedItem[]> {
    const untaken = await this.untaken();
    const arrived = arrivedItems(untaken, maxMessages);
    for (const { record } of arrived) {
      const item = untaken.find((each) => each.id === record.item);
      if (item !== undefined) this.taken.set(item.id, item);
    }
    return arrived;
  }

  ledger(turn: TurnId): Ledger {
    const { redis, retentionS } = this.means;
    const key = this.keys.ledger(turn);
    return redisLedger({
      redis,
      conversation: this.conversation,
      key,
      retentionS,
      set: (slot, entry) => this.setFields(key, [slot, entry]),
      check: async () => {
        if ((await redis.get(this.keys.fence)) !== String(this.fence)) throw this.lost();
      },
    });
  }

  async openPause(pause: OpenPause): Promise<void> {
    await this.setFields(this.keys.pause, []);
    const answerer = answererOf(pause) ?? '';
    await this.setFields(this.keys.pause, ['call', pause.callId, 'for', answerer, ...writePause(pause)]);
    this.openCall = pause.callId;
  }

  async updatePause(change: Partial<Pick<OpenPause, 'card' | 'answers' | 'used' | 'told'>>): Promise<void> {
    await this.setFields(this.keys.pause, writePause(change));
  }

  async closePause(callId: CallId): Promise<void> {
    if (this.openCall !== callId) return;
    await this.setFields(this.keys.pause, []);
    this.openCall = undefined;
  }

  async commit(): Promise<'more' | 'idle'> {
    const { fence, inbox, items, wake, stop, journal, pause, followed } = this.keys;
    const entries = [...this.taken.keys()].flatMap((id) => this.entryOf(id) ?? []);
    const { redis, scripts, clock, retentionS } = this.means;
    const result = await scripts.commit(
      [fence, inbox, items, wake, stop, journal, pause, followed],
      [this.fence, retentionS, ...entries],
    );
    this.check0(result);
    const more = result === 'more';
    await (more
      ? redis.zadd(globalKeys.waiting, clock.now(), this.conversation)
      : redis.zrem(globalKeys.waiting, this.conversation));
    return more ? 'more' : 'idle';
  }

  /** Also a sign of life, and where a stop is noticed. */
  private async untaken(): Promise<InboxItem[]> {
    const { fence, inbox, items, stop } = this.keys;
    const { redis, scripts, clock } = this.means;
    const [reply] = await Promise.all([
      scripts.look([fence, inbox, items, stop], [this.fence]),
      redis.zadd(globalKeys.waiting, 'XX', clock.now() + claimedForMs, this.conversation),
    ]);
    if (reply === null) throw this.lost();
    const [entries, fields, stopped] = reply as [string[], string[], number];
    this.stopRequested ||= stopped === 1;
    const waiting = itemsIn(entries, fields);
    for (const item of waiting) this.known.set(item.id, item);
    return waiting.filter((item) => !this.taken.has(item.id));
  }

  private async setFields(key: string, fields: readonly string[]): Promise<void> {
    this.check0(
      await this.means.scripts.fields([this.keys.fence, key], [this.fence, this.means.retentionS, ...fields]),
    );
  }

  private entryOf(id: EventId): string | undefined {
    const item = this.known.get(id);
    return item === undefined ? undefined : `${item.kind}|${id}`;
  }

  private check0(result: unknown): void {
    if (result === 0) throw this.lost();
  }

  private lost(): LeaseLostError {
    return new LeaseLostError(`another worker took ${this.conversation} over`);
  }
}

/** The waiting items in order. An entry without its item was taken out between two reads; it does not count. */
function itemsIn(entries: readonly string[], fields: readonly string[]): InboxItem[] {
  const byId = pairs(fields);
  return entries.flatMap((entry) => {
    const text = byId[entry.slice(entry.indexOf('|') + 1)];
    return text === undefined ? [] : [JSON.parse(text) as InboxItem];
  });
}

function pairs(flat: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let at = 0; at + 1 < flat.length; at += 2) record[flat[at] ?? ''] = flat[at + 1] ?? '';
  return record;
}

function readJournal(
  conversation: ConversationId,
  entries: ClaimReply[3],
): { records: readonly JournalRecord[]; unreadable: UnreadableJournalError | undefined } {
  try {
    const records = entries.map(([place, fields]) => readRecord(fields[1] ?? '', conversation, place));
    return { records, unreadable: undefined };
  } catch (error) {
    if (!(error instanceof UnreadableJournalError)) throw error;
    return { records: [], unreadable: error };
  }
}

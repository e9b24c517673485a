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
import { readJournal, writeRecord } from '../journal-form.ts';
import type { RedisClient, RedisScript } from './client.ts';
import { lineOf, readItem } from './inbox-form.ts';
import type { ConversationKeys } from './keys.ts';
import { redisLedger } from './ledger.ts';
import { readPause, writePause } from './pause-form.ts';

export interface ClaimMeans {
  readonly redis: RedisClient;
  readonly scripts: Readonly<
    Record<'look' | 'record' | 'commit' | 'openPause' | 'closePause' | 'fields', RedisScript>
  >;
  readonly clock: Clock;
  readonly retentionS: number;
}

/** fence, inbox, journal, pause, stop: as the claim script returns them. */
export type ClaimReply = readonly [number, string[], string[], string[], number];

/** A claimed conversation counts as worked on for this long after its last sign of life. Unit: milliseconds. */
const claimedForMs = 60_000;

export class RedisClaim implements Claim {
  readonly records: readonly JournalRecord[] = [];
  readonly unreadable: UnreadableJournalError | undefined;
  readonly opening: readonly InboxItem[];
  readonly pause: OpenPause | undefined;
  stopRequested: boolean;
  private readonly fence: number;
  /** Every item seen, by id: a record may take any of them out of the inbox. */
  private readonly known = new Map<EventId, InboxItem>();
  private readonly taken = new Map<EventId, InboxItem>();
  /** The question that is stored now. */
  private openCall: CallId | undefined;

  constructor(
    private readonly conversation: ConversationId,
    private readonly keys: ConversationKeys,
    [fence, inbox, journal, pause, stop]: ClaimReply,
    private readonly means: ClaimMeans,
  ) {
    this.fence = fence;
    try {
      this.records = readJournal(journal, conversation);
    } catch (error) {
      if (!(error instanceof UnreadableJournalError)) throw error;
      this.unreadable = error;
    }
    this.pause = readPause(pairs(pause));
    this.openCall = this.pause?.callId;
    this.stopRequested = stop === 1;
    this.opening = openingItems(inbox.map(readItem), this.pause !== undefined);
    for (const item of this.opening) this.known.set(item.id, item);
  }

  accept(items: readonly InboxItem[]): void {
    for (const item of items) this.taken.set(item.id, item);
  }

  async stopItem(): Promise<InboxItem | undefined> {
    const entry = await this.means.redis.hget(this.keys.state, 'stop');
    return entry === null ? undefined : readItem(entry);
  }

  async append(records: readonly JournalRecord[]): Promise<void> {
    const acked = records.flatMap(itemsOf);
    const { state, inbox, journal } = this.keys;
    const texts = records.map(writeRecord);
    this.check0(
      await this.means.scripts.record(
        [state, inbox, journal],
        [this.fence, texts.length, ...texts, ...this.linesOf(acked)],
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
      turn,
      key,
      retentionS,
      set: (slot, entry) => this.setFields(key, [slot, entry]),
      check: async () => {
        if ((await redis.hget(this.keys.state, 'fence')) !== String(this.fence)) throw this.lost();
      },
    });
  }

  async openPause(pause: OpenPause): Promise<void> {
    const { state, pause: key } = this.keys;
    const { scripts, retentionS } = this.means;
    this.check0(
      await scripts.openPause(
        [state, key],
        [this.fence, retentionS, pause.callId, answererOf(pause) ?? '', ...writePause(pause)],
      ),
    );
    this.openCall = pause.callId;
  }

  async updatePause(change: Partial<Pick<OpenPause, 'card' | 'answers' | 'used' | 'told'>>): Promise<void> {
    await this.setFields(this.keys.pause, writePause(change));
  }

  async closePause(callId: CallId): Promise<void> {
    if (this.openCall !== callId) return;
    const { state, pause } = this.keys;
    this.check0(await this.means.scripts.closePause([state, pause], [this.fence]));
    this.openCall = undefined;
  }

  async commit(): Promise<'more' | 'idle'> {
    const { state, inbox, journal, pause, waiting } = this.keys;
    const { scripts, clock, retentionS } = this.means;
    const result = await scripts.commit(
      [state, inbox, journal, pause, waiting],
      [this.fence, retentionS, clock.now(), this.conversation, ...this.linesOf([...this.taken.keys()])],
    );
    this.check0(result);
    return result === 'more' ? 'more' : 'idle';
  }

  /** Also a sign of life, and where a stop is noticed. */
  private async untaken(): Promise<InboxItem[]> {
    const { state, inbox, waiting } = this.keys;
    const { scripts, clock } = this.means;
    const reply = await scripts.look(
      [state, inbox, waiting],
      [this.fence, clock.now() + claimedForMs, this.conversation],
    );
    if (reply === null) throw this.lost();
    const [entries, stopped] = reply as [string[], number];
    this.stopRequested ||= stopped === 1;
    const items = entries.map(readItem);
    for (const item of items) this.known.set(item.id, item);
    return items.filter((item) => !this.taken.has(item.id));
  }

  private async setFields(key: string, fields: readonly string[]): Promise<void> {
    this.check0(
      await this.means.scripts.fields([this.keys.state, key], [this.fence, this.means.retentionS, ...fields]),
    );
  }

  private linesOf(ids: readonly EventId[]): string[] {
    return ids.flatMap((id) => {
      const item = this.known.get(id);
      return item === undefined ? [] : [lineOf(item)];
    });
  }

  private check0(result: unknown): void {
    if (result === 0) throw this.lost();
  }

  private lost(): LeaseLostError {
    return new LeaseLostError(`another worker took ${this.conversation} over`);
  }
}

function pairs(flat: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let at = 0; at + 1 < flat.length; at += 2) record[flat[at] ?? ''] = flat[at + 1] ?? '';
  return record;
}

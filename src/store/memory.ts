/** Conversations in memory, for tests: same contract as every other store. */
import type { MessageRef } from '../domain/address.ts';
import { LeaseLostError } from '../domain/errors.ts';
import type { CallId, ConversationId, EventId, TurnId, UserId } from '../domain/ids.ts';
import type { Inbound, InboxItem } from '../domain/inbound.ts';
import { itemsOf, type JournalRecord } from '../domain/journal.ts';
import { answererOf, type OpenPause } from '../domain/pause.ts';
import type { Appended, Claim, Conversations, MessageOwner } from '../ports/conversations.ts';
import type { ArrivedItem } from '../ports/journal.ts';
import type { Ledger, LedgerEntry } from '../ports/ledger.ts';
import type { Clock, ModelNotes } from '../ports/runtime.ts';
import { arrivedItems, openingItems, waitingKinds } from './inbox-order.ts';

interface Conversation {
  readonly journal: JournalRecord[];
  inbox: InboxItem[];
  readonly seen: Set<EventId>;
  fence: number;
  /** Somebody was told, or works: no further wake is needed. */
  awake: boolean;
  /** When the sweep may wake it again; undefined when nothing waits. */
  due: number | undefined;
  /** The place where it began to be followed. */
  followed: string | undefined;
  /** Who spoke here, and when last. */
  readonly spoken: Map<UserId, number>;
  stop: InboxItem | undefined;
  /** The turn that is answered anew, and the one whose answer was taken away last. */
  again: TurnId | undefined;
  removed: TurnId | undefined;
  pause: (OpenPause & { readonly closing?: EventId }) | undefined;
  readonly ledgers: Map<TurnId, Map<string, LedgerEntry>>;
}

/** A claimed conversation counts as worked on for this long after its last sign of life. Unit: milliseconds. */
const claimedForMs = 60_000;

export function memoryConversations(clock: Clock): Conversations {
  const all = new Map<ConversationId, Conversation>();
  const refs = new Map<string, MessageOwner>();
  const open = (id: ConversationId): Conversation => {
    const known = all.get(id) ?? fresh();
    all.set(id, known);
    return known;
  };
  return {
    append: async (inbound) => appendTo(open(inbound.conversation), inbound, clock.now()),
    async newestAt(surface, place, person) {
      const spoken = [...all].flatMap(([id, { followed, spoken: times }]) => {
        const at = times.get(person);
        return at === undefined || followed !== `${surface}:${place}` ? [] : [{ id, at }];
      });
      return spoken.toSorted((one, other) => other.at - one.at)[0]?.id;
    },
    async edit(id, itemId, content) {
      const conversation = open(id);
      const at = conversation.inbox.findIndex((item) => item.id === itemId);
      const item = conversation.inbox[at];
      if (item === undefined || !('content' in item))
        return conversation.seen.has(itemId) ? 'late' : 'unknown';
      if (content === undefined) conversation.inbox.splice(at, 1);
      else conversation.inbox[at] = { ...item, content };
      return 'changed';
    },
    async claim(id) {
      const conversation = open(id);
      conversation.fence += 1;
      conversation.awake = true;
      return new MemoryClaim(
        conversation,
        clock,
        (ref, turn) => void refs.set(refKey(ref), { conversation: id, turn }),
      );
    },
    pauseOf: async (id) => open(id).pause,
    inboxOf: async (id) => [...open(id).inbox],
    journalOf: async (id) => [...open(id).journal],
    ledger: (id, name) =>
      ledgerOf(
        open(id),
        name,
        (ref, turn) => void refs.set(refKey(ref), { conversation: id, turn }),
        () => {},
      ),
    stopRequested: async (id) => open(id).stop !== undefined,
    isBusy: async (id) => open(id).awake,
    ownerOf: async (ref) => refs.get(refKey(ref)),
    overdue: async (before) =>
      [...all].filter(([, { due }]) => due !== undefined && due <= before).map(([id]) => id),
  };
}

function fresh(): Conversation {
  return {
    journal: [],
    inbox: [],
    seen: new Set(),
    fence: 0,
    awake: false,
    due: undefined,
    followed: undefined,
    spoken: new Map(),
    stop: undefined,
    again: undefined,
    removed: undefined,
    pause: undefined,
    ledgers: new Map(),
  };
}

function appendTo(conversation: Conversation, { item, wanted, byPart }: Inbound, now: number): Appended {
  if (wanted === 'if_followed' && conversation.followed === undefined) return 'ignored';
  if (item.kind === 'answer' && conversation.pause?.callId === item.callId) {
    const answerer = answererOf(conversation.pause);
    if (answerer !== undefined && answerer !== item.author) return 'not_yours';
  }
  const moves = item.kind !== 'stop' || conversation.awake || conversation.pause !== undefined;
  const isPart = item.author !== undefined && conversation.spoken.has(item.author);
  if (byPart && moves && !isPart) return 'not_part';
  const removes = 'removes' in item ? item.removes : undefined;
  if (removes !== undefined && conversation.again === removes) return 'late';
  if (item.kind === 'again' && conversation.removed === item.turn) return 'gone';
  if (conversation.seen.has(item.id)) return 'duplicate';
  conversation.seen.add(item.id);
  conversation.removed = removes ?? conversation.removed;
  const { surface, place } = item.address;
  if (wanted === 'and_follow') conversation.followed ??= `${surface}:${place}`;
  if (item.author !== undefined && moves) conversation.spoken.set(item.author, now);
  if (item.kind === 'stop' && conversation.awake) {
    conversation.stop = item;
    return 'stopping';
  }
  if (item.kind === 'again') {
    if (conversation.awake || conversation.pause !== undefined) return 'late';
    conversation.again = item.turn;
  }
  if (item.kind === 'stop' || 'callId' in item) {
    const { pause } = conversation;
    if (pause === undefined) return item.kind === 'stop' ? 'idle' : 'late';
    if (('callId' in item && item.callId !== pause.callId) || pause.closing !== undefined) return 'late';
    conversation.pause = { ...pause, closing: item.id };
  }
  conversation.inbox.push(item);
  if (item.kind === 'note') return 'queued';
  conversation.due ??= now;
  if (conversation.awake) return 'queued';
  conversation.awake = true;
  return 'wake';
}

class MemoryClaim implements Claim {
  readonly records: readonly JournalRecord[];
  readonly opening: readonly InboxItem[];
  readonly pause: OpenPause | undefined;
  readonly unreadable = undefined;
  private readonly fence: number;
  private readonly taken = new Set<EventId>();

  constructor(
    private readonly conversation: Conversation,
    private readonly clock: Clock,
    private readonly remember: (ref: MessageRef, turn: TurnId) => void,
  ) {
    this.fence = conversation.fence;
    this.records = [...conversation.journal];
    this.pause = conversation.pause;
    this.opening = openingItems(conversation.inbox, conversation.pause !== undefined);
  }

  accept(items: readonly InboxItem[]): void {
    for (const item of items) this.taken.add(item.id);
  }

  get stopRequested(): boolean {
    return this.conversation.stop !== undefined;
  }

  async stopItem(): Promise<InboxItem | undefined> {
    return this.conversation.stop;
  }

  async append(records: readonly JournalRecord[]): Promise<void> {
    this.checkFence();
    this.conversation.journal.push(...structuredClone(records));
    const recorded = new Set(records.flatMap(itemsOf));
    this.conversation.inbox = this.conversation.inbox.filter((item) => !recorded.has(item.id));
  }

  async waiting(): Promise<{ messages: boolean; notes: boolean }> {
    this.checkFence();
    return waitingKinds(this.untaken());
  }

  async take(maxMessages: number): Promise<readonly ArrivedItem[]> {
    this.checkFence();
    this.conversation.due = this.clock.now() + claimedForMs;
    const arrived = arrivedItems(this.untaken(), maxMessages);
    for (const { record } of arrived) if (record.item !== undefined) this.taken.add(record.item);
    return arrived;
  }

  ledger(turn: TurnId): Ledger {
    return ledgerOf(this.conversation, turn, this.remember, () => this.checkFence());
  }

  async openPause(pause: OpenPause): Promise<void> {
    this.checkFence();
    this.conversation.pause = pause;
  }

  async updatePause(change: Partial<Pick<OpenPause, 'card' | 'answers' | 'used' | 'told'>>): Promise<void> {
    this.checkFence();
    if (this.conversation.pause !== undefined)
      this.conversation.pause = { ...this.conversation.pause, ...change };
  }

  async closePause(callId: CallId): Promise<void> {
    this.checkFence();
    if (this.conversation.pause?.callId === callId) this.conversation.pause = undefined;
  }

  async commit(): Promise<'more' | 'idle'> {
    this.checkFence();
    this.conversation.inbox = this.untaken();
    const { conversation } = this;
    const { stop, pause } = conversation;
    // A stop that came when the turn had paused already closes the question, as it would have a moment later.
    if (stop !== undefined && pause !== undefined && pause.closing === undefined) {
      conversation.pause = { ...pause, closing: stop.id };
      conversation.inbox.push(stop);
    }
    conversation.stop = undefined;
    conversation.again = undefined;
    conversation.awake = conversation.inbox.some(
      ({ kind }) => kind !== 'note' && !((kind === 'next' || kind === 'new') && pause !== undefined),
    );
    conversation.due = conversation.awake ? this.clock.now() : undefined;
    return conversation.awake ? 'more' : 'idle';
  }

  private untaken(): InboxItem[] {
    return this.conversation.inbox.filter((item) => !this.taken.has(item.id));
  }

  private checkFence(): void {
    if (this.fence !== this.conversation.fence)
      throw new LeaseLostError('another claim took the conversation over');
  }
}

function ledgerOf(
  { ledgers }: Conversation,
  name: TurnId,
  remember: (ref: MessageRef, turn: TurnId) => void,
  check: () => void,
): Ledger {
  const slots = ledgers.get(name) ?? new Map<string, LedgerEntry>();
  ledgers.set(name, slots);
  return {
    get: async (slot) => slots.get(slot),
    intend: async (slot) => {
      check();
      slots.set(slot, { state: 'intended' });
    },
    done: async (slot, ref, shown) => {
      check();
      slots.set(slot, { state: 'done', ref, ...(shown !== undefined && { shown }) });
      remember(ref, name);
    },
    check: async () => check(),
  };
}

function refKey({ surface, place, id }: MessageRef): string {
  return `${surface}:${place}:${id}`;
}

/** Model notes for as long as the process lives. */
export function memoryModelNotes(clock: Clock): ModelNotes {
  const notes = new Map<string, { value: string; until: number }>();
  return {
    async get(key) {
      const note = notes.get(key);
      return note !== undefined && note.until > clock.now() ? note.value : undefined;
    },
    async set(key, value, ttlMs) {
      notes.set(key, { value, until: clock.now() + ttlMs });
    },
  };
}

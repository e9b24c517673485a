/** Conversations in memory: for the terminal and for tests. Same contract as every other store. */
import { LeaseLostError } from '../domain/errors.ts';
import type { ConversationId, EventId } from '../domain/ids.ts';
import type { InboxItem } from '../domain/inbound.ts';
import type { JournalRecord } from '../domain/journal.ts';
import type { Claim, Conversations } from '../ports/conversations.ts';
import type { ArrivedItem } from '../ports/journal.ts';
import type { Clock, ModelNotes } from '../ports/runtime.ts';

interface Conversation {
  readonly journal: JournalRecord[];
  inbox: InboxItem[];
  readonly seen: Set<EventId>;
  fence: number;
  /** Somebody was told, or works: no further wake is needed. */
  awake: boolean;
}

export function memoryConversations(): Conversations {
  const all = new Map<ConversationId, Conversation>();
  const open = (id: ConversationId): Conversation => {
    const known = all.get(id) ?? { journal: [], inbox: [], seen: new Set(), fence: 0, awake: false };
    all.set(id, known);
    return known;
  };
  return {
    async append(id, item) {
      const conversation = open(id);
      if (conversation.seen.has(item.id)) return 'duplicate';
      conversation.seen.add(item.id);
      conversation.inbox.push(item);
      if (conversation.awake || item.kind === 'note') return 'queued';
      conversation.awake = true;
      return 'wake';
    },
    async claim(id) {
      const conversation = open(id);
      conversation.fence += 1;
      conversation.awake = true;
      return new MemoryClaim(conversation);
    },
  };
}

class MemoryClaim implements Claim {
  readonly records: readonly JournalRecord[];
  readonly opening: readonly InboxItem[];
  private readonly fence: number;
  private readonly taken = new Set<EventId>();

  constructor(private readonly conversation: Conversation) {
    this.fence = conversation.fence;
    this.records = [...conversation.journal];
    this.opening = openingItems(conversation.inbox);
    for (const item of this.opening) this.taken.add(item.id);
  }

  async append(records: readonly JournalRecord[]): Promise<void> {
    this.checkFence();
    this.conversation.journal.push(...structuredClone(records));
    const recorded = new Set(
      records.flatMap((record) => (record.type === 'user/message' ? [record.item] : [])),
    );
    this.conversation.inbox = this.conversation.inbox.filter((item) => !recorded.has(item.id));
  }

  async waiting(): Promise<{ messages: boolean; notes: boolean }> {
    const untaken = this.untaken();
    return {
      messages: untaken.some((item) => item.kind === 'message'),
      notes: untaken.some((item) => item.kind === 'note'),
    };
  }

  async take(maxMessages: number): Promise<readonly ArrivedItem[]> {
    this.checkFence();
    const arrived: ArrivedItem[] = [];
    let messages = 0;
    for (const item of this.untaken()) {
      if (item.kind !== 'note' && item.kind !== 'message') continue;
      if (item.kind === 'message' && messages === maxMessages) continue;
      if (item.kind === 'message') messages += 1;
      this.taken.add(item.id);
      const source = item.kind === 'message' ? 'steer' : 'inject';
      const author = item.author === undefined ? {} : { author: item.author };
      const record = {
        type: 'user/message',
        source,
        content: item.content,
        item: item.id,
        ...author,
      } as const;
      arrived.push({ kind: item.kind, record });
    }
    return arrived;
  }

  async commit(): Promise<'more' | 'idle'> {
    this.checkFence();
    this.conversation.inbox = this.untaken();
    this.conversation.awake = this.conversation.inbox.some((item) => item.kind !== 'note');
    return this.conversation.awake ? 'more' : 'idle';
  }

  private untaken(): InboxItem[] {
    return this.conversation.inbox.filter((item) => !this.taken.has(item.id));
  }

  private checkFence(): void {
    if (this.fence !== this.conversation.fence)
      throw new LeaseLostError('another claim took the conversation over');
  }
}

/** All waiting messages up to the first `next`, or that one `next`; notes and answers before it come along. */
export function openingItems(inbox: readonly InboxItem[]): InboxItem[] {
  const firstNext = inbox.findIndex((item) => item.kind === 'next');
  const before = firstNext < 0 ? [...inbox] : inbox.slice(0, firstNext);
  if (firstNext < 0 || before.some((item) => item.kind !== 'note')) return before;
  return inbox.slice(0, firstNext + 1);
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

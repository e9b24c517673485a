import type { UserId } from '../domain/ids.ts';
import type { Memory, MemoryDraft } from '../domain/memory.ts';

/** Memories, keyed by person: no call reaches those of another. */
export interface Memories {
  /**
   * `key` names the request: repeating it returns what was written the first time. The same words in the same scope are
   * not kept twice, whatever the request. `full`: `maxMemories` are kept already.
   */
  add(owner: UserId, draft: MemoryDraft, key: string): Promise<Memory | 'full'>;
  /** Changes what is named; undefined when there is no such memory (any more). */
  edit(owner: UserId, id: string, change: Partial<MemoryDraft>): Promise<Edited | undefined>;
  /** What was forgotten; undefined when there was no such memory. */
  forget(owner: UserId, id: string): Promise<Memory | undefined>;
  /** All of them, newest first. */
  list(owner: UserId): Promise<readonly Memory[]>;
}

export interface Edited {
  readonly before: Memory;
  readonly after: Memory;
}

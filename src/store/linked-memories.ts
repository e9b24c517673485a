/**
 * Memories of a person with several linked accounts: each account keeps what was said through it, and reads the others
 * beside it. So nothing has to be merged, and whoever unlinks an account takes its own along.
 */
import type { UserId } from '../domain/ids.ts';
import { haveSameWords, type Memory, type MemoryDraft } from '../domain/memory.ts';
import type { Memories } from '../ports/memories.ts';
import type { People } from '../ports/people.ts';

export function linkedMemories(memories: Memories, people: Pick<People, 'accountsOf'>): Memories {
  /** The first account whose memories know the id. */
  async function first<T>(owner: UserId, act: (account: UserId) => Promise<T | undefined>) {
    for (const account of await people.accountsOf(owner)) {
      const done = await act(account);
      if (done !== undefined) return done;
    }
    return undefined;
  }

  async function listOf(accounts: readonly UserId[]): Promise<readonly Memory[]> {
    const lists = await Promise.all(accounts.map((account) => memories.list(account)));
    return lists.flat().toSorted((a, b) => b.changedAt - a.changedAt);
  }

  return {
    list: async (owner) => listOf(await people.accountsOf(owner)),
    async add(owner: UserId, draft: MemoryDraft, key: string) {
      const [, ...others] = await people.accountsOf(owner);
      const known = (await listOf(others)).find(
        ({ text, scope }) => scope === draft.scope && haveSameWords(text, draft.text),
      );
      return known ?? memories.add(owner, draft, key);
    },
    edit: (owner, id, change) => first(owner, (account) => memories.edit(account, id, change)),
    forget: (owner, id) => first(owner, (account) => memories.forget(account, id)),
  };
}

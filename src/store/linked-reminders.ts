/**
 * Reminders of a person with several linked accounts: each account keeps its own, and lists those of the others beside them.
 * Ids are counted for each account, so that those of others bear the name of their platform: `slack-r1`.
 */

import type { UserId } from '../domain/ids.ts';
import type { Reminder } from '../domain/reminder.ts';
import type { People } from '../ports/people.ts';
import type { Reminders } from '../ports/reminders.ts';

export function linkedReminders(reminders: Reminders, people: Pick<People, 'accountsOf'>): Reminders {
  /** The first that is found: under this id, or under that of another account. It keeps the id it was asked for by. */
  const find = async (owner: UserId, id: string, look: Reminders['get']): Promise<Reminder | undefined> => {
    for (const [account, own] of await placesOf(owner, id)) {
      const found = await look(account, own);
      if (found !== undefined) return { ...found, id };
    }
    return undefined;
  };
  const placesOf = async (owner: UserId, id: string): Promise<readonly (readonly [UserId, string])[]> => {
    const own = [owner, id] as const;
    if (!id.includes('-')) return [own];
    const accounts = await people.accountsOf(owner);
    const theirs = accounts.filter((account) => id.startsWith(`${surfaceOf(account)}-`));
    return [own, ...theirs.map((account) => [account, ownId(account, id)] as const)];
  };
  return {
    add: (draft, key) => reminders.add(draft, key),
    made: (key) => reminders.made(key),
    async list(owner) {
      const [, ...others] = await people.accountsOf(owner);
      const lists = await Promise.all([
        reminders.list(owner),
        ...others.map(async (account) => (await reminders.list(account)).map((each) => named(account, each))),
      ]);
      return lists.flat().toSorted((one, other) => one.nextAt - other.nextAt);
    },
    get: (owner, id) => find(owner, id, (account, own) => reminders.get(account, own)),
    said: (owner, id) => find(owner, id, (account, own) => reminders.said(account, own)),
    change: (was, now) =>
      reminders.change({ ...was, id: ownId(was.owner, was.id) }, { ...now, id: ownId(now.owner, now.id) }),
    async remove(owner, id) {
      for (const [account, own] of await placesOf(owner, id))
        if (await reminders.remove(account, own)) return true;
      return false;
    },
  };
}

function named(account: UserId, reminder: Reminder): Reminder {
  return { ...reminder, id: `${surfaceOf(account)}-${reminder.id}` };
}

function ownId(account: UserId, id: string): string {
  const prefix = `${surfaceOf(account)}-`;
  return id.startsWith(prefix) ? id.slice(prefix.length) : id;
}

function surfaceOf(account: UserId): string {
  return account.slice(0, account.indexOf(':'));
}

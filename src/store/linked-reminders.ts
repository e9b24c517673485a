/**
 * Reminders of a person with several linked accounts: each account keeps its own, and lists those of the others beside them.
 * Ids are counted for each account, so that those of others bear the name of their platform: `slack-r1`.
 */

import type { UserId } from '../domain/ids.ts';
import type { Reminder } from '../domain/reminder.ts';
import type { People } from '../ports/people.ts';
import type { Reminders } from '../ports/reminders.ts';

export function linkedReminders(reminders: Reminders, people: Pick<People, 'accountsOf'>): Reminders {
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
    async remove(owner, id) {
      if (await reminders.remove(owner, id)) return true;
      const [, ...others] = await people.accountsOf(owner);
      for (const account of others) {
        const prefix = `${surfaceOf(account)}-`;
        if (id.startsWith(prefix) && (await reminders.remove(account, id.slice(prefix.length)))) return true;
      }
      return false;
    },
  };
}

function named(account: UserId, reminder: Reminder): Reminder {
  return { ...reminder, id: `${surfaceOf(account)}-${reminder.id}` };
}

function surfaceOf(account: UserId): string {
  return account.slice(0, account.indexOf(':'));
}

/** Reminders in a list, without anything that makes them come: `comes` says that one was said. */
import type { UserId } from '../../src/domain/ids.ts';
import { maxActiveReminders, type Reminder, type ReminderDraft } from '../../src/domain/reminder.ts';
import type { Reminders } from '../../src/ports/reminders.ts';

export interface MemoryReminders extends Reminders {
  all(): readonly Reminder[];
  comes(owner: UserId, id: string): void;
}

export function memoryReminders(createdAt: number): MemoryReminders {
  let active: Reminder[] = [];
  const made = new Map<string, Reminder>();
  const said = new Map<string, Reminder>();
  const find = (owner: UserId, id: string) => active.find((each) => each.owner === owner && each.id === id);
  return {
    all: () => active,
    comes(owner, id) {
      const reminder = find(owner, id);
      if (reminder === undefined) return;
      said.set(`${owner}/${id}`, reminder);
      if (reminder.schedule.kind === 'at') active = active.filter((each) => each !== reminder);
    },
    async add(draft: ReminderDraft, key) {
      const before = made.get(key);
      if (before !== undefined) return before;
      if (active.filter(({ owner }) => owner === draft.owner).length >= maxActiveReminders) return 'full';
      const reminder = { ...draft, id: `r${made.size + 1}`, createdAt };
      made.set(key, reminder);
      active.push(reminder);
      return reminder;
    },
    made: async (key) => made.get(key),
    get: async (owner, id) => find(owner, id),
    said: async (owner, id) => said.get(`${owner}/${id}`),
    list: async (owner) => active.filter((each) => each.owner === owner),
    async change(was, now) {
      const at = active.findIndex(({ owner, id }) => owner === was.owner && id === was.id);
      if (at === -1 || active[at]?.nextAt !== was.nextAt) return false;
      active[at] = now;
      return true;
    },
    async remove(owner, id) {
      const reminder = find(owner, id);
      active = active.filter((each) => each !== reminder);
      return reminder !== undefined;
    },
  };
}

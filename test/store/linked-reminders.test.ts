// Reminders of linked accounts: listed together, each changed and removed in the account that has it.
import { expect, test } from 'vitest';
import { ConversationId, UserId } from '../../src/domain/ids.ts';
import type { Reminder } from '../../src/domain/reminder.ts';
import { linkedReminders } from '../../src/store/linked-reminders.ts';

const onSlack = UserId('slack:U1');
const onDiscord = UserId('discord:42');

function reminder(owner: UserId, id: string, nextAt: number): Reminder {
  return {
    owner,
    id,
    nextAt,
    conversation: ConversationId('test:1'),
    address: { surface: 'test', place: 'here' },
    kind: 'reminder',
    message: id,
    schedule: { kind: 'at', at: nextAt },
    tz: 'UTC',
    createdAt: 0,
  };
}

function open() {
  let kept = [reminder(onSlack, 'r1', 2), reminder(onDiscord, 'r1', 1), reminder(onDiscord, 'r2', 3)];
  const reminders = linkedReminders(
    {
      add: async () => 'full',
      made: async () => undefined,
      list: async (owner) => kept.filter((each) => each.owner === owner),
      get: async (owner, id) => kept.find((each) => each.owner === owner && each.id === id),
      said: async () => undefined,
      async change(was, now) {
        const before = kept.length;
        kept = kept.filter((each) => each.owner !== was.owner || each.id !== was.id);
        if (kept.length === before) return false;
        kept.push(now);
        return true;
      },
      async remove(owner, id) {
        const before = kept.length;
        kept = kept.filter((each) => each.owner !== owner || each.id !== id);
        return kept.length < before;
      },
    },
    { accountsOf: async (account) => (account === onSlack ? [onSlack, onDiscord] : [account]) },
  );
  return { reminders, kept: () => kept };
}

test('they are listed by time under ids that tell them apart, and removed where they are', async () => {
  const { reminders } = open();
  const ids = async () => (await reminders.list(onSlack)).map(({ id }) => id);
  expect(await ids()).toEqual(['discord-r1', 'r1', 'discord-r2']);
  expect(await reminders.remove(onSlack, 'r1')).toBe(true);
  expect(await reminders.remove(onSlack, 'discord-r2')).toBe(true);
  expect(await reminders.remove(onSlack, 'discord-r9')).toBe(false);
  expect(await ids()).toEqual(['discord-r1']);
  expect((await reminders.list(onDiscord)).map(({ id }) => id)).toEqual(['r1']);
});

test('one of another account is found by the id it is listed under, and changed where it is', async () => {
  const { reminders, kept } = open();
  const was = await reminders.get(onSlack, 'discord-r2');
  if (was === undefined) throw new Error('it is listed');
  expect(was).toMatchObject({ owner: onDiscord, id: 'discord-r2' });
  expect(await reminders.get(onDiscord, 'discord-r2')).toEqual(was);
  expect(await reminders.change(was, { ...was, nextAt: 5 })).toBe(true);
  expect(kept().find(({ nextAt }) => nextAt === 5)).toMatchObject({ owner: onDiscord, id: 'r2' });
  expect(await reminders.get(onSlack, 'discord-r9')).toBeUndefined();
});

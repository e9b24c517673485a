// Reminders of linked accounts: listed together, each removed in the account that has it.
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

test('they are listed by time under ids that tell them apart, and removed where they are', async () => {
  let kept = [reminder(onSlack, 'r1', 2), reminder(onDiscord, 'r1', 1), reminder(onDiscord, 'r2', 3)];
  const reminders = linkedReminders(
    {
      add: async () => 'full',
      made: async () => undefined,
      list: async (owner) => kept.filter((each) => each.owner === owner),
      async remove(owner, id) {
        const before = kept.length;
        kept = kept.filter((each) => each.owner !== owner || each.id !== id);
        return kept.length < before;
      },
    },
    { accountsOf: async (account) => (account === onSlack ? [onSlack, onDiscord] : [account]) },
  );
  const ids = async () => (await reminders.list(onSlack)).map(({ id }) => id);
  expect(await ids()).toEqual(['discord-r1', 'r1', 'discord-r2']);
  expect(await reminders.remove(onSlack, 'r1')).toBe(true);
  expect(await reminders.remove(onSlack, 'discord-r2')).toBe(true);
  expect(await reminders.remove(onSlack, 'discord-r9')).toBe(false);
  expect(await ids()).toEqual(['discord-r1']);
  expect((await reminders.list(onDiscord)).map(({ id }) => id)).toEqual(['r1']);
});

// A reminder comes once, whatever dies over its due time: processes of their own, killed, against the fake Discord.
import { expect, test } from 'vitest';
import { UserId } from '../../src/domain/ids.ts';
import { redisReminders } from '../../src/store/redis/reminders.ts';
import type { Docent } from '../support/discord/docent.ts';
import { docentForTests } from '../support/discord/docent-for-tests.ts';

let docent: Docent;
let discord: Docent['discord'];

docentForTests(async (started) => {
  docent = started;
  ({ discord } = docent);
});

const killAll = () => Promise.all(docent.processes.splice(0).map((child) => child.kill()));

/** Mia is reminded in a room of its own. */
async function reminds(when: string, what: string): Promise<string> {
  const room = await docent.newRoom();
  await docent.until('the commands are in place', async () => (await discord.commands()).length > 0);
  const { id } = await discord.command('mia', 'remind', { when, what }, { in: room });
  await docent.until('it is made', async () =>
    ((await discord.interaction(id)).answer?.content ?? '').startsWith('⏰'),
  );
  return room;
}

const reminders = () => redisReminders(docent.redis.redis);
const active = async () => reminders().list(UserId(`discord:${await discord.idOf('mia')}`));

test('every process was dead over the due minute: it comes late, says so, and comes once', async () => {
  await Promise.all([docent.run('gateway'), docent.run('worker')]);
  const room = await reminds('in 1 hour', 'redo this');
  await killAll();
  const [was] = await active();
  if (was === undefined) throw new Error('it was made');
  // The processes are dead for an hour and ten minutes.
  const nextAt = Date.now() - 10 * 60_000;
  expect(await reminders().replace(was, { ...was, schedule: { kind: 'at', at: nextAt }, nextAt })).toBe(true);

  await Promise.all([docent.run('gateway'), docent.run('worker'), docent.run('worker')]);
  expect((await docent.untilShown(room, '⏰')).content).toMatch(/^<@\d+> ⏰ redo this \(due <t:\d+:f>\)$/);
  await docent.until('it is over', async () => (await active()).length === 0);
  expect(await docent.says(room)).toHaveLength(1);
  await killAll();
});

test('the worker dies while it says it: the next one finds that it was said', async () => {
  await Promise.all([docent.run('gateway'), docent.run('worker')]);
  const room = await reminds('in 3 seconds', 'redo that');
  // Discord takes the message at once, and its answer is a long time coming: the worker dies in between.
  await discord.fault({ on: 'create_message', how: 'slow', ms: 5_000 });
  await docent.untilShown(room, 'redo that');
  await killAll();
  await Promise.all([docent.run('worker'), docent.run('worker')]);
  await docent.until('it is over', async () => (await active()).length === 0);
  expect((await docent.says(room)).map(({ content }) => content.replace(/<@\d+> /, ''))).toEqual([
    '⏰ redo that',
  ]);
  // It is written once more, since nobody knows how far the dead worker came; nothing else is wrong.
  expect(await discord.violations()).toEqual([]);
  expect((await discord.notices()).map(({ kind }) => kind)).toEqual(['idle_edit']);
  await discord.forgetJournal();
});

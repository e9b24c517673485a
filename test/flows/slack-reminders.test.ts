// Reminders on Slack, with their buttons: Slack's own libraries against the fake, real Redis, a gateway and a worker.
import { expect, test } from 'vitest';
import type { Docent } from '../support/slack/docent.ts';
import { docentForTests } from '../support/slack/docent-for-tests.ts';

let docent: Docent;
let slack: Docent['slack'];

docentForTests(async (started) => {
  docent = started;
  ({ slack } = docent);
  await Promise.all([
    docent.listen('sockets', 1, { DEFAULT_TZ: 'Europe/Berlin' }),
    docent.run('worker', { DEFAULT_TZ: 'Europe/Berlin' }),
  ]);
});

/** What `/docent` answers to one person, once it does. */
async function uses(who: string, text: string, room: string) {
  const { id } = await slack.command(who, '/docent', text, room);
  await docent.until('it is answered', async () => (await slack.interaction(id)).said.length > 0);
  const [answer] = (await slack.interaction(id)).said;
  if (answer === undefined) throw new Error('it was answered');
  return answer;
}

/** The message with this `ts`, once it says this. */
async function untilReads(ts: string, part: string) {
  let shown = '';
  await docent.until(
    () => `it says ${part}; it says ${shown}`,
    async () => {
      shown = (await slack.message(ts))?.shown ?? '';
      return shown.includes(part);
    },
  );
  const found = await slack.message(ts);
  if (found === undefined) throw new Error('it was there');
  return found;
}

const labels = ({ buttons }: { readonly buttons: readonly { readonly label: string }[] }) =>
  buttons.map(({ label }) => label);

test('one that was made is changed with a form, found in the list, and cancelled with a button', async () => {
  const room = await docent.newRoom();
  const made = await uses('mia', 'remind in 20 minutes: redo <this> @channel', room);
  expect(made.onlyFor).toBe('mia');
  expect(labels(made)).toEqual(['Change', 'Cancel']);
  await slack.press('mia', made.ts, 'Change');
  await docent.until('the form is there', async () => (await slack.openView('mia')) !== undefined);
  await slack.submit('mia', { when: 'every weekday at 7', what: 'call Ann' });
  expect(labels(await untilReads(made.ts, 'call Ann'))).toEqual(['Change', 'Cancel']);
  const list = await uses('mia', 'reminders', room);
  const [option] = list.inputs.flatMap(({ options }) => options);
  expect(option?.label).toContain('call Ann');
  await slack.choose('mia', list.ts, option?.value ?? '');
  await docent.until(
    'it is shown alone',
    async () => labels((await slack.message(list.ts)) ?? list).length > 0,
  );
  expect(labels((await slack.message(list.ts)) ?? list)).toEqual(['Change', 'Pause', 'Cancel']);
  await slack.press('mia', made.ts, 'Cancel');
  expect(labels(await untilReads(made.ts, '✖ Cancelled: call Ann'))).toEqual([]);
  expect((await uses('mia', 'reminders', room)).shown).toMatch(/^You have no reminders/);
  expect(await docent.says(room)).toEqual([]);
  expect(await slack.pings()).toEqual([]);
});

test('one that comes calls its owner, who alone may put it off or be done with it', async () => {
  const room = await docent.newRoom();
  await uses('mia', 'remind in 1 second: drink', room);
  const { ts, buttons, pings } = await docent.untilShown(room, '⏰ drink');
  expect(pings).toEqual({ users: ['mia'], groups: [] });
  expect(labels({ buttons })).toEqual(['Done', 'In 10 min', 'In 1 h', 'Tomorrow']);
  await slack.press('ben', ts, 'Done');
  expect(await docent.untilToldPrivately('ben', room)).toEqual(['This reminder belongs to somebody else.']);
  await slack.press('mia', ts, 'In 1 h');
  expect(labels(await untilReads(ts, '💤 Again'))).toEqual(['Change', 'Cancel']);
  await slack.press('mia', ts, 'Cancel');
  expect(labels(await untilReads(ts, '✖ Cancelled: drink'))).toEqual([]);

  await uses('mia', 'remind in 1 second: stretch', room);
  const next = await docent.untilShown(room, '⏰ stretch');
  await slack.press('mia', next.ts, 'Done');
  expect(labels(await untilReads(next.ts, '✅ stretch'))).toEqual([]);
});

// Reminders on Discord, with all their buttons: the real client against the fake, real Redis, a gateway and a worker.
import { describe, expect, test } from 'vitest';
import type { ShownMessage } from '../support/discord/controls/views.ts';
import type { Docent } from '../support/discord/docent.ts';
import { docentForTests } from '../support/discord/docent-for-tests.ts';
import { call, say } from '../support/llm/reply.ts';

let docent: Docent;
let discord: Docent['discord'];

docentForTests(async (started) => {
  docent = started;
  ({ discord } = docent);
  await Promise.all([docent.run('gateway'), docent.run('worker', { DEFAULT_TZ: 'Europe/Berlin' })]);
  await docent.until('the commands are in place', async () => (await discord.commands()).length > 0);
});

/** What the answer to a command is, once it is there. */
async function answered(id: string): Promise<ShownMessage> {
  await docent.until('it is answered', async () => {
    const { answer } = await discord.interaction(id);
    return (answer?.content ?? '') !== '';
  });
  const { answer } = await discord.interaction(id);
  if (answer === undefined) throw new Error('it was answered');
  return answer;
}

async function uses(who: string, name: string, values: Record<string, unknown>, where: string) {
  return answered((await discord.command(who, name, values, { in: where })).id);
}

async function message(id: string): Promise<ShownMessage> {
  const found = await discord.message(id);
  if (found === undefined) throw new Error(`there is no message ${id}`);
  return found;
}

/** The message with this id, once it says this. */
async function untilReads(id: string, part: string): Promise<ShownMessage> {
  let content = '';
  await docent.until(
    () => `it says ${part}; it says ${content}`,
    async () => {
      ({ content } = await message(id));
      return content.includes(part);
    },
  );
  return message(id);
}

const labels = ({ buttons }: ShownMessage) => buttons.map(({ label }) => label);

/** A reminder in a room of its own that is due at once; its message. */
async function comes(who: string, what: string): Promise<{ room: string; shown: ShownMessage }> {
  const room = await docent.newRoom();
  await uses(who, 'remind', { when: 'in 1 second', what }, room);
  return { room, shown: await docent.untilShown(room, '⏰') };
}

describe('what was made', () => {
  test('by a command is cancelled with a button', async () => {
    const room = await docent.newRoom();
    const made = await uses('mia', 'remind', { when: 'in 20 minutes', what: 'redo this @everyone' }, room);
    expect(labels(made)).toEqual(['Change', 'Cancel']);
    await discord.press('mia', made.id, 'Cancel');
    expect(labels(await untilReads(made.id, '✖ Cancelled: redo this'))).toEqual([]);
    expect((await uses('mia', 'reminders', {}, room)).content).toMatch(/^You have no reminders/);
  });

  test('by the model is confirmed in the thread, by the bot itself, and changed with a form', async () => {
    docent.willSay(
      call('cron', { action: 'schedule', message: 'redo this', at: 'tomorrow at 9', tz: 'Europe/Berlin' }),
      say('FINISH', 'Done.'),
    );
    const room = await docent.newRoom();
    const { id: question } = await discord.say('lena', '@Docent remind me to redo this tomorrow at 9', {
      in: room,
    });
    const shown = await docent.untilShown(question, '⏰');
    expect(shown.content).toMatch(/^⏰ <t:\d+:f> \(Europe\/Berlin\)\. redo this$/);
    expect(labels(shown)).toEqual(['Change', 'Cancel']);
    const opened = await discord.press('lena', shown.id, 'Change');
    await docent.until(
      'the form is there',
      async () => (await discord.interaction(opened.id)).modal !== undefined,
    );
    await discord.submit('lena', opened.id, { when: 'every weekday at 7', what: 'call Ann' });
    const changed = await untilReads(shown.id, 'call Ann');
    expect(changed.content).toMatch(/\nThen <t:\d+:f>, <t:\d+:f> and so on\.$/);
  });

  test('is nobody else’s to change', async () => {
    docent.willSay(
      call('cron', { action: 'schedule', message: 'mine', at: 'tomorrow at 9', tz: 'Europe/Berlin' }),
      say('FINISH', 'Done.'),
    );
    const room = await docent.newRoom();
    const { id: question } = await discord.say('rosa', '@Docent remind me tomorrow at 9: mine', { in: room });
    const shown = await docent.untilShown(question, '⏰');
    const pressed = await discord.press('ben', shown.id, 'Change');
    expect(await docent.untilToldPrivately(pressed)).toEqual(['This reminder belongs to somebody else.']);
  });

  test('asks once for the zone, in a menu, and goes by what is chosen', async () => {
    const room = await docent.newRoom();
    const made = await uses('ben', 'remind', { when: 'tomorrow at 9', what: 'redo this' }, room);
    expect(made.content).toMatch(/\nIs that not your time zone\? Choose yours/);
    const [tokyo] = made.selects.flatMap(({ options }) =>
      options.filter(({ label }) => label.startsWith('Tokyo')),
    );
    await discord.choose('ben', made.id, [tokyo?.value ?? '']);
    await untilReads(made.id, '(Asia/Tokyo)');
    expect((await uses('ben', 'settings', {}, room)).content).toContain('Time zone: Asia/Tokyo');
  });

  test('is found in the list, with all that can be done about it', async () => {
    const room = await docent.newRoom();
    await uses('greta', 'remind', { when: 'in 20 minutes', what: 'first' }, room);
    await uses('greta', 'remind', { when: 'in 30 minutes', what: 'second' }, room);
    const list = await uses('greta', 'reminders', {}, room);
    const [second] = list.selects.flatMap(({ options }) =>
      options.filter(({ label }) => label.includes('second')),
    );
    await discord.choose('greta', list.id, [second?.value ?? '']);
    await docent.until('it is shown', async () => labels(await message(list.id)).length === 3);
    expect(labels(await message(list.id))).toEqual(['Change', 'Pause', 'Cancel']);
    await discord.press('greta', list.id, 'Cancel');
    await untilReads(list.id, '✖ Cancelled: second');
    expect((await uses('greta', 'reminders', {}, room)).content).not.toContain('second');
  });
});

describe('when it comes', () => {
  test('it calls its owner alone; Done leaves the words', async () => {
    const { shown } = await comes('mia', 'drink');
    expect(shown.pings).toMatchObject({ users: ['mia'], everyone: false });
    expect(labels(shown)).toEqual(['Done', 'In 10 min', 'In 1 h', 'Tomorrow']);
    const ben = await discord.press('ben', shown.id, 'Done');
    expect(await docent.untilToldPrivately(ben)).toEqual(['This reminder belongs to somebody else.']);
    await discord.press('mia', shown.id, 'Done');
    expect(labels(await untilReads(shown.id, '✅ drink'))).toEqual([]);
  });

  test('it can be put off, and that changed again', async () => {
    const { room, shown } = await comes('mia', 'drink more');
    await discord.press('mia', shown.id, 'In 1 h');
    const later = await untilReads(shown.id, '💤 Again');
    expect(labels(later)).toEqual(['Change', 'Cancel']);
    expect((await uses('mia', 'reminders', {}, room)).content).toContain('drink more');
    await discord.press('mia', shown.id, 'Cancel');
    await untilReads(shown.id, '✖ Cancelled: drink more');
  });

  test('its channel is gone: it comes as a direct message', async () => {
    const room = await docent.newRoom();
    await uses('ada', 'remind', { when: 'in 2 seconds', what: 'where am I?' }, room);
    await discord.deleteChannel(room);
    const read = async () => discord.messages('dm', { onlyFor: 'ada' }).catch(() => []);
    await docent.until('it comes', async () => (await read()).length > 0);
    expect((await read()).map(({ content }) => content)).toEqual([expect.stringContaining('⏰ where am I?')]);
  });
});

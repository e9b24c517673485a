// What is pressed below a reminder, its confirmation and the list: the same on every platform.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Dialect } from '../../src/domain/command.ts';
import type { ControlButton, Press, Said } from '../../src/domain/controls.ts';
import { ConversationId, UserId } from '../../src/domain/ids.ts';
import type { ChangedChoices, Preferences } from '../../src/domain/person.ts';
import type { Reminder, ReminderDraft } from '../../src/domain/reminder.ts';
import { answerPress, formFor } from '../../src/reminders/answer-press.ts';
import { pressOf } from '../../src/reminders/press.ts';
import { confirmation, delivered, detail, listMenu } from '../../src/reminders/shown.ts';
import { reminderWords } from '../../src/reminders/words.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import { type MemoryReminders, memoryReminders } from '../support/memory-reminders.ts';

const mia = UserId('discord:1');
const tom = UserId('discord:2');
const conversation = ConversationId('discord:7');
/** Mon 30 Nov 2026, 19:00 in Berlin. */
const start = Date.UTC(2026, 10, 30, 18);
const nine = Date.UTC(2026, 11, 1, 8);
const minute = 60_000;

const dialect: Dialect = {
  maxChars: 2_000,
  command: (name) => `/${name}`,
  time: (at) => new Date(at).toISOString().slice(0, 16),
  text: (words) => words.replaceAll('@', '(at)'),
};
const view = { words: reminderWords('en'), dialect };

let clock: ManualClock;
let reminders: MemoryReminders;
let preferences: Preferences;
beforeEach(() => {
  clock = manualClock(start);
  reminders = memoryReminders(start);
  preferences = { zone: 'Europe/Berlin' };
});

const means = () => ({
  reminders,
  clock,
  defaultZone: 'Europe/Berlin',
  people: {
    preferences: async () => preferences,
    accountsOf: async (account: UserId) => (account === UserId('web:mia') ? [account, mia] : [account]),
    async choose(_: UserId, change: ChangedChoices) {
      preferences = { ...preferences, ...(change.zone !== undefined && { zone: change.zone }) };
    },
  },
});

async function made(change: Partial<ReminderDraft> = {}): Promise<Reminder> {
  const draft: ReminderDraft = {
    owner: mia,
    conversation,
    address: { surface: 'discord', place: '7' },
    kind: 'reminder',
    message: 'redo chapter 3',
    schedule: { kind: 'at', at: nine },
    tz: 'Europe/Berlin',
    nextAt: nine,
    ...change,
  };
  const reminder = await reminders.add(draft, crypto.randomUUID());
  if (reminder === 'full') throw new Error('full');
  return reminder;
}

const weekly = { schedule: { kind: 'cron', expr: '0 9 * * 2', tz: 'Europe/Berlin' } } as const;

const by = (person = mia, isManager = false, place = conversation) => ({
  person,
  key: crypto.randomUUID(),
  conversation: place,
  address: { surface: 'discord', place: '7', locale: 'en-GB' },
  isManager,
});

const presses = (press: Press, who = by(), form?: Record<string, string>) =>
  answerPress(press, who, dialect, means(), form && new Map(Object.entries(form)));

function named(label: string, said: Said): ControlButton {
  const found = said.controls?.buttons.find((each) => each.label === label);
  if (found === undefined) throw new Error(`no button ${label}`);
  return found;
}

/** It comes, as its owner sees it; the clock stands at that moment. */
async function comes(reminder: Reminder, lateMs = 0): Promise<Said> {
  await clock.advance(reminder.nextAt + lateMs - clock.now());
  reminders.comes(reminder.owner, reminder.id);
  return delivered({ reminder, dueAt: reminder.nextAt }, clock.now(), view);
}

const labels = ({ controls }: Said) => controls?.buttons.map(({ label }) => label);

describe('when it comes', () => {
  test('it can be done with, or come again; one that repeats can be stopped', async () => {
    expect(labels(await comes(await made()))).toEqual(['Done', 'In 10 min', 'In 1 h', 'Tomorrow']);
    expect(labels(await comes(await made({ ...weekly, nextAt: nine + minute })))).toContain('Stop');
  });

  test.each([
    [0, '⏰ redo chapter 3'],
    [59_000, '⏰ redo chapter 3'],
    [61_000, '⏰ redo chapter 3 (due 2026-12-01T08:00)'],
    [23 * 60 * minute, '⏰ redo chapter 3 (due 2026-12-01T08:00)'],
    [25 * 60 * minute, '⏰ I was away 2026-12-01T08:00, when this was due: redo chapter 3'],
  ])('%s ms late it says: %s', async (lateMs, text) => {
    expect((await comes(await made(), lateMs)).text).toBe(text);
  });

  test('a task that was missed for a day is told, not begun, and can be begun now', async () => {
    const said = await comes(await made({ kind: 'task' }), 25 * 60 * minute);
    expect(said.text).toMatch(/^⏰ I was away .* and have not done it: redo chapter 3$/);
    await presses(named('Do it now', said).press);
    expect(await reminders.list(mia)).toMatchObject([{ kind: 'task', nextAt: clock.now() }]);
  });

  test('Done leaves only the words', async () => {
    const said = await comes(await made({ message: 'tell @everyone' }));
    expect(await presses(named('Done', said).press)).toEqual({
      kind: 'replace',
      text: '✅ tell (at)everyone',
    });
  });

  test.each([
    ['In 10 min', nine + 10 * minute],
    ['In 1 h', nine + 60 * minute],
    ['Tomorrow', nine + 24 * 60 * minute],
  ])('%s: it comes once more then, however often that is pressed', async (label, nextAt) => {
    const said = await comes(await made());
    const reply = await presses(named(label, said).press);
    await presses(named(label, said).press);
    await presses(named('In 1 h', said).press);
    expect(reply.text).toBe(`⏰ redo chapter 3\n💤 Again ${new Date(nextAt).toISOString().slice(0, 16)}.`);
    expect(labels(reply)).toEqual(['Change', 'Cancel']);
    expect(await reminders.list(mia)).toMatchObject([{ nextAt, message: 'redo chapter 3' }]);
  });

  test('tomorrow is at the time of day it was due, also over a change of the clocks', async () => {
    const saturday = Date.UTC(2027, 2, 27, 8);
    const said = await comes(
      await made({ schedule: { kind: 'at', at: saturday }, nextAt: saturday }),
      minute,
    );
    await presses(named('Tomorrow', said).press);
    expect(await reminders.list(mia)).toMatchObject([{ nextAt: Date.UTC(2027, 2, 28, 7) }]);
  });

  test('a snooze keeps where it is to be said, although that may be gone by then', async () => {
    const said = await comes(await made({ address: { surface: 'discord', place: 'gone' } }));
    await presses(named('In 10 min', said).press, by(mia, false, ConversationId('discord:dm')));
    expect(await reminders.list(mia)).toMatchObject([{ conversation, address: { place: 'gone' } }]);
  });

  test('Stop ends what repeats', async () => {
    const said = await comes(await made(weekly));
    expect((await presses(named('Stop', said).press)).text).toBe(
      '⏰ redo chapter 3\n⏹ It does not come again.',
    );
    expect(reminders.all()).toEqual([]);
  });
});

describe('what was confirmed', () => {
  test('is cancelled once; the second time says so', async () => {
    const cancel = named('Cancel', confirmation(await made(), view)).press;
    expect(await presses(cancel)).toEqual({ kind: 'replace', text: '✖ Cancelled: redo chapter 3' });
    expect(await presses(cancel)).toEqual({
      kind: 'tell',
      text: 'This reminder is over, or was cancelled already.',
    });
  });

  test('is changed by a form that holds what stands there', async () => {
    const change = named('Change', confirmation(await made(), view));
    expect(change.opensForm).toBe(true);
    const form = await formFor(change.press, by(), dialect, means());
    if (!('fields' in form)) throw new Error(form.text);
    expect(form.fields.map(({ value }) => value)).toEqual(['2026-12-01 09:00', 'redo chapter 3']);
    const reply = await presses(form.press, by(), { when: 'every weekday at 7', what: 'call @Ann' });
    expect(reply).toMatchObject({
      kind: 'replace',
      text: '⏰ 2026-12-01T06:00 (Europe/Berlin). call (at)Ann\nThen 2026-12-02T06:00, 2026-12-03T06:00 and so on.',
    });
    const again = await formFor(change.press, by(), dialect, means());
    expect('fields' in again && again.fields[0]?.value).toBe('every weekday at 7');
  });

  test.each([
    [{ when: 'soon', what: 'x' }, 'I read no time in "soon"'],
    [{ when: '2020-01-01 09:00', what: 'x' }, '2020-01-01T08:00 has passed.'],
    [{ when: 'every 5 seconds', what: 'x' }, 'That is too often'],
    [{ when: 'tomorrow at 9', what: ' ' }, 'Write what I am to say.'],
    [{ when: 'tomorrow at 9', what: 'x'.repeat(10_000) }, 'That is too long: at most 2000 characters.'],
  ])('%j changes nothing', async (form, said) => {
    const reminder = await made();
    const reply = await presses(pressOf('change', reminder), by(), form);
    expect(reply.kind).toBe('tell');
    expect(reply.text.startsWith(said)).toBe(true);
    expect(reminders.all()).toEqual([reminder]);
  });

  test('takes the zone that is chosen below it, for all that were made by the same guess', async () => {
    preferences = {};
    const reminder = await made();
    await made(weekly);
    await made({ schedule: { kind: 'at', at: nine, isInstant: true } });
    const menu = confirmation(reminder, view, { now: start }).controls?.menu;
    const tokyo = menu?.options.find(({ label }) => label.startsWith('Tokyo'))?.press ?? '';
    expect(await presses(tokyo)).toMatchObject({
      kind: 'replace',
      text: '⏰ 2026-12-01T00:00 (Asia/Tokyo). redo chapter 3',
    });
    expect(preferences.zone).toBe('Asia/Tokyo');
    expect((await reminders.list(mia)).map(({ nextAt }) => new Date(nextAt).toISOString())).toEqual([
      '2026-12-01T00:00:00.000Z', // nine there
      '2026-12-01T00:00:00.000Z',
      '2026-12-01T08:00:00.000Z', // a wait stays where it is
    ]);
    expect(menu?.options).toHaveLength(25);
  });
});

describe('after a move to another zone', () => {
  test('all of them follow, but for what has passed there', async () => {
    await made();
    const soon = start + 30 * minute;
    await made({ schedule: { kind: 'at', at: soon }, nextAt: soon });
    preferences = { zone: 'Pacific/Auckland' };
    const reply = await presses(pressOf('move', { owner: mia, id: '' }, 'Europe/Berlin'));
    expect(reply.text).toBe(
      '✓ One reminder goes by the clock of Pacific/Auckland now.\nOne stays as before: the time has passed there already.',
    );
    expect((await reminders.list(mia)).map(({ tz }) => tz)).toEqual(['Pacific/Auckland', 'Europe/Berlin']);
  });

  test('or stay', async () => {
    const reminder = await made();
    expect((await presses(pressOf('keep', { owner: mia, id: '' }))).text).toBe('✓ They stay as they are.');
    expect(reminders.all()).toEqual([reminder]);
  });
});

describe('the list', () => {
  test('has a menu; what is chosen shows all that can be done, with the menu still there', async () => {
    const first = await made();
    await made({ message: 'call Ann' });
    const menu = listMenu(await reminders.list(mia), view.words);
    expect(menu?.options.map(({ label }) => label)).toEqual(['r1 redo chapter 3', 'r2 call Ann']);
    const shown = await presses(menu?.options[0]?.press ?? '');
    expect(shown.kind).toBe('replace');
    expect(labels(shown)).toEqual(['Change', 'Pause', 'Cancel']);
    expect(shown.controls?.menu?.options).toHaveLength(2);
    const paused = await presses(named('Pause', shown).press);
    expect(paused.text).toBe('⏸ Paused. redo chapter 3 (`r1`)');
    const resumed = await presses(named('Resume', paused).press);
    expect(labels(resumed)).toEqual(labels(detail(first, view)));
  });

  test('what passed while it was paused is not resumed', async () => {
    const reminder = await made();
    await presses(pressOf('pause', reminder));
    await clock.advance(48 * 60 * minute);
    expect((await presses(pressOf('resume', reminder))).text).toMatch(/^Its time has passed meanwhile/);
  });
});

describe('whose it is', () => {
  test.each(['change', 'cancel', 'done', 'snooze', 'stop', 'pause', 'show', 'run', 'zone', 'move'] as const)(
    'nobody else may %s',
    async (action) => {
      const reminder = await made(weekly);
      expect(await presses(pressOf(action, reminder, 'UTC'), by(tom))).toEqual({
        kind: 'tell',
        text: 'This reminder belongs to somebody else.',
      });
      expect(reminders.all()).toEqual([reminder]);
    },
  );

  test('nobody else is shown its form', async () => {
    const form = await formFor(pressOf('form', await made()), by(tom), dialect, means());
    expect(form).toMatchObject({ text: 'This reminder belongs to somebody else.' });
  });

  test('whoever looks after the channel may end what comes there, and nothing else', async () => {
    const reminder = await made(weekly);
    const elsewhere = by(tom, true, ConversationId('discord:8'));
    expect((await presses(pressOf('stop', reminder), elsewhere)).kind).toBe('tell');
    expect((await presses(pressOf('pause', reminder), by(tom, true))).kind).toBe('tell');
    expect((await presses(pressOf('cancel', reminder), by(tom, true))).kind).toBe('replace');
    expect(reminders.all()).toEqual([]);
  });

  test('a linked account is the same person', async () => {
    const reminder = await made();
    expect((await presses(pressOf('cancel', reminder), by(UserId('web:mia')))).kind).toBe('replace');
  });
});

test.each([
  '',
  'reminder',
  'reminder|explode|discord:1|r1|',
  'reminder|zone|discord:1|r1|Nowhere/At_all',
  'x'.repeat(100),
])('a press that makes no sense (%j) is answered and does nothing', async (press) => {
  await made();
  expect((await presses(press)).kind).toBe('tell');
  expect(reminders.all()).toHaveLength(1);
});

test('a press is short enough for every platform', async () => {
  const owner = UserId('web:01234567-89ab-4def-8123-456789abcdef');
  const said = await comes(await made({ ...weekly, owner }));
  const all = said.controls?.buttons.map(({ press }) => press.length) ?? [];
  expect(Math.max(...all)).toBeLessThanOrEqual(90);
  const menu = confirmation(await made({ owner }), view, { now: start }).controls?.menu;
  expect(Math.max(...(menu?.options.map(({ press }) => press.length) ?? []))).toBeLessThanOrEqual(90);
});

test('in German and Chinese, too', async () => {
  for (const locale of ['de', 'zh-CN']) {
    const said = confirmation(await made(weekly), { words: reminderWords(locale), dialect });
    expect(said.text).not.toMatch(/Then/);
    expect(labels(said)).not.toContain('Change');
  }
});

// What is asked of the bot itself, and answered at once: the same on every platform.
import { beforeEach, describe, expect, test } from 'vitest';
import { answerCommand } from '../../src/commands/answer-command.ts';
import type { Command, Dialect } from '../../src/domain/command.ts';
import type { Said } from '../../src/domain/controls.ts';
import { ConversationId, UserId } from '../../src/domain/ids.ts';
import type { Memory } from '../../src/domain/memory.ts';
import type { ChangedChoices, Preferences } from '../../src/domain/person.ts';
import { manualClock } from '../support/clock.ts';
import { type MemoryReminders, memoryReminders } from '../support/memory-reminders.ts';

const mia = UserId('discord:1');
const conversation = ConversationId('discord:2');
const address = { surface: 'discord', place: '2', locale: 'en-GB' };
/** Mon 30 Nov 2026, 18:00 UTC. */
const start = Date.UTC(2026, 10, 30, 18);

const dialect: Dialect = {
  maxChars: 2_000,
  command: (name) => `/${name}`,
  time: (at) => new Date(at).toISOString().slice(0, 16),
  text: (words) => words.replaceAll('@', '(at)'),
};

let memories: Memory[];
let reminders: MemoryReminders;
let asked: boolean;
let preferences: Preferences;
let codes: Map<string, UserId>;
beforeEach(() => {
  memories = [];
  reminders = memoryReminders(start);
  asked = false;
  preferences = {};
  codes = new Map();
});

function memory(id: string, text: string): Memory {
  const evidence = { conversation };
  return { id, text, kind: 'fact', scope: 'me', evidence, createdAt: 0, changedAt: 0 };
}

const clock = manualClock(start);

async function answer(command: Command, more: { locale?: string; key?: string } = {}): Promise<string> {
  return (await answered(command, more)).text;
}

function answered(command: Command, { locale = 'en-GB', key = 'k1' } = {}): Promise<Said> {
  return answerCommand(
    command,
    { person: mia, key, conversation, address: { ...address, locale } },
    dialect,
    {
      clock,
      defaultZone: 'Europe/Berlin',
      memories: {
        list: async () => memories,
        async forget(_owner, id) {
          const at = memories.findIndex((each) => each.id === id);
          return at === -1 ? undefined : memories.splice(at, 1)[0];
        },
      },
      reminders,
      people: {
        preferences: async () => preferences,
        async choose(_account, change: ChangedChoices) {
          const all = { ...preferences, ...change };
          preferences = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
        },
        noteProfile: async () => {},
        async mayAskZone() {
          const isFirst = !asked;
          asked = true;
          return isFirst;
        },
        accountsOf: async (account) => [account],
        async offerLink(account) {
          codes.set('AB3DEFGH', account);
          return 'AB3DEFGH';
        },
        async link(account, code) {
          const other = codes.get(code);
          if (other === undefined) return 'unknown';
          return other === account ? 'own' : [other];
        },
        unlink: async () => false,
      },
    },
  );
}

describe('lists', () => {
  test('of reminders, with what people wrote made harmless', async () => {
    expect(await answer({ name: 'reminders' })).toMatch(/^You have no reminders\. .*\/remind/);
    await answer({ name: 'remind', when: 'tomorrow at 9', what: 'redo this\n@everyone' });
    expect(await answer({ name: 'reminders' })).toBe('- 2026-12-01T08:00 redo this (at)everyone (`r1`)');
  });

  test('of memories, which are forgotten by their number', async () => {
    memories = [memory('b', 'likes proofs'), memory('a', 'studies maths')];
    expect(await answer({ name: 'memory list' })).toBe(
      '1. likes proofs\n2. studies maths\n\n/memory forget and a number: I forget it.',
    );
    expect(await answer({ name: 'memory forget', number: 2 })).toBe('Forgotten: studies maths');
    expect(memories.map(({ id }) => id)).toEqual(['b']);
    expect(await answer({ name: 'memory forget', number: 2 })).toBe('There is no number 2 in /memory list.');
  });

  test('that are long are one message, and say how much is left out', async () => {
    memories = Array.from({ length: 200 }, (_, at) => memory(`m${at}`, `${'*'.repeat(240)} ${at}`));
    const shown = await answer({ name: 'memory list' });
    expect(shown.length).toBeLessThanOrEqual(2_000);
    expect(shown).toMatch(/\n… and 19\d more\n\n\/memory forget/);
  });
});

describe('a reminder', () => {
  const remind = (when: string, more: { what?: string; locale?: string; key?: string } = {}) =>
    answer({ name: 'remind', when, what: more.what ?? 'redo this' }, more);

  test('is made in the zone of the deployment, and asks once whether that is the right one', async () => {
    const first = await answered({ name: 'remind', when: 'tomorrow at 9', what: 'redo this' });
    expect(first.text).toBe(
      '⏰ 2026-12-01T08:00 (Europe/Berlin). redo this\nIs that not your time zone? Choose yours, I ask only this once.',
    );
    expect(first.controls?.buttons.map(({ label }) => label)).toEqual(['Change', 'Cancel']);
    expect(first.controls?.menu?.options).toHaveLength(25);
    expect(first.controls?.menu?.options.map(({ label }) => label)).toContain('Berlin · 19:00');
    const second = await answered(
      { name: 'remind', when: 'tomorrow at 9', what: 'redo this' },
      { key: 'k2' },
    );
    expect(second.controls?.menu).toBeUndefined();
    expect(second.text).toMatch(/\nIs that not your time zone\? Set yours with \/settings\.$/);
    expect(reminders.all()).toMatchObject([
      { owner: mia, conversation, kind: 'reminder', message: 'redo this' },
      { id: 'r2' },
    ]);
  });

  test('that only waits asks for no zone, and where the platform tells one nobody is asked', async () => {
    expect(await remind('in 20 minutes')).not.toContain('time zone');
    preferences = { platformZone: 'Asia/Tokyo' };
    expect(await remind('tomorrow at 9', { key: 'k2' })).toBe('⏰ 2026-12-02T00:00 (Asia/Tokyo). redo this');
  });

  test('that repeats shows what its rule comes to', async () => {
    preferences = { zone: 'Europe/Berlin' };
    expect(await remind('every weekday at 7')).toBe(
      '⏰ 2026-12-01T06:00 (Europe/Berlin). redo this\nThen 2026-12-02T06:00, 2026-12-03T06:00 and so on.',
    );
  });

  test('that no rule can say is not made; what comes near is offered', async () => {
    preferences = { zone: 'Europe/Berlin' };
    expect(await remind('every other Monday at 9')).toBe(
      [
        'I cannot count every other one, only days, weekdays and dates. What I can do:',
        '- `0 9 * * 1`: 2026-12-07T08:00, 2026-12-14T08:00 …',
        '- `0 9 * * 1#1`: 2026-12-07T08:00, 2027-01-04T08:00 …',
      ].join('\n'),
    );
    expect(await remind('0 9 * * 1#1')).toMatch(/^⏰ 2026-12-07T08:00/);
  });

  test('the twenty-sixth is refused', async () => {
    for (let n = 0; n < 25; n += 1) await remind('in 20 minutes', { key: `n${n}` });
    expect(await remind('in 20 minutes', { key: 'n25' })).toBe(
      'You have 25 reminders, the most there may be. Cancel one first.',
    );
  });

  test('is made in the zone of the person, when one is set', async () => {
    preferences = { zone: 'Asia/Tokyo' };
    expect(await remind('tomorrow at 9')).toBe('⏰ 2026-12-02T00:00 (Asia/Tokyo). redo this');
  });

  test('is made once for one use of the command', async () => {
    await remind('in 20 minutes');
    await remind('in 20 minutes');
    expect(reminders.all()).toHaveLength(1);
    await remind('in 20 minutes', { key: 'k2' });
    expect(reminders.all()).toHaveLength(2);
  });

  test.each([
    ['soon', 'I read no time in "soon". Write it like'],
    ['2020-01-01 09:00', '2020-01-01T08:00 has passed.'],
    ['2026-02-30 09:00', 'I read no time in "2026-02-30 09:00"'],
    ['every 5 seconds', 'That is too often: at most once a minute.'],
    ['0 0 9 * * *', 'That is no time I can keep: it has 6 of the five fields'],
    ['x'.repeat(10_000), 'I read no time in "xxx'],
    ['@everyone at 9', 'I read no time in "(at)everyone at 9"'],
  ])('%s is no time to come', async (when, said) => {
    expect((await remind(when)).startsWith(said)).toBe(true);
    expect(reminders.all()).toEqual([]);
  });

  test('is no longer than reminders are', async () => {
    expect(await remind('in 20 minutes', { what: 'x'.repeat(10_000) })).toBe(
      'That is too long: at most 2000 characters.',
    );
  });

  test.each(['', '  '])('says something: not %j', async (what) => {
    expect(await remind('in 20 minutes', { what })).toBe('Write what I am to say.');
  });

  test('understands the language of the person', async () => {
    expect(await remind('morgen um 9', { locale: 'de' })).toMatch(/^⏰ 2026-12-01T08:00/);
  });
});

describe('settings', () => {
  const set = (change: ChangedChoices) => answer({ name: 'settings', change });

  test('are shown', async () => {
    expect(await set({})).toBe(
      'Language: the one you write in\nTime zone: Europe/Berlin (not set)\nAnswers: balanced',
    );
  });

  test('are changed, and told in the language that was chosen', async () => {
    expect(await set({ language: 'de', zone: 'Asia/Tokyo', style: 'short' })).toBe(
      '✓ Gespeichert.\nSprache: Deutsch\nZeitzone: Asia/Tokyo\nAntworten: kurz',
    );
    expect(preferences).toEqual({ language: 'de', zone: 'Asia/Tokyo', style: 'short' });
    expect(await set({ language: undefined })).toMatch(/^✓ Saved\.\nLanguage: the one you write in/);
  });

  test('of another zone ask what is to become of the reminders', async () => {
    preferences = { zone: 'Europe/Berlin' };
    await answer({ name: 'remind', when: 'tomorrow at 9', what: 'redo this' });
    await answer({ name: 'remind', when: 'in 20 minutes', what: 'tea' }, { key: 'k2' });
    const moved = await answered({ name: 'settings', change: { zone: 'America/New_York' } });
    expect(moved.text).toMatch(
      /You have a reminder by the clock of Europe\/Berlin\. Shall it come at the same time of day in America\/New_York\?$/,
    );
    expect(moved.controls?.buttons.map(({ label }) => label)).toEqual(['Move them', 'Leave them']);
  });

  test('name a zone as the world spells it, however it was typed', async () => {
    expect(await set({ zone: 'europe/berlin' })).toMatch(/Time zone: Europe\/Berlin$/m);
    expect(preferences).toEqual({ zone: 'Europe/Berlin' });
  });

  test.each([
    [{ zone: 'Berlin @home' }, '"Berlin (at)home" is no time zone.'],
    [{ language: 'klingon language' }, '"klingon language" is no language I know.'],
  ])('%j is refused', async (change, said) => {
    expect((await set(change)).startsWith(said)).toBe(true);
    expect(preferences).toEqual({});
  });
});

describe('accounts', () => {
  test('are linked by a code of the other one', async () => {
    const offered = await answer({ name: 'link', code: undefined });
    expect(offered).toContain('Your code: `AB3DEFGH`. Write /link with it in your other account');
    expect(offered).toContain('until 2026-11-30T18:10');
    expect(await answer({ name: 'link', code: 'AB3DEFGH' })).toMatch(/^This code was made by this account/);
    expect(await answer({ name: 'link', code: 'WRONG' })).toMatch(/^This code is not valid/);
    codes.set('AB3DEFGH', UserId('slack:T1:U1'));
    expect(await answer({ name: 'link', code: 'AB3DEFGH' })).toMatch(
      /^✓ This account and Slack are one person now/,
    );
  });

  test('that are not linked cannot be separated', async () => {
    expect(await answer({ name: 'unlink' })).toBe('This account is not linked with another one.');
  });
});

test.each([
  ['de', 'Erwähne mich'],
  ['zh-CN', '在频道里提及我'],
  ['fr', 'Mention me'],
])('help in %s tells every command', async (locale, begin) => {
  const help = await answer({ name: 'help' }, { locale });
  expect(help.startsWith(begin)).toBe(true);
  for (const name of 'ask next stop new remind reminders memory settings link unlink explain'.split(' '))
    expect(help).toContain(`/${name}`);
  expect(help.length).toBeLessThanOrEqual(2_000);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CallId, ConversationId, UserId } from '../../src/domain/ids.ts';
import { maxActiveReminders } from '../../src/domain/reminder.ts';
import type { Tool, ToolContext } from '../../src/ports/tool.ts';
import { queuedReminders } from '../../src/queue/reminders.ts';
import { redisReminders } from '../../src/store/redis/reminders.ts';
import { type CronToolMeans, cronTool } from '../../src/tools/cron.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { startTestRedis, type TestRedis } from '../support/redis/redis.ts';

const ann = UserId('discord:1');
const bob = UserId('discord:2');
const address = { surface: 'discord', place: '7', replyTo: '70' };
const conversation = ConversationId('discord:7');
/** Mon 30 Nov 2026, 19:00 in Berlin. */
const now = Date.parse('2026-11-30T18:00Z');
const minute = 60_000;

let server: TestRedis;
let clock: ManualClock;
let calls: number;
let zone: { zone: string; isGuess: boolean };
let confirmed: [id: string, isZoneGuessed: boolean][];
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());
beforeEach(async () => {
  await server.clear();
  clock = manualClock(now);
  calls = 0;
  zone = { zone: 'Europe/Berlin', isGuess: false };
  confirmed = [];
});

const records = () => redisReminders(server.redis);

function cron(): Tool {
  const alarms = { set: async () => {}, clear: async () => {}, close: async () => {} };
  const reminders = queuedReminders({ records: records(), alarms, clock, log: quietLog });
  const confirm: CronToolMeans['confirm'] = async ({ id }, isGuess) => void confirmed.push([id, isGuess]);
  return cronTool({ reminders, clock, zoneOf: async () => zone, confirm });
}

function run(args: Record<string, unknown>, change: Partial<ToolContext> = {}) {
  calls += 1;
  return cron().run(args, {
    callId: CallId(`c${calls}`),
    idempotencyKey: `discord:7:t1:c${calls}`,
    user: ann,
    turn: { conversation, address, isScheduled: false },
    signal: new AbortController().signal,
    ...change,
  });
}

/** What the model is told, parsed. */
async function result(args: Record<string, unknown>, change: Partial<ToolContext> = {}) {
  const given = await run(args, change);
  if (given.kind !== 'text') throw new Error(JSON.stringify(given));
  return JSON.parse(given.text);
}

const schedule = (change: Record<string, unknown>) => ({
  action: 'schedule',
  message: 'redo chapter 3',
  ...change,
});

test('"remind me to redo this tomorrow at 9": scheduled, listed, cancelled', async () => {
  const scheduled = await result(schedule({ at: '2026-12-01T09:00' }));
  expect(scheduled).toEqual({
    id: 'r1',
    next: '2026-12-01T09:00:00+01:00',
    local: 'Tue 1 Dec 2026, 09:00',
    tz: 'Europe/Berlin',
  });
  expect(await result({ action: 'list' })).toEqual([
    { ...scheduled, kind: 'reminder', message: 'redo chapter 3' },
  ]);
  expect(await result({ action: 'cancel', id: 'r1' })).toEqual({ id: 'r1', cancelled: true });
  expect(await result({ action: 'list' })).toEqual([]);
});

test('it is stored with its owner, its conversation and where it is to appear', async () => {
  await run(schedule({ kind: 'task', cron_expr: '0 9 * * 1-5', tz: 'Asia/Kolkata' }));
  expect(await records().get(ann, 'r1')).toEqual({
    id: 'r1',
    owner: ann,
    conversation,
    address,
    kind: 'task',
    message: 'redo chapter 3',
    schedule: { kind: 'cron', expr: '0 9 * * 1-5', tz: 'Asia/Kolkata' },
    tz: 'Asia/Kolkata',
    nextAt: Date.parse('2026-12-01T03:30Z'),
    createdAt: now,
  });
});

test('only actions that exist are published, and plain JSON schema', () => {
  const { parameters } = cron().schema;
  expect(parameters).toMatchObject({
    required: ['action'],
    properties: {
      action: {
        enum: ['schedule', 'list', 'cancel', 'pause', 'resume', 'edit', 'snooze', 'run_now'],
      },
      message: { maxLength: 2_000 },
    },
  });
  expect(JSON.stringify(parameters)).not.toContain('anyOf');
  expect(cron()).toMatchObject({ effect: 'idempotent', mode: 'exclusive' });
});

describe('when', () => {
  test.each([
    [{ at: '2026-12-01T09:00Z' }, '2026-12-01T10:00:00+01:00', 'Tue 1 Dec 2026, 10:00'],
    [{ at: '2026-12-01T09:00', tz: 'Asia/Kolkata' }, '2026-12-01T09:00:00+05:30', 'Tue 1 Dec 2026, 09:00'],
    [{ at: '2026-12-01T09:00', tz: 'Pacific/Chatham' }, '2026-12-01T09:00:00+13:45', 'Tue 1 Dec 2026, 09:00'],
    [
      { at: '2026-12-01T09:00', tz: 'Pacific/Auckland' },
      '2026-12-01T09:00:00+13:00',
      'Tue 1 Dec 2026, 09:00',
    ],
    [{ at: '2027-01-09T19:00' }, '2027-01-09T19:00:00+01:00', 'Sat 9 Jan 2027, 19:00'], // 40 days ahead
    [{ at: '2028-02-29T09:00' }, '2028-02-29T09:00:00+01:00', 'Tue 29 Feb 2028, 09:00'],
    [{ at: '2027-03-28T02:30' }, '2027-03-28T03:30:00+02:00', 'Sun 28 Mar 2027, 03:30'],
    [{ at: '2027-10-31T02:30' }, '2027-10-31T02:30:00+02:00', 'Sun 31 Oct 2027, 02:30'],
    [{ every_seconds: 90 }, '2026-11-30T19:01:30+01:00', 'Mon 30 Nov 2026, 19:01:30'],
    [{ every_seconds: '3600' }, '2026-11-30T20:00:00+01:00', 'Mon 30 Nov 2026, 20:00'],
    [{ cron_expr: '0 9 * * *' }, '2026-12-01T09:00:00+01:00', 'Tue 1 Dec 2026, 09:00'],
    [{ cron_expr: '0 9 29 2 *', tz: 'UTC' }, '2028-02-29T09:00:00Z', 'Tue 29 Feb 2028, 09:00'],
    [
      { cron_expr: '0 9 * * mon-fri', at: '', every_seconds: null, tz: ' ' },
      '2026-12-01T09:00:00+01:00',
      'Tue 1 Dec 2026, 09:00',
    ],
    [{ cron_expr: '30 19 * * *', every_seconds: 0 }, '2026-11-30T19:30:00+01:00', 'Mon 30 Nov 2026, 19:30'],
  ])('%j is %s', async (when, next, local) => {
    expect(await result(schedule(when))).toMatchObject({ next, local });
  });

  test.each([
    [{ kind: 'task', every_seconds: 300 }],
    [{ kind: 'task', cron_expr: '*/5 * * * *' }],
    [{ kind: 'task', at: '2026-11-30T19:01' }],
  ])('a task may be %j', async (when) => {
    expect(await result(schedule(when))).toMatchObject({ id: 'r1' });
  });

  test('a time that has passed is refused with the time it is now', async () => {
    expect(await run(schedule({ at: '2026-11-30T18:59' }))).toEqual({
      kind: 'failed',
      badArgs: true,
      text: 'Not scheduled: at (2026-11-30T18:59) has passed, it is now 2026-11-30T19:00:00+01:00. Give a later time.',
    });
  });
});

test.each([
  [
    { action: 'wait', id: 'r1' },
    'action: expected one of "schedule", "list", "cancel", "pause", "resume", "edit", "snooze", "run_now", got "wait".',
  ],
  [{ action: 'pause' }, 'id: say which reminder; action list shows the ids.'],
  [{ action: 'snooze', id: 'r1' }, 'minutes: say in how many minutes it comes again.'],
  [
    { action: 'edit', id: 'r1' },
    'message: say what to change: message, or one of at, every_seconds and cron_expr.',
  ],
  [
    schedule({ at: 'tomorrow 9am', kind: 'task', deliver_to: 'dm' }),
    'deliver_to: a task is done where it was given; only a reminder can go to dm.',
  ],
  [{ action: 'cancel' }, 'id: say which reminder; action list shows the ids.'],
  [
    schedule({ message: '  ', at: '2026-12-01T09:00' }),
    'message: write what to say, it is missing or blank.',
  ],
  [
    schedule({ message: 'x'.repeat(2_001), at: '2026-12-01T09:00' }),
    `message: expected text of at most 2000 characters, got "${'x'.repeat(59)}…".`,
  ],
  [schedule({}), 'at: give exactly one of at, every_seconds and cron_expr, not 0.'],
  [
    schedule({ at: '2026-12-01T09:00', every_seconds: 60 }),
    'at: give exactly one of at, every_seconds and cron_expr, not 2.',
  ],
  [
    schedule({ every_seconds: 59 }),
    'every_seconds: expected a whole number, at least 60 and at most 31622400, got 59.',
  ],
  [schedule({ kind: 'task', every_seconds: 299 }), 'every_seconds: a task runs at most every 300 seconds.'],
  [schedule({ kind: 'task', cron_expr: '0,4 9 * * *' }), 'cron_expr: a task runs at most every 300 seconds.'],
  [
    schedule({ cron_expr: '0 0 9 * * *' }),
    'cron_expr: it has 6 of the five fields minute hour day month weekday; write five fields such as 0 9 * * 1-5.',
  ],
  [
    schedule({ cron_expr: '0 9 31 4 *' }),
    'cron_expr: Invalid explicit day of month definition; write five fields such as 0 9 * * 1-5.',
  ],
  [
    schedule({ cron_expr: '0 9 * * *', tz: 'CEST' }),
    'tz: "CEST" is no IANA zone; write one such as Europe/Berlin.',
  ],
  [
    schedule({ at: '2026-12-01T09:00', kind: 'alarm' }),
    'kind: expected one of "reminder", "task", got "alarm".',
  ],
])('refuses %j as a failed result', async (args, problem) => {
  const refused = await run(args);
  expect(refused).toMatchObject({ kind: 'failed', badArgs: true });
  expect(refused.kind === 'failed' && refused.text).toContain(`- ${problem}\n`);
  expect(await records().list(ann)).toEqual([]);
});

describe('in the words of the person', () => {
  test.each([
    ['tomorrow 9am', 'Tue 1 Dec 2026, 09:00'],
    ['morgen um 9 Uhr', 'Tue 1 Dec 2026, 09:00'],
    ['every weekday at 7', 'Tue 1 Dec 2026, 07:00'],
    ['last Friday of the month at 17:00', 'Fri 25 Dec 2026, 17:00'],
  ])('%s', async (at, local) => {
    expect(await result(schedule({ at }))).toMatchObject({ local });
  });

  test.each([
    ['2026-12-01', 'is no time of day that I can read'],
    ['30 February at 9', 'is no time of day that I can read'],
    ['every 5 seconds', 'that is too often'],
    ['2020-01-01T09:00', 'has passed, it is now 2026-11-30T19:00:00+01:00'],
  ])('%s is refused', async (at, why) => {
    const refused = await run(schedule({ at }));
    expect(refused).toMatchObject({ kind: 'failed', badArgs: true, text: expect.stringContaining(why) });
    expect(await records().list(ann)).toEqual([]);
  });

  test('what no rule can say comes back with what is near, to ask the person', async () => {
    expect(await run(schedule({ at: 'every other Monday at 9' }))).toEqual({
      kind: 'failed',
      text: 'Not scheduled: no calendar rule says "every other Monday at 9", there is nothing that counts every other one. Ask the person which of these they want: cron_expr "0 9 * * 1" (next Mon 7 Dec 2026, 09:00, then Mon 14 Dec 2026, 09:00); or cron_expr "0 9 * * 1#1" (next Mon 7 Dec 2026, 09:00, then Mon 4 Jan 2027, 09:00).',
    });
  });
});

describe('what was made is shown to the person', () => {
  test('and a zone that is only a guess is told', async () => {
    zone = { zone: 'Europe/Berlin', isGuess: true };
    await run(schedule({ at: 'tomorrow 9am' }));
    await run(schedule({ at: 'tomorrow 9am', tz: 'Asia/Tokyo' }));
    await run(schedule({ every_seconds: 600 }));
    expect(confirmed).toEqual([
      ['r1', true],
      ['r2', false],
      ['r3', false],
    ]);
  });

  test('also when the call is repeated after a crash: it is shown once by whoever shows it', async () => {
    const key = { idempotencyKey: 'discord:7:t1:same' };
    await run(schedule({ at: 'tomorrow 9am' }), key);
    await run(schedule({ at: 'tomorrow 9am' }), key);
    expect(confirmed.map(([id]) => id)).toEqual(['r1', 'r1']);
  });
});

describe('what was made is changed', () => {
  const nine = { at: '2026-12-01T09:00' };

  test('in time and words', async () => {
    await run(schedule(nine));
    expect(
      await result({ action: 'edit', id: 'r1', at: 'tomorrow at 10', message: 'call Ann' }),
    ).toMatchObject({
      next: '2026-12-01T10:00:00+01:00',
      message: 'call Ann',
    });
    expect(await records().dueBefore(Number.MAX_SAFE_INTEGER)).toHaveLength(1);
  });

  test('paused it is never due; resumed it goes on with its next time', async () => {
    await run(schedule({ cron_expr: '0 9 * * *' }));
    expect(await result({ action: 'pause', id: 'r1' })).toMatchObject({ paused: true });
    expect(await records().dueBefore(Number.MAX_SAFE_INTEGER)).toEqual([]);
    await clock.advance(3 * 24 * 60 * minute);
    expect(await result({ action: 'resume', id: 'r1' })).toMatchObject({ next: '2026-12-04T09:00:00+01:00' });
  });

  test('one whose only time passed while it was paused is not resumed', async () => {
    await run(schedule(nine));
    await run({ action: 'pause', id: 'r1' });
    await clock.advance(24 * 60 * minute);
    expect(await run({ action: 'resume', id: 'r1' })).toMatchObject({
      kind: 'failed',
      text: expect.stringContaining('has passed meanwhile'),
    });
  });

  test('snoozed, before and after it came', async () => {
    await run(schedule(nine));
    expect(await result({ action: 'snooze', id: 'r1', minutes: 20 })).toMatchObject({
      next: '2026-11-30T19:20:00+01:00',
    });
    const was = await records().get(ann, 'r1');
    if (was === undefined) throw new Error('gone');
    await records().fired(was, undefined);
    await clock.advance(21 * minute);
    expect(await result({ action: 'snooze', id: 'r1', minutes: 20 })).toMatchObject({
      id: 'r2',
      next: '2026-11-30T19:41:00+01:00',
    });
  });

  test('run now, and then as before', async () => {
    await run(schedule({ cron_expr: '0 9 * * *' }));
    expect(await result({ action: 'run_now', id: 'r1' })).toMatchObject({
      next: '2026-11-30T19:00:00+01:00',
    });
  });

  test.each(['edit', 'pause', 'resume', 'snooze', 'run_now', 'cancel'])(
    '%s of what somebody else has finds nothing',
    async (action) => {
      await run(schedule(nine));
      const given = await run({ action, id: 'r1', message: 'x', minutes: 5 }, { user: bob });
      expect(given).toMatchObject({
        kind: 'failed',
        text: expect.stringContaining('no active reminder "r1"'),
      });
    },
  );

  test('cancelled twice, the second time says so', async () => {
    await run(schedule(nine));
    await run({ action: 'cancel', id: 'r1' });
    expect(await run({ action: 'cancel', id: 'r1' })).toMatchObject({ kind: 'failed' });
  });
});

test('how long, how often, to whom and what when it was missed are kept', async () => {
  await run(
    schedule({ at: 'every day at 9', until: '2026-12-24', count: 5, deliver_to: 'dm', misfire: 'skip' }),
  );
  expect(await records().get(ann, 'r1')).toBeUndefined();
  await run(
    schedule({
      at: 'every day at 9',
      until: '2026-12-24T12:00',
      count: 5,
      deliver_to: 'dm',
      misfire: 'skip',
    }),
  );
  expect(await records().get(ann, 'r1')).toMatchObject({
    until: Date.parse('2026-12-24T11:00Z'),
    timesLeft: 5,
    deliverTo: 'dm',
    misfire: 'skip',
    asked: 'every day at 9',
  });
});

describe('a call that is repeated after a crash', () => {
  test('makes no second reminder and is told the same', async () => {
    const key = { idempotencyKey: 'discord:7:t1:same' };
    const first = await result(schedule({ every_seconds: 600 }), key);
    await clock.advance(minute);
    expect(await result(schedule({ every_seconds: 600 }), key)).toEqual(first);
    expect(await records().list(ann)).toHaveLength(1);
  });

  test('is told the same when its time has passed meanwhile and the reminder has fired', async () => {
    const key = { idempotencyKey: 'discord:7:t1:same' };
    const first = await result(schedule({ at: '2026-11-30T19:01' }), key);
    await clock.advance(2 * minute);
    await records().remove(ann, 'r1');
    expect(await result(schedule({ at: '2026-11-30T19:01' }), key)).toEqual(first);
  });
});

describe('whose it is', () => {
  test('another person neither sees nor cancels it', async () => {
    await result(schedule({ at: '2026-12-01T09:00' }));
    expect(await result({ action: 'list' }, { user: bob })).toEqual([]);
    expect(await run({ action: 'cancel', id: 'r1' }, { user: bob })).toEqual({
      kind: 'failed',
      text: 'This person has no active reminder "r1". Action list shows the ids.',
    });
    expect(await result({ action: 'list' })).toHaveLength(1);
  });

  test('a scheduled task can do nothing with reminders', async () => {
    await result(schedule({ at: '2026-12-01T09:00' }));
    const turn = { conversation, address, isScheduled: true };
    for (const args of [
      schedule({ every_seconds: 600 }),
      { action: 'list' },
      { action: 'cancel', id: 'r1' },
    ]) {
      expect(await run(args, { turn })).toEqual({
        kind: 'failed',
        text: 'A scheduled task cannot use cron. Tell the person what to ask for instead.',
      });
    }
    expect(await records().list(ann)).toHaveLength(1);
  });

  test.each([
    ['nobody is answered', { user: undefined }],
    ['there is no place to answer in', { turn: { conversation, address: undefined, isScheduled: false } }],
  ])('when %s there are none', async (_, change) => {
    expect(await run(schedule({ every_seconds: 600 }), change)).toMatchObject({
      kind: 'failed',
      text: expect.stringContaining('nobody is being answered here'),
    });
  });
});

test('the twenty-sixth is refused and says what to do', async () => {
  for (let n = 0; n < maxActiveReminders; n += 1) await result(schedule({ every_seconds: 600 }));
  const refused = await run(schedule({ every_seconds: 600 }));
  expect(refused).toEqual({
    kind: 'failed',
    text: 'Not scheduled: this person has 25 active reminders, the most there may be. One has to be cancelled first; action list shows them.',
  });
  await result({ action: 'cancel', id: ' R3 ' });
  expect(await result(schedule({ every_seconds: 600 }))).toMatchObject({ id: 'r26' });
});

test('a list of long messages stays short', async () => {
  await result(schedule({ cron_expr: '0 9 * * *', message: 'é'.repeat(2_000) }));
  await result(schedule({ every_seconds: 600, kind: 'task' }));
  const [often, daily] = await result({ action: 'list' });
  expect(often).toMatchObject({ id: 'r2', kind: 'task', every_seconds: 600 });
  expect(daily).toMatchObject({ id: 'r1', cron_expr: '0 9 * * *', message: `${'é'.repeat(199)}…` });
});

test('a zone is named as the world spells it, however the model does', async () => {
  const { tz, next } = await result(schedule({ at: '2026-12-01T09:00', tz: 'asia/tokyo' }));
  expect({ tz, next }).toEqual({ tz: 'Asia/Tokyo', next: '2026-12-01T09:00:00+09:00' });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ConversationId, UserId } from '../../src/domain/ids.ts';
import type { DueReminder, Reminder, ReminderDraft } from '../../src/domain/reminder.ts';
import type { DueTime } from '../../src/ports/reminders.ts';
import { type FiringMeans, fireReminder, skipReminder } from '../../src/queue/fire-reminder.ts';
import { redisReminders } from '../../src/store/redis/reminders.ts';
import { readSchedule } from '../../src/time/read-schedule.ts';
import { isoTime } from '../../src/time/zone.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { startTestRedis, type TestRedis } from '../support/redis/redis.ts';

const ann = UserId('discord:1');
const hour = 3_600_000;
const day = 24 * hour;
const berlin = 'Europe/Berlin';

let server: TestRedis;
let clock: ManualClock;
let alarms: DueTime[];
let delivered: string[];
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());
beforeEach(async () => {
  await server.clear();
  alarms = [];
  delivered = [];
});

function means(change: Partial<FiringMeans> = {}): FiringMeans {
  return {
    records: redisReminders(server.redis),
    alarms: { set: async (times) => void alarms.push(...times) },
    clock,
    onDue: async ({ reminder, dueAt }: DueReminder) => {
      delivered.push(isoTime(dueAt, reminder.tz));
      return 'told';
    },
    log: quietLog,
    ...change,
  };
}

/** A reminder whose alarm is the only one that is set. It is now the time when it is due. */
async function due(schedule: ReminderDraft['schedule'], at: string, tz = berlin): Promise<Reminder> {
  const nextAt = Date.parse(at);
  clock = manualClock(nextAt);
  const draft: ReminderDraft = {
    owner: ann,
    conversation: ConversationId('discord:7'),
    address: { surface: 'discord', place: '7' },
    kind: 'reminder',
    message: 'redo chapter 3',
    schedule,
    tz,
    nextAt,
  };
  const reminder = await means().records.add(draft, crypto.randomUUID(), nextAt - day);
  if (reminder === 'full') throw new Error('full');
  alarms = [{ owner: ann, id: reminder.id, dueAt: nextAt }];
  return reminder;
}

/** Rings every alarm that is due, in order, as one worker would. */
async function ringUntil(time: string): Promise<void> {
  await clock.advance(Date.parse(time) - clock.now());
  for (let next = alarms.shift(); next !== undefined; next = alarms.shift()) {
    if (next.dueAt > clock.now()) return void alarms.unshift(next);
    await fireReminder(next, means());
  }
}

const daily = { kind: 'cron', expr: '30 2 * * *', tz: berlin } as const;

test('a one-off is delivered and gone', async () => {
  const reminder = await due({ kind: 'at', at: Date.parse('2026-12-01T08:00Z') }, '2026-12-01T08:00Z');
  await ringUntil('2026-12-01T08:00Z');
  expect(delivered).toEqual(['2026-12-01T09:00:00+01:00']);
  expect(alarms).toEqual([]);
  expect(await means().records.list(reminder.owner)).toEqual([]);
});

test('a daily one comes once a day, over both changes of the clocks', async () => {
  await due(daily, '2026-03-28T01:30Z');
  for (const now of ['2026-03-28T12:00Z', '2026-03-29T12:00Z', '2026-03-30T12:00Z']) await ringUntil(now);
  await due(daily, '2026-10-24T00:30Z');
  for (const now of ['2026-10-24T12:00Z', '2026-10-25T12:00Z', '2026-10-26T12:00Z']) await ringUntil(now);
  expect(delivered).toEqual([
    '2026-03-28T02:30:00+01:00',
    '2026-03-29T03:30:00+02:00',
    '2026-03-30T02:30:00+02:00',
    '2026-10-24T02:30:00+02:00',
    '2026-10-25T02:30:00+02:00',
    '2026-10-26T02:30:00+01:00',
  ]);
});

test('a monthly and a yearly one wait longer than a timer could', async () => {
  await due({ kind: 'cron', expr: '0 9 29 2 *', tz: 'Asia/Kolkata' }, '2024-02-29T03:30Z', 'Asia/Kolkata');
  await ringUntil('2024-02-29T03:30Z');
  expect(alarms.map(({ dueAt }) => isoTime(dueAt, 'Asia/Kolkata'))).toEqual(['2028-02-29T09:00:00+05:30']);
});

test('every hour is counted from due time to due time, however late each was delivered', async () => {
  await due({ kind: 'every', everyMs: hour }, '2026-12-01T08:00Z');
  for (const now of ['2026-12-01T08:10Z', '2026-12-01T09:10Z', '2026-12-01T10:00Z']) await ringUntil(now);
  expect(delivered).toEqual([
    '2026-12-01T09:00:00+01:00',
    '2026-12-01T10:00:00+01:00',
    '2026-12-01T11:00:00+01:00',
  ]);
});

test('after three days away a daily one comes late, once, for its last due time, and goes on', async () => {
  await due(daily, '2026-12-01T01:30Z');
  await ringUntil('2026-12-04T10:00Z');
  expect(delivered).toEqual(['2026-12-04T02:30:00+01:00']);
  expect(alarms.map(({ dueAt }) => isoTime(dueAt, berlin))).toEqual(['2026-12-05T02:30:00+01:00']);
});

test('a one-off missed for three days still comes', async () => {
  await due({ kind: 'at', at: Date.parse('2026-12-01T08:00Z') }, '2026-12-01T08:00Z');
  await ringUntil('2026-12-04T10:00Z');
  expect(delivered).toEqual(['2026-12-01T09:00:00+01:00']);
});

test('nothing fires before its time: evening reminders at a restart in the afternoon', async () => {
  const saoPaulo = 'America/Sao_Paulo';
  await due({ kind: 'cron', expr: '0 20 * * *', tz: saoPaulo }, '2026-11-30T23:00Z', saoPaulo);
  await ringUntil('2026-11-30T23:00Z');
  delivered = [];
  await ringUntil('2026-12-01T20:12Z'); // 17:12 there
  expect(delivered).toEqual([]);
  await ringUntil('2026-12-01T23:00Z');
  expect(delivered).toEqual(['2026-12-01T20:00:00-03:00']);
});

test('an alarm that rings twice delivers once', async () => {
  const reminder = await due(daily, '2026-12-01T01:30Z');
  const alarm = { owner: ann, id: reminder.id, dueAt: reminder.nextAt };
  await fireReminder(alarm, means());
  await fireReminder(alarm, means());
  expect(delivered).toHaveLength(1);
  expect(alarms.filter(({ dueAt }) => dueAt !== reminder.nextAt)).toHaveLength(1);
});

test('an alarm for a reminder that is gone, or was never there, does nothing', async () => {
  const reminder = await due(daily, '2026-12-01T01:30Z');
  await means().records.remove(ann, reminder.id);
  await fireReminder({ owner: ann, id: reminder.id, dueAt: reminder.nextAt }, means());
  await fireReminder({ owner: ann, id: 'r9', dueAt: reminder.nextAt }, means());
  expect(delivered).toEqual([]);
});

test('a process that dies after the delivery is followed by one that delivers under the same name', async () => {
  const reminder = await due(daily, '2026-12-01T01:30Z');
  const alarm = { owner: ann, id: reminder.id, dueAt: reminder.nextAt };
  const { records } = means();
  const dying = { ...records, fired: () => Promise.reject(new Error('killed')) };
  await expect(fireReminder(alarm, means({ records: dying }))).rejects.toThrow('killed');
  alarms = [];
  await clock.advance(hour);
  await fireReminder(alarm, means());
  expect(delivered).toEqual(['2026-12-01T02:30:00+01:00', '2026-12-01T02:30:00+01:00']);
  expect(alarms).toHaveLength(1);
});

test('a process that dies between the record and its next alarm leaves what the sweep looks for', async () => {
  const reminder = await due(daily, '2026-12-01T01:30Z');
  const alarm = { owner: ann, id: reminder.id, dueAt: reminder.nextAt };
  const set = () => Promise.reject(new Error('killed'));
  await expect(fireReminder(alarm, means({ alarms: { set } }))).rejects.toThrow('killed');
  expect(await means().records.dueBefore(reminder.nextAt + 2 * day)).toEqual([
    { ...alarm, dueAt: reminder.nextAt + day },
  ]);
});

test('a delivery that fails leaves the due time standing, and giving it up leaves the later ones', async () => {
  const reminder = await due(daily, '2026-12-01T01:30Z');
  const alarm = { owner: ann, id: reminder.id, dueAt: reminder.nextAt };
  const onDue = () => Promise.reject(new Error('surface away'));
  await expect(fireReminder(alarm, means({ onDue }))).rejects.toThrow('surface away');
  expect(await means().records.get(ann, reminder.id)).toEqual(reminder);
  await skipReminder(alarm, means());
  expect((await means().records.get(ann, reminder.id))?.nextAt).toBe(reminder.nextAt + day);
  expect(delivered).toEqual([]);
});

test('a reminder cancelled while it is delivered does not come again', async () => {
  const reminder = await due(daily, '2026-12-01T01:30Z');
  alarms = [];
  const { records } = means();
  const onDue = async () => {
    await records.remove(ann, reminder.id);
    return 'told' as const;
  };
  await fireReminder({ owner: ann, id: reminder.id, dueAt: reminder.nextAt }, means({ onDue }));
  expect(alarms).toEqual([]);
  expect(await records.list(ann)).toEqual([]);
});

describe('an end that was set', () => {
  const morning = { kind: 'cron', expr: '0 9 * * *', tz: berlin } as const;
  const change = async (reminder: Reminder, more: Partial<Reminder>) => {
    await means().records.replace(reminder, { ...reminder, ...more });
  };

  test('after so many times', async () => {
    await change(await due(morning, '2026-12-01T08:00Z'), { timesLeft: 2 });
    await ringUntil('2026-12-05T12:00Z');
    await ringUntil('2026-12-06T12:00Z');
    // Away for days: the last of those that were missed, and one more.
    expect(delivered).toEqual(['2026-12-05T09:00:00+01:00', '2026-12-06T09:00:00+01:00']);
    expect(await means().records.list(ann)).toEqual([]);
  });

  test('at a time: nothing later comes, also when it was missed', async () => {
    await change(await due(morning, '2026-12-01T08:00Z'), { until: Date.parse('2026-12-02T12:00Z') });
    await ringUntil('2026-12-05T12:00Z');
    expect(delivered).toEqual(['2026-12-02T09:00:00+01:00']);
    expect(await means().records.list(ann)).toEqual([]);
  });

  test('what may be left out is left out when it was missed, and comes the next time', async () => {
    await change(await due(morning, '2026-12-01T08:00Z'), { misfire: 'skip' });
    await ringUntil('2026-12-01T08:02Z');
    expect(delivered).toEqual([]);
    await ringUntil('2026-12-02T08:00Z');
    expect(delivered).toEqual(['2026-12-02T09:00:00+01:00']);
  });
});

test('what is paused does not come, although its alarm rings', async () => {
  const reminder = await due(daily, '2026-12-01T01:30Z');
  await means().records.replace(reminder, { ...reminder, isPaused: true });
  await ringUntil('2026-12-01T12:00Z');
  expect(delivered).toEqual([]);
  expect(await means().records.list(ann)).toHaveLength(1);
});

describe('the clock of the server is set back an hour', () => {
  test('after it came: it does not come again', async () => {
    const reminder = await due(daily, '2026-12-01T01:30Z');
    await ringUntil('2026-12-01T01:30Z');
    clock = manualClock(reminder.nextAt - hour);
    await fireReminder({ owner: ann, id: reminder.id, dueAt: reminder.nextAt }, means());
    expect(delivered).toEqual(['2026-12-01T02:30:00+01:00']);
    expect(alarms.map(({ dueAt }) => isoTime(dueAt, berlin))).toEqual(['2026-12-02T02:30:00+01:00']);
  });

  test('before it comes: an alarm that rings too early does nothing, and the sweep sets it again', async () => {
    const reminder = await due(daily, '2026-12-01T01:30Z');
    clock = manualClock(reminder.nextAt - hour);
    const alarm = { owner: ann, id: reminder.id, dueAt: reminder.nextAt };
    await fireReminder(alarm, means());
    expect(delivered).toEqual([]);
    expect(await means().records.dueBefore(reminder.nextAt + 1)).toEqual([alarm]);
  });
});

test('what has no place left to be said in is ended, with a line in the log', async () => {
  const reminder = await due(daily, '2026-12-01T01:30Z');
  const lines: string[] = [];
  const log = { ...quietLog, warn: (_: object, line: string) => void lines.push(line) };
  const onDue = async () => 'unreachable' as const;
  const alarm = { owner: ann, id: reminder.id, dueAt: reminder.nextAt };
  alarms = [];
  await fireReminder(alarm, means({ onDue, log }));
  await fireReminder(alarm, means({ onDue, log }));
  expect(lines).toEqual(['a reminder has no place left to be said in, and is ended']);
  expect(alarms).toEqual([]);
  expect(await means().records.list(ann)).toEqual([]);
});

describe.each(['UTC', 'America/New_York', 'Asia/Kolkata'])(
  'made at nine in Berlin on a server in %s',
  (where) => {
    const before = process.env['TZ'];
    beforeEach(() => void (process.env['TZ'] = where));
    afterEach(() => {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    });

    /** Made as people write it; its alarm is the only one that is set. */
    async function madeOn(date: string, when: string): Promise<void> {
      const now = Date.parse(date);
      const read = readSchedule(when, 'reminder', { tz: berlin, now });
      if (read.kind !== 'read') throw new Error(read.kind);
      await due(read.schedule, new Date(read.nextAt).toISOString());
      clock = manualClock(now);
    }

    test.each([
      ['2027-03-26T12:00Z', '2027-03-27T09:00:00+01:00', '2027-03-28T09:00:00+02:00'],
      ['2027-10-29T12:00Z', '2027-10-30T09:00:00+02:00', '2027-10-31T09:00:00+01:00'],
    ])('it comes at nine, before and after the clocks change (%s)', async (date, ...expected) => {
      await madeOn(date, 'every day at 9');
      for (const at of expected) {
        await ringUntil(new Date(Date.parse(at) - 1).toISOString());
        expect(delivered).not.toContain(at);
        await ringUntil(at);
      }
      expect(delivered).toEqual(expected);
    });

    test.each([
      ['2027-02-01T12:00Z', 'in 60 days at 9', '2027-04-02T09:00:00+02:00'],
      ['2027-09-10T12:00Z', 'in 60 days at 9', '2027-11-09T09:00:00+01:00'],
      ['2027-03-20T12:00Z', '28 March 2027 at 9', '2027-03-28T09:00:00+02:00'],
    ])('%s: "%s" comes at %s, once', async (date, when, expected) => {
      await madeOn(date, when);
      await ringUntil(new Date(Date.parse(expected) - 1).toISOString());
      expect(delivered).toEqual([]);
      await ringUntil(expected);
      await ringUntil(new Date(Date.parse(expected) + 24 * hour).toISOString());
      expect(delivered).toEqual([expected]);
    });
  },
);

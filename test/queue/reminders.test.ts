// Reminders on a real Redis and a real BullMQ. BullMQ keeps the real time, so what is to fire here is due at once or in a moment.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ConversationId, UserId } from '../../src/domain/ids.ts';
import type { DueReminder, Reminder, ReminderDraft } from '../../src/domain/reminder.ts';
import { systemClock } from '../../src/observe/clock.ts';
import type { Reminders } from '../../src/ports/reminders.ts';
import {
  bullReminderAlarms,
  type ReminderAlarms,
  waitBeforeAttempt,
} from '../../src/queue/reminder-alarms.ts';
import { type ReminderWorker, startReminderWorker } from '../../src/queue/reminder-worker.ts';
import { queuedReminders } from '../../src/queue/reminders.ts';
import { redisReminders } from '../../src/store/redis/reminders.ts';
import { quietLog } from '../support/quiet-log.ts';
import { startTestRedis, type TestRedis } from '../support/redis/redis.ts';

const ann = UserId('discord:1');
const day = 24 * 3_600_000;
const now = () => Date.now();

let server: TestRedis;
let closing: (() => Promise<unknown>)[];
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());
beforeEach(async () => {
  await server.clear();
  closing = [];
});
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
});

/** Everything that one process has, but for its worker. */
function open(on = server): { reminders: Reminders; alarms: ReminderAlarms; queue: Queue } {
  const alarms = bullReminderAlarms(on.redis, now);
  const queue = new Queue('reminders', { connection: on.redis, prefix: '{docent}' });
  closing.push(
    () => alarms.close(),
    () => queue.close(),
  );
  const records = redisReminders(on.redis);
  return {
    reminders: queuedReminders({ records, alarms, clock: systemClock, log: quietLog }),
    alarms,
    queue,
  };
}

async function startWorker(
  onDue: (due: DueReminder) => Promise<unknown>,
  on = server,
): Promise<ReminderWorker> {
  const worker = await startReminderWorker({
    connection: on.connect(),
    records: redisReminders(on.redis),
    alarms: open(on).alarms,
    clock: systemClock,
    lockMs: 15_000,
    log: quietLog,
    onDue: async (due) => {
      await onDue(due);
      return 'told';
    },
  });
  closing.push(() => worker.close());
  return worker;
}

/** Collects deliveries; \`until\` resolves when there are so many. */
function deliveries() {
  const delivered: string[] = [];
  let check = () => {};
  return {
    delivered,
    onDue: async ({ reminder }: DueReminder) => {
      delivered.push(reminder.message);
      check();
    },
    until: (count: number) =>
      new Promise<void>((resolve) => {
        check = () => {
          if (delivered.length >= count) resolve();
        };
        check();
      }),
  };
}

function draft(message: string, nextAt: number, change: Partial<ReminderDraft> = {}): ReminderDraft {
  return {
    owner: ann,
    conversation: ConversationId('discord:7'),
    address: { surface: 'discord', place: '7' },
    kind: 'reminder',
    message,
    schedule: { kind: 'at', at: nextAt },
    tz: 'Europe/Berlin',
    nextAt,
    ...change,
  };
}

async function add(reminders: Reminders, ...given: Parameters<typeof draft>): Promise<Reminder> {
  const reminder = await reminders.add(draft(...given), crypto.randomUUID());
  if (reminder === 'full') throw new Error('full');
  return reminder;
}

const alarmTimes = async (queue: Queue) =>
  (await queue.getDelayed()).map(({ timestamp, delay }) => timestamp + delay).toSorted((a, b) => a - b);

test('a reminder in a moment fires, although others are due in weeks and years', async () => {
  const { reminders, queue } = open();
  const inWeeks = now() + 40 * day;
  const inYears = now() + 4 * 366 * day;
  await add(reminders, 'in years', inYears);
  await add(reminders, 'in weeks', inWeeks);
  const { delivered, onDue, until } = deliveries();
  await startWorker(onDue);
  await add(reminders, 'in a moment', now() + 200);
  await until(1);
  expect(delivered).toEqual(['in a moment']);
  expect(await alarmTimes(queue)).toEqual([inWeeks, inYears]);
  expect((await reminders.list(ann)).map(({ message }) => message)).toEqual(['in weeks', 'in years']);
});

test('what came due while nothing ran is delivered by the next worker', async () => {
  const { reminders } = open();
  for (const minutes of [10, 30, 20]) await add(reminders, `${minutes} min ago`, now() - minutes * 60_000);
  const { delivered, onDue, until } = deliveries();
  await startWorker(onDue);
  await until(3);
  expect(delivered.toSorted()).toEqual(['10 min ago', '20 min ago', '30 min ago']);
});

test('four workers deliver forty reminders once each', async () => {
  const { reminders } = open();
  const soon = now() + 300;
  for (let n = 0; n < 40; n += 1) {
    await add(reminders, `no ${n}`, soon + n, { owner: UserId(`discord:${n % 4}`) });
  }
  const { delivered, onDue, until } = deliveries();
  const workers = await Promise.all(Array.from({ length: 4 }, () => startWorker(onDue)));
  await until(40);
  await Promise.all(workers.map((worker) => worker.close()));
  expect(new Set(delivered).size).toBe(40);
  expect(delivered).toHaveLength(40);
});

test('a repeating reminder has one alarm, however many workers start at once and however often', async () => {
  const { reminders, alarms, queue } = open();
  const nextAt = now() + 2_000;
  const hourly = { kind: 'every', everyMs: 3_600_000 } as const;
  await add(reminders, 'hourly', nextAt, { schedule: hourly });
  const records = redisReminders(server.redis);
  const sweep = async () => alarms.set(await records.dueBefore(nextAt + day));
  const { delivered, onDue, until } = deliveries();
  await Promise.all(Array.from({ length: 50 }, sweep));
  const workers = await Promise.all(Array.from({ length: 4 }, () => startWorker(onDue)));
  expect(await alarmTimes(queue)).toEqual([nextAt]);

  await until(1);
  await Promise.all(workers.map((worker) => worker.close()));
  await Promise.all(Array.from({ length: 50 }, sweep));
  expect(delivered).toEqual(['hourly']);
  expect(await alarmTimes(queue)).toEqual([nextAt + hourly.everyMs]);
});

test('an alarm that was never set, or got lost, is set by the next sweep', async () => {
  const { reminders, queue } = open();
  await add(reminders, 'lost', now() + 100);
  await queue.obliterate({ force: true });
  const { delivered, onDue, until } = deliveries();
  await startWorker(onDue);
  await until(1);
  expect(delivered).toEqual(['lost']);
});

test('removal takes the alarm away; the same again in the same moment has an alarm of its own', async () => {
  const { reminders, queue } = open();
  const at = now() + day;
  const first = await add(reminders, 'first', at);
  const [removed, second] = await Promise.all([
    reminders.remove(ann, first.id),
    add(reminders, 'second', at),
  ]);
  expect(removed).toBe(true);
  expect(await alarmTimes(queue)).toEqual([at]);
  expect(await reminders.list(ann)).toEqual([second]);
  expect(await reminders.remove(ann, first.id)).toBe(false);
  expect(await reminders.remove(ann, second.id)).toBe(true);
  expect(await alarmTimes(queue)).toEqual([]);
});

test('one request makes one alarm, and its repetition sets it when it is missing', async () => {
  const { reminders, queue } = open();
  const at = now() + day;
  await reminders.add(draft('once', at), 'talk:turn:call');
  await queue.obliterate({ force: true });
  await reminders.add(draft('once', at), 'talk:turn:call');
  await reminders.add(draft('once', at), 'talk:turn:call');
  expect(await alarmTimes(queue)).toEqual([at]);
});

test('a delivery that fails is tried again', async () => {
  const { reminders } = open();
  await add(reminders, 'stubborn', now() - 1_000);
  const { delivered, onDue, until } = deliveries();
  let tries = 0;
  await startWorker(async (due) => {
    tries += 1;
    if (tries === 1) throw new Error('surface away');
    await onDue(due);
  });
  await until(1);
  expect(delivered).toEqual(['stubborn']);
  expect(tries).toBe(2);
});

test('the tries wait a second at first and ten minutes at most, for about three days', () => {
  expect([1, 2, 3, 10, 11, 440].map(waitBeforeAttempt)).toEqual([1e3, 2e3, 4e3, 512e3, 600e3, 600e3]);
});

test('an alarm of another version is dropped and set again', async () => {
  const { reminders, queue } = open();
  await queue.add('reminder', { reminderId: 'old' });
  await add(reminders, 'now', now() - 1);
  const { delivered, onDue, until } = deliveries();
  await startWorker(onDue);
  await until(1);
  expect(delivered).toEqual(['now']);
});

test('a Redis that dies and comes back has its reminders and their alarms', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-kept-'));
  const kept = ['--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always'];
  const before = await startTestRedis(kept);
  const at = now() + 40 * day;
  const atOnce = open(before);
  await add(atOnce.reminders, 'in weeks', at);
  await add(atOnce.reminders, 'at once', now() - 1);
  for (const close of closing.splice(0)) await close();
  await before.close();

  const after = await startTestRedis(kept);
  const { delivered, onDue, until } = deliveries();
  await startWorker(onDue, after);
  await until(1);
  const { reminders, queue } = open(after);
  expect(await alarmTimes(queue)).toEqual([at]);
  expect(delivered).toEqual(['at once']);
  expect((await reminders.list(ann)).map(({ message }) => message)).toEqual(['in weeks']);
  for (const close of closing.splice(0).toReversed()) await close();
  await after.close();
  rmSync(folder, { recursive: true, force: true });
});

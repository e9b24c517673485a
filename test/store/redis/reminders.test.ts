import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ConversationId, UserId } from '../../../src/domain/ids.ts';
import { maxActiveReminders, type Reminder, type ReminderDraft } from '../../../src/domain/reminder.ts';
import { reminderKeys } from '../../../src/store/redis/keys.ts';
import { redisReminders } from '../../../src/store/redis/reminders.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const ann = UserId('discord:1');
const bob = UserId('discord:2');
const nine = Date.parse('2026-12-01T09:00Z');
const day = 24 * 3_600_000;

let server: TestRedis;
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());
beforeEach(() => server.clear());

const open = () => redisReminders(server.redis);

function draft(change: Partial<ReminderDraft> = {}): ReminderDraft {
  return {
    owner: ann,
    conversation: ConversationId('discord:7'),
    address: { surface: 'discord', place: '7', replyTo: '70', locale: 'de' },
    kind: 'reminder',
    message: 'redo chapter 3',
    schedule: { kind: 'cron', expr: '0 9 * * *', tz: 'Europe/Berlin' },
    tz: 'Europe/Berlin',
    nextAt: nine,
    ...change,
  };
}

async function made(
  change: Partial<ReminderDraft> = {},
  key: string = crypto.randomUUID(),
): Promise<Reminder> {
  const reminder = await open().add(draft(change), key, nine - day);
  if (reminder === 'full') throw new Error('full');
  return reminder;
}

test('what was added is found again, whole, and only by its owner', async () => {
  const reminder = await made();
  expect(reminder).toEqual({ ...draft(), id: 'r1', createdAt: nine - day });
  expect(await open().get(ann, 'r1')).toEqual(reminder);
  expect(await open().list(ann)).toEqual([reminder]);
  expect(await open().get(bob, 'r1')).toBeUndefined();
  expect(await open().list(bob)).toEqual([]);
});

test('ids count up per person and are never used again', async () => {
  expect([(await made()).id, (await made()).id, (await made({ owner: bob })).id]).toEqual(['r1', 'r2', 'r1']);
  await open().remove(ann, 'r2');
  await open().remove(ann, 'r1');
  expect((await made()).id).toBe('r3');
});

test('the list is in the order of the due times', async () => {
  await made({ nextAt: nine + day });
  await made({ nextAt: nine });
  expect((await open().list(ann)).map(({ id }) => id)).toEqual(['r2', 'r1']);
});

describe('one request makes one reminder', () => {
  test('however often and from however many processes it comes', async () => {
    const added = await Promise.all(Array.from({ length: 10 }, () => made({}, 'talk:turn:call')));
    expect(new Set(added.map(({ id }) => id))).toEqual(new Set(['r1']));
    expect(await open().list(ann)).toHaveLength(1);
    expect(await open().made('talk:turn:call')).toEqual(added[0]);
    expect(await open().made('talk:turn:other')).toBeUndefined();
  });

  test('also when it has fired or was removed since', async () => {
    const first = await made({}, 'talk:turn:call');
    await open().remove(ann, first.id);
    expect(await made({}, 'talk:turn:call')).toEqual(first);
    expect(await open().list(ann)).toEqual([]);
  });
});

test('a person has at most 25, also among simultaneous requests, and others are not concerned', async () => {
  const add = () => open().add(draft(), crypto.randomUUID(), nine);
  const added = await Promise.all(Array.from({ length: 40 }, add));
  expect(added.filter((each) => each === 'full')).toHaveLength(40 - maxActiveReminders);
  expect(await open().list(ann)).toHaveLength(maxActiveReminders);
  expect((await made({ owner: bob })).id).toBe('r1');
  await open().remove(ann, 'r4');
  expect((await made()).id).toBe(`r${maxActiveReminders + 1}`);
});

describe('removal', () => {
  test('takes the reminder out once and gives it back', async () => {
    const reminder = await made();
    expect(await open().remove(bob, 'r1')).toBeUndefined();
    expect(await open().remove(ann, 'r1')).toEqual(reminder);
    expect(await open().remove(ann, 'r1')).toBeUndefined();
    expect(await open().dueBefore(nine + day)).toEqual([]);
  });

  test.each(['last', 'r', 'r1 ', '', 'R1', '__proto__'])('of %j finds nothing', async (id) => {
    await made();
    expect(await open().remove(ann, id)).toBeUndefined();
    expect(await open().get(ann, id)).toBeUndefined();
    expect((await made()).id).toBe('r2');
  });
});

describe('moving on', () => {
  test('changes the due time everywhere', async () => {
    const reminder = await made();
    expect(await open().replace(reminder, { ...reminder, nextAt: nine + day })).toBe(true);
    expect(await open().get(ann, 'r1')).toEqual({ ...reminder, nextAt: nine + day });
    expect(await open().dueBefore(nine + 2 * day)).toEqual([{ owner: ann, id: 'r1', dueAt: nine + day }]);
  });

  test('without a next time the reminder is over', async () => {
    expect(await open().replace(await made(), undefined)).toBe(true);
    expect(await open().list(ann)).toEqual([]);
    expect(await open().dueBefore(nine + day)).toEqual([]);
  });

  test('happens once among simultaneous attempts', async () => {
    const reminder = await made();
    const moved = await Promise.all(
      Array.from({ length: 10 }, () => open().replace(reminder, { ...reminder, nextAt: nine + day })),
    );
    expect(moved.filter(Boolean)).toHaveLength(1);
  });

  test('keeps what was said, also when that was the last time', async () => {
    const reminder = await made();
    await open().replace(reminder, { ...reminder, nextAt: nine + 1 });
    expect(await open().said(ann, 'r1')).toBeUndefined();
    const later = { ...reminder, nextAt: nine + 1 };
    expect(await open().fired(later, undefined)).toBe(true);
    expect(await open().said(ann, 'r1')).toEqual(later);
    expect(await open().said(bob, 'r1')).toBeUndefined();
    expect(await server.redis.ttl(reminderKeys.said(ann, 'r1'))).toBeGreaterThan(29 * 24 * 3_600);
  });

  test('a paused one keeps its place and is never due', async () => {
    const reminder = await made();
    const paused = { ...reminder, isPaused: true } as const;
    expect(await open().replace(reminder, paused)).toBe(true);
    expect(await open().dueBefore(nine + day)).toEqual([]);
    expect(await open().list(ann)).toEqual([paused]);
    expect(await open().replace(reminder, undefined)).toBe(false);
    expect(await open().replace(paused, reminder)).toBe(true);
    expect(await open().dueBefore(nine + day)).toHaveLength(1);
  });

  test('does not bring back what was removed', async () => {
    const reminder = await made();
    await open().remove(ann, 'r1');
    expect(await open().replace(reminder, { ...reminder, nextAt: nine + day })).toBe(false);
    expect(await open().list(ann)).toEqual([]);
  });
});

test('what is due before a time, longest overdue first; the time itself does not count', async () => {
  await made({ nextAt: nine + 2 });
  await made({ nextAt: nine + 1 });
  await made({ owner: UserId('web:a b'), nextAt: nine });
  expect(await open().dueBefore(nine + 2)).toEqual([
    { owner: UserId('web:a b'), id: 'r1', dueAt: nine },
    { owner: ann, id: 'r2', dueAt: nine + 1 },
  ]);
});

test('a record of another version is a readable error', async () => {
  await made();
  await server.redis.hset(reminderKeys.of(ann), 'r1', '{"kind":"alarm"}');
  await expect(open().get(ann, 'r1')).rejects.toThrow(
    'reminder r1 cannot be read; the version that wrote it can: {"kind":"alarm"}',
  );
});

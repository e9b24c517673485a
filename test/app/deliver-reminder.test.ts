// What becomes of a reminder whose time has come: where it is said, and what when there is no such place any more.
import { beforeEach, describe, expect, test } from 'vitest';
import { deliverReminder } from '../../src/app/deliver-reminder.ts';
import { ConversationId, type TurnId, UserId } from '../../src/domain/ids.ts';
import type { Reminder } from '../../src/domain/reminder.ts';
import type { Screens, ToldWith } from '../../src/ports/screen.ts';
import { reminderWords } from '../../src/reminders/words.ts';
import { memoryConversations } from '../../src/store/memory.ts';
import { spokenTime } from '../../src/time/zone.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';

const conversation = ConversationId('discord:7');
const dueAt = Date.UTC(2026, 11, 1, 8);
const hour = 3_600_000;

let clock: ManualClock;
let conversations: ReturnType<typeof memoryConversations>;
let woken: string[];
/** What was said, by the name of its turn and its slot: said again, it is the same message. */
let said: Map<string, { readonly text: string; readonly more: ToldWith }>;
let isPlaceGone: boolean;
let isOwnerAway: boolean;
beforeEach(() => {
  clock = manualClock(dueAt);
  conversations = memoryConversations(clock);
  woken = [];
  said = new Map();
  isPlaceGone = false;
  isOwnerAway = false;
});

function toldIn(turn: TurnId) {
  return async (slot: string, text: string, more: ToldWith = {}) => {
    const isHere = more.reach !== 'direct' && !isPlaceGone;
    const isDirect = more.reach !== 'here' && more.calls !== undefined && !isOwnerAway;
    if (isHere || isDirect) said.set(`${turn} ${slot}`, { text, more });
    return isHere || isDirect;
  };
}

const screens = {
  open: ({ turn }: { readonly turn: TurnId }) => ({ tell: toldIn(turn) }),
} as unknown as Screens;

const reminder = (change: Partial<Reminder> = {}): Reminder => ({
  id: 'r1',
  owner: UserId('discord:1'),
  conversation,
  address: { surface: 'discord', place: '7' },
  kind: 'reminder',
  message: 'redo chapter 3',
  schedule: { kind: 'at', at: dueAt },
  tz: 'Europe/Berlin',
  nextAt: dueAt,
  createdAt: 0,
  ...change,
});

const deliver = (change: Partial<Reminder> = {}) =>
  deliverReminder(
    {
      conversations,
      screens,
      clock,
      queue: { wake: async (id) => void woken.push(id), stop: async () => {} },
      viewFor: async ({ reminder: { tz } }) => ({
        words: reminderWords('en'),
        dialect: { time: (at, zone = tz) => spokenTime(at, zone), text: (words) => words },
      }),
    },
    { reminder: reminder(change), dueAt },
  );
const texts = () => [...said.values()].map(({ text }) => text);
const inbox = async () => (await conversations.inboxOf(conversation)).map(({ kind }) => kind);

describe('a reminder', () => {
  test('is said once, however often it is delivered, to its owner, and the model has a note of it', async () => {
    expect(await deliver()).toBe('told');
    expect(await deliver()).toBe('told');
    expect(texts()).toEqual(['⏰ redo chapter 3']);
    expect([...said.values()][0]?.more.calls).toBe('discord:1');
    expect(await inbox()).toEqual(['note']);
    expect(woken).toEqual([]);
  });

  test('ten minutes late says when it was due', async () => {
    await clock.advance(hour / 6);
    await deliver();
    expect(texts()).toEqual(['⏰ redo chapter 3 (due Tue 1 Dec 2026, 09:00)']);
  });

  test('three days late is told as missed', async () => {
    await clock.advance(72 * hour);
    await deliver();
    expect(texts()).toEqual(['⏰ I was away Tue 1 Dec 2026, 09:00, when this was due: redo chapter 3']);
  });

  test('whose place is gone reaches its owner, and nobody when there is no way', async () => {
    isPlaceGone = true;
    expect(await deliver()).toBe('told');
    isOwnerAway = true;
    expect(await deliver({ id: 'r2' })).toBe('unreachable');
    expect(texts()).toHaveLength(1);
  });

  test('for its owner alone is not said in the channel, and the model there hears nothing of it', async () => {
    await deliver({ deliverTo: 'dm' });
    expect([...said.values()][0]?.more.reach).toBe('direct');
    expect(await inbox()).toEqual([]);
  });
});

describe('a task', () => {
  test('says that it begins, and opens one turn, however often it is delivered', async () => {
    await deliver({ kind: 'task' });
    await deliver({ kind: 'task' });
    expect(texts()).toEqual(['⏰ redo chapter 3']);
    expect(await inbox()).toEqual(['next']);
    expect(woken).toEqual([conversation]);
  });

  test('whose place is gone is ended, and its owner told: nobody could read what it says', async () => {
    isPlaceGone = true;
    expect(await deliver({ kind: 'task' })).toBe('unreachable');
    expect(texts()).toEqual([
      '⏰ The place where you gave me this task is gone, so I have ended it: redo chapter 3',
    ]);
    expect(await inbox()).toEqual([]);
  });

  test('missed for more than a day is not begun', async () => {
    await clock.advance(25 * hour);
    expect(await deliver({ kind: 'task' })).toBe('told');
    expect(texts()[0]).toMatch(/have not done it: redo chapter 3$/);
    expect(await inbox()).toEqual(['note']);
    expect(woken).toEqual([]);
  });
});

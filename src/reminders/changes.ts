/** What a reminder becomes when somebody changes it. Pure; times in milliseconds since 1970. */
import type { Reminder, ReminderDraft, Schedule } from '../domain/reminder.ts';
import { nextTime } from '../time/schedule.ts';
import { instantOf, wallTime } from '../time/zone.ts';

const minuteMs = 60_000;
const dayMs = 24 * 3_600_000;

/** Another time, or other words. */
export function edited(
  was: Reminder,
  change: {
    readonly message?: string;
    readonly when?: { readonly schedule: Schedule; readonly nextAt: number };
    /** How the person wrote it, where it repeats. */
    readonly asked?: string;
    readonly tz?: string;
  },
): Reminder {
  const { message = was.message, when, tz = was.tz } = change;
  if (when === undefined) return { ...was, message };
  const asked = when.schedule.kind === 'at' ? undefined : change.asked;
  const now = { ...was, ...when, message, tz };
  delete now.asked;
  return asked === undefined ? now : { ...now, asked };
}

export function paused(was: Reminder): Reminder {
  return { ...was, isPaused: true };
}

/** Undefined: its only time has passed meanwhile. */
export function resumed({ isPaused, ...was }: Reminder, at: number): Reminder | undefined {
  if (isPaused !== true || was.nextAt > at) return was;
  const nextAt = nextTime(was.schedule, at);
  return nextAt === undefined ? undefined : { ...was, nextAt };
}

/** What was said comes once more. `by`: minutes, or `tomorrow` at the time of day it was due. */
export function snoozed(said: Reminder, by: number | 'tomorrow', at: number): ReminderDraft {
  const then = by === 'tomorrow' ? tomorrowAt(said.nextAt, said.tz, at) : at + by * minuteMs;
  const schedule = { kind: 'at', at: then, ...(by !== 'tomorrow' && { isInstant: true as const }) } as const;
  return once(said, schedule);
}

/** What was missed is done now. */
export function atOnce(said: Reminder, at: number): ReminderDraft {
  return once(said, { kind: 'at', at, isInstant: true });
}

/**
 * By the clock of another zone: what came at nine still comes at nine. What is no time on a clock stays where it is.
 * Undefined: its only time has passed there.
 */
export function rezoned(was: Reminder, tz: string, at: number): Reminder | undefined {
  const { schedule } = was;
  switch (schedule.kind) {
    case 'every':
      return { ...was, tz };
    case 'cron': {
      const moved = { ...schedule, tz };
      return { ...was, tz, schedule: moved, nextAt: nextTime(moved, at) ?? was.nextAt };
    }
    case 'at': {
      if (schedule.isInstant === true) return { ...was, tz };
      const there = instantOf(wallTime(schedule.at, was.tz), tz);
      return there <= at ? undefined : { ...was, tz, schedule: { kind: 'at', at: there }, nextAt: there };
    }
  }
}

/** It comes at a time on a clock, so it matters whose. */
export function isByClock({ schedule }: Pick<Reminder, 'schedule'>): boolean {
  return schedule.kind === 'cron' || (schedule.kind === 'at' && schedule.isInstant !== true);
}

function once(
  { owner, conversation, address, kind, message, tz, deliverTo }: Reminder,
  schedule: Extract<Schedule, { kind: 'at' }>,
): ReminderDraft {
  const to = deliverTo === undefined ? {} : { deliverTo };
  return { owner, conversation, address, kind, message, tz, schedule, nextAt: schedule.at, ...to };
}

function tomorrowAt(dueAt: number, tz: string, at: number): number {
  const midnight = (wall: number) => Math.floor(wall / dayMs) * dayMs;
  const due = wallTime(dueAt, tz);
  return instantOf(midnight(wallTime(at, tz)) + dayMs + (due - midnight(due)), tz);
}

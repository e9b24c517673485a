/** When something is to come, as people write it: once or again and again, in words or as a cron expression. */
import { minRepeatMs, type ReminderDraft, type Schedule } from '../domain/reminder.ts';
import { cronProblem, firesWithin } from './cron.ts';
import { readRepeat } from './repeats.ts';
import { nextTime } from './schedule.ts';
import { type Reading, readTime } from './when.ts';

export type ReadSchedule =
  /** `nextAt`: when it is due first. Unit: milliseconds since 1970. */
  | { readonly kind: 'read'; readonly schedule: Schedule; readonly nextAt: number }
  | { readonly kind: 'passed'; readonly at: number }
  | { readonly kind: 'too_often' }
  /** No calendar rule says it; these are near. */
  | { readonly kind: 'cannot'; readonly instead: readonly Extract<Schedule, { kind: 'cron' }>[] }
  | { readonly kind: 'bad_cron'; readonly why: string }
  | { readonly kind: 'none' };

/** Nobody needs more words for a time. Unit: characters. */
const maxChars = 200;

export function readSchedule(text: string, kind: ReminderDraft['kind'], reading: Reading): ReadSchedule {
  const { tz, now, locale } = reading;
  if (text.length > maxChars) return { kind: 'none' };
  if (looksLikeCron(text)) return checked({ kind: 'cron', expr: text.trim(), tz }, kind, now);
  const time = readTime(text, reading);
  if (time !== undefined) {
    const { at, isInstant } = time;
    if (at <= now) return { kind: 'passed', at };
    const schedule = { kind: 'at', at, ...(isInstant && { isInstant: true as const }) } as const;
    return { kind: 'read', schedule, nextAt: at };
  }
  const repeat = readRepeat(text, locale);
  switch (repeat?.kind) {
    case undefined:
      return { kind: 'none' };
    case 'cannot':
      return { kind: 'cannot', instead: repeat.instead.map((expr) => ({ kind: 'cron', expr, tz })) };
    case 'every':
      return checked(repeat, kind, now);
    case 'cron':
      return checked({ ...repeat, tz }, kind, now);
  }
}

/** A schedule that somebody wrote down in so many words. */
export function checked(schedule: Schedule, kind: ReminderDraft['kind'], now: number): ReadSchedule {
  const gapMs = minRepeatMs[kind];
  if (schedule.kind === 'cron') {
    const why = cronProblem(schedule.expr);
    if (why !== undefined) return { kind: 'bad_cron', why };
    if (firesWithin(schedule.expr, gapMs)) return { kind: 'too_often' };
  }
  if (schedule.kind === 'every' && schedule.everyMs < gapMs) return { kind: 'too_often' };
  const nextAt = nextTime(schedule, now);
  if (nextAt !== undefined) return { kind: 'read', schedule, nextAt };
  return { kind: 'passed', at: schedule.kind === 'at' ? schedule.at : now };
}

/** Fields of digits, stars and names with blanks between; how many there are is told by `cronProblem`. */
function looksLikeCron(text: string): boolean {
  return /^\s*[\d*](?:[\d*,/-]*)(?:\s+[\da-z*?,/#-]+){3,6}\s*$/i.test(text) && /[*#?]/.test(text);
}

/**
 * The `cron` tool: reminders and tasks at a time, every so often, or on a cron expression. Each belongs to the person
 * who is answered and is delivered in the conversation where it was made; nobody else sees or cancels it.
 */
import { z } from 'zod';
import { cutText } from '../domain/cut-text.ts';
import type { UserId } from '../domain/ids.ts';
import { maxActiveReminders, maxReminderChars, type Reminder, type Schedule } from '../domain/reminder.ts';
import type { Reminders } from '../ports/reminders.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Tool, ToolContext, ToolResult } from '../ports/tool.ts';
import { cronProblem, firesWithin } from '../time/cron.ts';
import { nextTime } from '../time/schedule.ts';
import { isoTime, isZone, parseTime, spokenTime, zoneNamed } from '../time/zone.ts';
import { defineTool } from './define-tool.ts';
import { leftOut, positiveNumber } from './lenient.ts';

export interface CronToolMeans {
  readonly reminders: Reminders;
  readonly clock: Clock;
  /** The person's zone, for times that come without one (IANA). */
  readonly zoneOf: (user: UserId) => Promise<string>;
}

const minEveryS = 60;
/** A task costs a turn: at most one in five minutes. Unit: seconds. */
const minTaskEveryS = 300;
const maxEveryS = 366 * 24 * 3600;
const maxListedChars = 200;

const optionalText = (description: string) =>
  z.preprocess(leftOut, z.string().optional()).meta({ description });

const args = z
  .object({
    action: z.enum(['schedule', 'list', 'cancel']),
    kind: z.preprocess(leftOut, z.enum(['reminder', 'task']).default('reminder')).meta({
      description: 'reminder (default): the message is shown as it is. task: you are asked to do it then.',
    }),
    message: z.preprocess(leftOut, z.string().max(maxReminderChars).optional()).meta({
      maxLength: maxReminderChars,
      description: 'For schedule: what to say, or what to do.',
    }),
    at: optionalText(
      'Once: ISO 8601 date and time of day, such as 2026-12-01T09:00; without an offset it is in tz.',
    ),
    every_seconds: z
      .preprocess(positiveNumber, z.int().min(minEveryS).max(maxEveryS).optional())
      .meta({ description: `Again and again: seconds, at least ${minEveryS}; for a task ${minTaskEveryS}.` }),
    cron_expr: optionalText('On a calendar: five fields (minute hour day month weekday), in tz.'),
    tz: optionalText('IANA time zone of the person, such as Europe/Berlin.'),
    id: optionalText('For cancel: which reminder, as in the list.'),
  })
  .superRefine((given, check) => {
    const problem = (name: keyof typeof given, message: string) =>
      check.addIssue({ code: 'custom', path: [name], message });
    if (given.action === 'cancel' && given.id === undefined) {
      problem('id', 'say which reminder; action list shows the ids.');
    }
    if (given.action !== 'schedule') return;
    if (given.message === undefined) problem('message', 'write what to say, it is missing or blank.');
    if (given.tz !== undefined && !isZone(given.tz)) {
      problem('tz', `"${cutText(given.tz, 60)}" is no IANA zone; write one such as Europe/Berlin.`);
      return;
    }
    const times = [given.at, given.every_seconds, given.cron_expr].filter((time) => time !== undefined);
    if (times.length !== 1) {
      problem('at', `give exactly one of at, every_seconds and cron_expr, not ${times.length}.`);
      return;
    }
    if (given.at !== undefined && parseTime(given.at, 'UTC') === undefined) {
      problem(
        'at',
        `"${cutText(given.at, 60)}" is no date with a time of day; write it like 2026-12-01T09:00.`,
      );
    }
    if (given.kind === 'task' && (given.every_seconds ?? minTaskEveryS) < minTaskEveryS) {
      problem('every_seconds', `a task runs at most every ${minTaskEveryS} seconds.`);
    }
    if (given.cron_expr !== undefined) {
      const why = cronProblem(given.cron_expr);
      if (why !== undefined) problem('cron_expr', `${why}; write five fields such as 0 9 * * 1-5.`);
      else if (given.kind === 'task' && firesWithin(given.cron_expr, minTaskEveryS * 1_000)) {
        problem('cron_expr', `a task runs at most every ${minTaskEveryS} seconds.`);
      }
    }
  });

type Args = z.output<typeof args>;

/** Where a call comes from: only a person's own turn may touch reminders. */
type Caller = Required<Pick<Reminder, 'owner' | 'conversation' | 'address'>>;

export function cronTool(means: CronToolMeans): Tool {
  return defineTool({
    name: 'cron',
    description: `Reminds the person, or gives you a task, at a time. Actions: schedule, list, cancel. Times without an offset are in tz (default: the person's own). Tell the person the resolved time of the result.`,
    args,
    mode: 'exclusive',
    effect: 'idempotent',
    run: async (given, context) => {
      const caller = callerOf(context);
      if ('kind' in caller) return caller;
      switch (given.action) {
        case 'schedule':
          return schedule(given, caller, context.idempotencyKey, means);
        case 'list':
          return answer((await means.reminders.list(caller.owner)).map(listed));
        case 'cancel':
          return cancel(given.id ?? '', caller, means);
      }
    },
  });
}

function callerOf({ user, turn }: ToolContext): Caller | ToolResult {
  if (turn?.isScheduled === true) {
    return failed('A scheduled task cannot use cron. Tell the person what to ask for instead.');
  }
  if (user === undefined || turn?.address === undefined) {
    return failed('Reminders belong to a person in a conversation, and nobody is being answered here.');
  }
  return { owner: user, conversation: turn.conversation, address: turn.address };
}

async function schedule(
  given: Args,
  caller: Caller,
  key: string,
  { reminders, clock, zoneOf }: CronToolMeans,
): Promise<ToolResult> {
  // Looked up first: at a repetition after a crash the time may have passed already.
  const made = await reminders.made(key);
  if (made !== undefined) return answer(confirmed(made));
  const now = clock.now();
  const tz = zoneNamed(given.tz ?? '') ?? (await zoneOf(caller.owner));
  const when = scheduleFrom(given, tz);
  const nextAt = nextTime(when, now);
  if (nextAt === undefined) {
    const text = `Not scheduled: at (${given.at}) has passed, it is now ${isoTime(now, tz)}. Give a later time.`;
    return { kind: 'failed', badArgs: true, text };
  }
  const { kind, message = '' } = given;
  const reminder = await reminders.add({ ...caller, kind, message, schedule: when, tz, nextAt }, key);
  if (reminder !== 'full') return answer(confirmed(reminder));
  return failed(
    `Not scheduled: this person has ${maxActiveReminders} active reminders, the most there may be. One has to be cancelled first; action list shows them.`,
  );
}

async function cancel(id: string, { owner }: Caller, { reminders }: CronToolMeans): Promise<ToolResult> {
  const wanted = id.trim().toLowerCase();
  if (await reminders.remove(owner, wanted)) return answer({ id: wanted, cancelled: true });
  return failed(`This person has no active reminder "${cutText(id, 40)}". Action list shows the ids.`);
}

/** Exactly one of the three is there: the arguments were checked. */
function scheduleFrom({ at, every_seconds, cron_expr = '' }: Args, tz: string): Schedule {
  if (at !== undefined) return { kind: 'at', at: parseTime(at, tz) ?? 0 };
  if (every_seconds !== undefined) return { kind: 'every', everyMs: every_seconds * 1_000 };
  return { kind: 'cron', expr: cron_expr, tz };
}

function confirmed({ id, nextAt, tz }: Reminder) {
  return { id, next: isoTime(nextAt, tz), local: spokenTime(nextAt, tz), tz };
}

function listed(reminder: Reminder) {
  const { kind, message, schedule: when } = reminder;
  const repeats =
    when.kind === 'every'
      ? { every_seconds: when.everyMs / 1_000 }
      : when.kind === 'cron'
        ? { cron_expr: when.expr }
        : {};
  return { ...confirmed(reminder), kind, message: cutText(message, maxListedChars), ...repeats };
}

function answer(value: unknown): ToolResult {
  return { kind: 'text', text: JSON.stringify(value) };
}

function failed(text: string): ToolResult {
  return { kind: 'failed', text };
}

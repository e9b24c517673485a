/**
 * The `cron` tool: reminders and tasks at a time, every so often, or on a cron expression. Each belongs to the person
 * who is answered and is delivered in the conversation where it was made; nobody else sees or changes it.
 */
import { z } from 'zod';
import { cutText } from '../domain/cut-text.ts';
import type { UserId } from '../domain/ids.ts';
import {
  maxActiveReminders,
  maxReminderChars,
  minRepeatMs,
  type Reminder,
  type ReminderDraft,
  type Schedule,
} from '../domain/reminder.ts';
import type { Reminders } from '../ports/reminders.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Tool, ToolContext, ToolResult } from '../ports/tool.ts';
import { atOnce, edited, isByClock, paused, resumed, snoozed } from '../reminders/changes.ts';
import { checked, type ReadSchedule, readSchedule } from '../time/read-schedule.ts';
import { nextTime } from '../time/schedule.ts';
import { readTime } from '../time/when.ts';
import { isoTime, isZone, spokenTime, zoneNamed } from '../time/zone.ts';
import { defineTool } from './define-tool.ts';
import { leftOut, positiveNumber } from './lenient.ts';

export interface CronToolMeans {
  readonly reminders: Reminders;
  readonly clock: Clock;
  /** The person's zone (IANA), for times that come without one; `isGuess`: nobody has told it. */
  readonly zoneOf: (user: UserId) => Promise<{ readonly zone: string; readonly isGuess: boolean }>;
  /** Shows the person what was made, with its resolved time. Once for each reminder; never rejects. */
  readonly confirm: (reminder: Reminder, isZoneGuessed: boolean, signal: AbortSignal) => Promise<void>;
}

const minEveryS = minRepeatMs.reminder / 1_000;
/** A task costs a turn: at most one in five minutes. Unit: seconds. */
const minTaskEveryS = minRepeatMs.task / 1_000;
const maxEveryS = 366 * 24 * 3600;
const maxSnoozeMinutes = 366 * 24 * 60;
const maxListedChars = 200;

const actions = ['schedule', 'list', 'cancel', 'pause', 'resume', 'edit', 'snooze', 'run_now'] as const;

const optionalText = (description: string) =>
  z.preprocess(leftOut, z.string().optional()).meta({ description });

const args = z
  .object({
    action: z.enum(actions),
    kind: z.preprocess(leftOut, z.enum(['reminder', 'task']).default('reminder')).meta({
      description: 'reminder (default): the message is shown as it is. task: you are asked to do it then.',
    }),
    message: z.preprocess(leftOut, z.string().max(maxReminderChars).optional()).meta({
      maxLength: maxReminderChars,
      description: 'For schedule and edit: what to say, or what to do.',
    }),
    at: optionalText(
      'When, in the words of the person ("tomorrow 9am", "every weekday at 7") or as ISO 8601 with a time of day, such as 2026-12-01T09:00; without an offset it is in tz.',
    ),
    every_seconds: z
      .preprocess(positiveNumber, z.int().min(minEveryS).max(maxEveryS).optional())
      .meta({ description: `Again and again: seconds, at least ${minEveryS}; for a task ${minTaskEveryS}.` }),
    cron_expr: optionalText('On a calendar: five fields (minute hour day month weekday), in tz.'),
    tz: optionalText('IANA time zone of the person, such as Europe/Berlin.'),
    id: optionalText('For all but schedule and list: which reminder, as in the list.'),
    minutes: z
      .preprocess(positiveNumber, z.int().min(1).max(maxSnoozeMinutes).optional())
      .meta({ description: 'For snooze: in how many minutes it comes again.' }),
    until: optionalText('For schedule: the last moment at which it may come, as at.'),
    count: z
      .preprocess(positiveNumber, z.int().min(1).max(10_000).optional())
      .meta({ description: 'For schedule: how often it comes in all.' }),
    deliver_to: z
      .preprocess(leftOut, z.enum(['here', 'dm']).default('here'))
      .meta({ description: 'here (default), or dm: a reminder to the person alone.' }),
    misfire: z
      .preprocess(leftOut, z.enum(['fire', 'skip']).default('fire'))
      .meta({ description: 'When its time was missed: fire (default) says it late, skip leaves it out.' }),
  })
  .superRefine((given, check) => {
    const problem = (name: keyof typeof given, message: string) =>
      check.addIssue({ code: 'custom', path: [name], message });
    if (given.action === 'list') return;
    if (given.action !== 'schedule' && given.id === undefined)
      problem('id', 'say which reminder; action list shows the ids.');
    if (given.action === 'snooze' && given.minutes === undefined)
      problem('minutes', 'say in how many minutes it comes again.');
    if (given.tz !== undefined && !isZone(given.tz)) {
      problem('tz', `"${cutText(given.tz, 60)}" is no IANA zone; write one such as Europe/Berlin.`);
      return;
    }
    if (given.action !== 'schedule' && given.action !== 'edit') return;
    const isNew = given.action === 'schedule';
    if (isNew && given.message === undefined)
      problem('message', 'write what to say, it is missing or blank.');
    const times = [given.at, given.every_seconds, given.cron_expr].filter((time) => time !== undefined);
    if (times.length > 1 || (isNew && times.length === 0)) {
      problem('at', `give exactly one of at, every_seconds and cron_expr, not ${times.length}.`);
      return;
    }
    if (!isNew && times.length === 0 && given.message === undefined)
      problem('message', 'say what to change: message, or one of at, every_seconds and cron_expr.');
    if (isNew && given.kind === 'task' && given.deliver_to === 'dm')
      problem('deliver_to', 'a task is done where it was given; only a reminder can go to dm.');
    if (isNew && given.kind === 'task' && (given.every_seconds ?? minTaskEveryS) < minTaskEveryS)
      problem('every_seconds', `a task runs at most every ${minTaskEveryS} seconds.`);
    if (given.cron_expr !== undefined) {
      const read = checked({ kind: 'cron', expr: given.cron_expr, tz: 'UTC' }, given.kind, 0);
      if (read.kind === 'bad_cron')
        problem('cron_expr', `${read.why}; write five fields such as 0 9 * * 1-5.`);
      if (read.kind === 'too_often')
        problem('cron_expr', `a task runs at most every ${minTaskEveryS} seconds.`);
    }
  });

type Args = z.output<typeof args>;

/** Where a call comes from: only a person's own turn may touch reminders. */
type Caller = Required<Pick<Reminder, 'owner' | 'conversation' | 'address'>>;

export function cronTool(means: CronToolMeans): Tool {
  return defineTool({
    name: 'cron',
    description: `Reminds the person, or gives you a task, at a time. Actions: ${actions.join(', ')}. Times without an offset are in tz (default: the person's own). The person is shown the resolved time with buttons to change and cancel it.`,
    args,
    mode: 'exclusive',
    effect: 'idempotent',
    run: async (given, context) => {
      const caller = callerOf(context);
      if ('kind' in caller) return caller;
      const call = new CronCall(given, caller, context, means);
      switch (given.action) {
        case 'schedule':
          return call.schedule();
        case 'list':
          return answer((await means.reminders.list(caller.owner)).map(listed));
        case 'cancel':
          return call.cancel();
        case 'edit':
          return call.edit();
        case 'pause':
          return call.change(paused);
        case 'resume':
          return call.change((was) => resumed(was, means.clock.now()));
        case 'snooze':
        case 'run_now':
          return call.again(given.minutes ?? 0);
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

class CronCall {
  private readonly id: string;

  constructor(
    private readonly given: Args,
    private readonly caller: Caller,
    private readonly context: ToolContext,
    private readonly means: CronToolMeans,
  ) {
    this.id = (given.id ?? '').trim().toLowerCase();
  }

  async schedule(): Promise<ToolResult> {
    const { given, caller } = this;
    const { reminders, clock } = this.means;
    // Looked up first: at a repetition after a crash the time may have passed already.
    const made = await reminders.made(this.context.idempotencyKey);
    if (made !== undefined) return this.confirmed(made);
    const { zone: tz } = await this.zone();
    const now = clock.now();
    const read = this.read(tz, now);
    if (read.kind !== 'read') return refused(read, given.at ?? '', tz, now);
    const { schedule, nextAt } = read;
    const until = given.until === undefined ? undefined : this.until(tz, now);
    if (until !== undefined && (Number.isNaN(until) || until < nextAt))
      return badArgs(
        `Not scheduled: until (${cutText(given.until ?? '', 60)}) is no time, or lies before ${isoTime(nextAt, tz)}.`,
      );
    const { kind, message = '', count, deliver_to, misfire } = given;
    const draft: ReminderDraft = {
      ...caller,
      kind,
      message,
      schedule,
      tz,
      nextAt,
      ...(until !== undefined && { until }),
      ...(count !== undefined && { timesLeft: count }),
      ...(deliver_to === 'dm' && { deliverTo: 'dm' as const }),
      ...(misfire === 'skip' && { misfire: 'skip' as const }),
      ...(given.at !== undefined && schedule.kind !== 'at' && { asked: given.at }),
    };
    return this.add(draft, this.context.idempotencyKey);
  }

  async cancel(): Promise<ToolResult> {
    const { reminders } = this.means;
    if (await reminders.remove(this.caller.owner, this.id)) return answer({ id: this.id, cancelled: true });
    return this.unknown();
  }

  async edit(): Promise<ToolResult> {
    const { given } = this;
    const now = this.means.clock.now();
    const was = await this.means.reminders.get(this.caller.owner, this.id);
    if (was === undefined) return this.unknown();
    const message = given.message === undefined ? {} : { message: given.message };
    if (given.at === undefined && given.every_seconds === undefined && given.cron_expr === undefined)
      return this.put(was, edited(was, message));
    const tz = zoneNamed(given.tz ?? '') ?? was.tz;
    const read = this.read(tz, now, was.kind);
    if (read.kind !== 'read') return refused(read, given.at ?? '', tz, now);
    const { schedule, nextAt } = read;
    const asked = given.at === undefined ? {} : { asked: given.at };
    return this.put(was, edited(was, { ...message, when: { schedule, nextAt }, ...asked, tz }));
  }

  /** `to` returns undefined when its only time has passed. */
  async change(to: (was: Reminder) => Reminder | undefined): Promise<ToolResult> {
    const was = await this.means.reminders.get(this.caller.owner, this.id);
    if (was === undefined) return this.unknown();
    const now = to(was);
    if (now === undefined)
      return failed(`The time of "${this.id}" has passed meanwhile. Edit it, or cancel it.`);
    return this.put(was, now);
  }

  /** What is still to come is moved; what came comes once more. Without minutes at once. */
  async again(minutes: number): Promise<ToolResult> {
    const { reminders, clock } = this.means;
    const { owner } = this.caller;
    const now = clock.now();
    const was = await reminders.get(owner, this.id);
    const nextAt = now + minutes * 60_000;
    if (was?.schedule.kind === 'at')
      return this.put(
        was,
        edited(was, { when: { schedule: { kind: 'at', at: nextAt, isInstant: true }, nextAt } }),
      );
    if (was !== undefined) return this.put(was, { ...was, nextAt });
    const said = await reminders.said(owner, this.id);
    if (said === undefined) return this.unknown();
    return this.add(
      minutes === 0 ? atOnce(said, now) : snoozed(said, minutes, now),
      this.context.idempotencyKey,
    );
  }

  private async add(draft: ReminderDraft, key: string): Promise<ToolResult> {
    const reminder = await this.means.reminders.add(draft, key);
    if (reminder !== 'full') return this.confirmed(reminder);
    return failed(
      `Not scheduled: this person has ${maxActiveReminders} active reminders, the most there may be. One has to be cancelled first; action list shows them.`,
    );
  }

  private async put(was: Reminder, now: Reminder): Promise<ToolResult> {
    if (await this.means.reminders.change(was, now)) return answer(listed(now));
    return failed(
      `"${this.id}" came, or was changed, at this very moment. Look at the list, then try again.`,
    );
  }

  private async confirmed(reminder: Reminder): Promise<ToolResult> {
    const isGuess = (await this.zone()).isGuess && isByClock(reminder);
    await this.means.confirm(reminder, isGuess, this.context.signal);
    return answer(told(reminder));
  }

  private async zone(): Promise<{ readonly zone: string; readonly isGuess: boolean }> {
    const tz = zoneNamed(this.given.tz ?? '');
    return tz === undefined ? this.means.zoneOf(this.caller.owner) : { zone: tz, isGuess: false };
  }

  /** Exactly one of the three is there: the arguments were checked. */
  private read(tz: string, now: number, kind = this.given.kind): ReadSchedule {
    const { at, every_seconds, cron_expr = '' } = this.given;
    if (at !== undefined) return readSchedule(at, kind, { tz, now, locale: this.caller.address.locale });
    const schedule: Schedule =
      every_seconds === undefined
        ? { kind: 'cron', expr: cron_expr, tz }
        : { kind: 'every', everyMs: every_seconds * 1_000 };
    return checked(schedule, kind, now);
  }

  private until(tz: string, now: number): number {
    const { until = '' } = this.given;
    return readTime(until, { tz, now, locale: this.caller.address.locale })?.at ?? Number.NaN;
  }

  private unknown(): ToolResult {
    return failed(`This person has no active reminder "${cutText(this.id, 40)}". Action list shows the ids.`);
  }
}

function refused(
  read: Exclude<ReadSchedule, { readonly kind: 'read' }>,
  at: string,
  tz: string,
  now: number,
): ToolResult {
  const shown = cutText(at, 60);
  switch (read.kind) {
    case 'passed':
      return badArgs(
        `Not scheduled: at (${shown}) has passed, it is now ${isoTime(now, tz)}. Give a later time.`,
      );
    case 'none':
      return badArgs(
        `Not scheduled: "${shown}" is no time of day that I can read; write it like 2026-12-01T09:00, or "tomorrow 9am".`,
      );
    case 'too_often':
      return badArgs(
        `Not scheduled: that is too often. A reminder comes at most every ${minEveryS} seconds, a task every ${minTaskEveryS}.`,
      );
    case 'bad_cron':
      return badArgs(`Not scheduled: ${read.why}; write five fields such as 0 9 * * 1-5.`);
    case 'cannot': {
      const near = read.instead.map((rule) => {
        const next = nextTime(rule, now) ?? now;
        return `cron_expr "${rule.expr}" (next ${spokenTime(next, tz)}, then ${spokenTime(nextTime(rule, next) ?? next, tz)})`;
      });
      return failed(
        `Not scheduled: no calendar rule says "${shown}", there is nothing that counts every other one. Ask the person which of these they want: ${near.join('; or ')}.`,
      );
    }
  }
}

function told({ id, nextAt, tz }: Reminder) {
  return { id, next: isoTime(nextAt, tz), local: spokenTime(nextAt, tz), tz };
}

function listed(reminder: Reminder) {
  const { kind, message, schedule: when, isPaused } = reminder;
  const repeats =
    when.kind === 'every'
      ? { every_seconds: when.everyMs / 1_000 }
      : when.kind === 'cron'
        ? { cron_expr: when.expr }
        : {};
  const state = isPaused === true ? { paused: true } : {};
  return { ...told(reminder), kind, message: cutText(message, maxListedChars), ...repeats, ...state };
}

function answer(value: unknown): ToolResult {
  return { kind: 'text', text: JSON.stringify(value) };
}

function failed(text: string): ToolResult {
  return { kind: 'failed', text };
}

function badArgs(text: string): ToolResult {
  return { kind: 'failed', badArgs: true, text };
}

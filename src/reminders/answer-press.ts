/** Does what a button, menu or form about a reminder says. Whose reminder it is, is judged here. */
import type { Dialect } from '../domain/command.ts';
import type { Press, PressBy, PressForm, PressReply, Said } from '../domain/controls.ts';
import { cutText } from '../domain/cut-text.ts';
import type { UserId } from '../domain/ids.ts';
import { zoneIn } from '../domain/person.ts';
import {
  maxActiveReminders,
  maxReminderChars,
  type Reminder,
  type ReminderDraft,
} from '../domain/reminder.ts';
import type { People } from '../ports/people.ts';
import type { Reminders } from '../ports/reminders.ts';
import type { Clock } from '../ports/runtime.ts';
import { readSchedule } from '../time/read-schedule.ts';
import { isZone, writtenTime } from '../time/zone.ts';
import { atOnce, edited, paused, resumed, rezoned, snoozed } from './changes.ts';
import { pressOf, type ReminderPress, readPress } from './press.ts';
import { problemWith } from './problems.ts';
import { confirmation, detail, listMenu, shownText, timeOf, type View } from './shown.ts';
import { reminderWords } from './words.ts';

export interface PressMeans {
  readonly reminders: Reminders;
  readonly people: Pick<People, 'preferences' | 'accountsOf' | 'choose'>;
  readonly clock: Clock;
  /** IANA zone of people of whom none is known. */
  readonly defaultZone: string;
}

/** What was filled in, by the name of each field. */
export type FilledForm = ReadonlyMap<string, string>;

const maxWhenChars = 100;
const nothingFilled: FilledForm = new Map();

/** May be called again with the same key. Rejects while the store is away. */
export async function answerPress(
  press: Press,
  by: PressBy,
  dialect: Dialect,
  means: PressMeans,
  form: FilledForm = nothingFilled,
): Promise<PressReply> {
  const view = await viewFor(by, dialect, means);
  const handle = readPress(press);
  if (handle === undefined) return tell(view.words.gone);
  return new Pressing(handle, by, view, means).answer(form);
}

/** The form that a button opens, or why it does not. */
export async function formFor(
  press: Press,
  by: PressBy,
  dialect: Dialect,
  means: PressMeans,
): Promise<PressForm | PressReply> {
  const view = await viewFor(by, dialect, means);
  const handle = readPress(press);
  if (handle === undefined) return tell(view.words.gone);
  return new Pressing(handle, by, view, means).form();
}

async function viewFor(by: PressBy, dialect: Dialect, { people }: PressMeans): Promise<View> {
  const { language, locale } = await people.preferences(by.person);
  return { dialect, words: reminderWords(language ?? by.address.locale ?? locale) };
}

class Pressing {
  constructor(
    private readonly handle: ReminderPress,
    private readonly by: PressBy,
    private readonly view: View,
    private readonly means: PressMeans,
  ) {}

  async form(): Promise<PressForm | PressReply> {
    const { words } = this.view;
    const reminder = await this.active();
    if (reminder === undefined) return tell(words.gone);
    if (!(await this.mayChange())) return tell(words.notYours);
    return {
      title: words.form.title,
      press: pressOf('change', reminder),
      fields: [
        { name: 'when', label: words.form.when, value: writtenWhen(reminder), maxChars: maxWhenChars },
        {
          name: 'what',
          label: words.form.what,
          value: reminder.message,
          maxChars: maxReminderChars,
          isLong: true,
        },
      ],
    };
  }

  async answer(form: FilledForm): Promise<PressReply> {
    const { words } = this.view;
    const { action } = this.handle;
    const mayEnd = action === 'cancel' || action === 'stop';
    if (!(mayEnd ? await this.mayEnd() : await this.mayChange())) return tell(words.notYours);
    switch (action) {
      case 'form':
        return tell(words.tryAgain); // a form that was not opened
      case 'change':
        return this.change(form);
      case 'cancel':
        return this.cancel();
      case 'stop':
        return this.stop();
      case 'done':
        return this.done();
      case 'snooze':
        return this.snooze();
      case 'run':
        return this.run();
      case 'pause':
      case 'resume':
        return this.pause(action === 'pause');
      case 'show':
        return this.show();
      case 'zone':
        return this.chooseZone();
      case 'move':
        return this.move();
      case 'keep':
        return { kind: 'replace', text: words.kept };
    }
  }

  private async change(form: FilledForm): Promise<PressReply> {
    const { words } = this.view;
    const was = await this.active();
    if (was === undefined) return tell(words.gone);
    const when = form.get('when')?.trim() || writtenWhen(was);
    const message = form.get('what')?.trim() ?? was.message;
    if (message === '') return tell(words.nothing);
    if (message.length > maxReminderChars) return tell(words.tooLong(maxReminderChars));
    if (when === writtenWhen(was)) return this.put(was, edited(was, { message }));
    const tz = await this.zone();
    const { locale } = this.by.address;
    const now = this.means.clock.now();
    const read = readSchedule(when, was.kind, { tz, now, locale });
    if (read.kind !== 'read') return tell(problemWith(read, { written: when, tz, now }, this.view));
    const { schedule, nextAt } = read;
    return this.put(was, edited(was, { message, when: { schedule, nextAt }, asked: when, tz }));
  }

  private async cancel(): Promise<PressReply> {
    const { words } = this.view;
    const was = await this.active();
    const { owner, id } = this.handle;
    if (was === undefined || !(await this.means.reminders.remove(owner, id))) return tell(words.gone);
    return { kind: 'replace', text: `${words.cancelled} ${shownText(was, this.view)}` };
  }

  private async stop(): Promise<PressReply> {
    const { words } = this.view;
    const { owner, id } = this.handle;
    const said = await this.said();
    const isStopped = await this.means.reminders.remove(owner, id);
    if (said === undefined) return isStopped ? { kind: 'replace', text: words.stopped } : tell(words.gone);
    return { kind: 'replace', text: `⏰ ${shownText(said, this.view)}\n${words.stopped}` };
  }

  private async done(): Promise<PressReply> {
    const said = await this.said();
    if (said === undefined) return tell(this.view.words.gone);
    return { kind: 'replace', text: `✅ ${shownText(said, this.view)}` };
  }

  private async snooze(): Promise<PressReply> {
    const { words } = this.view;
    const [by = '', dueAt = ''] = this.handle.extra.split(':');
    const said = await this.said();
    const minutes = by === 'tomorrow' ? by : Number(by);
    if (said === undefined || !isSnooze(minutes)) return tell(words.gone);
    const draft = snoozed(said, minutes, this.means.clock.now());
    // One firing is snoozed once, whoever presses how often.
    return this.addAgain(draft, `snooze:${said.owner}/${said.id}/${dueAt}`, (made) => ({
      text: `⏰ ${shownText(made, this.view)}\n${words.snoozed(timeOf(made.nextAt, made, this.view))}`,
    }));
  }

  private async run(): Promise<PressReply> {
    const said = await this.said();
    if (said === undefined) return tell(this.view.words.gone);
    const draft = atOnce(said, this.means.clock.now());
    const key = `run:${said.owner}/${said.id}/${said.nextAt}`;
    return this.addAgain(draft, key, (made) => ({
      text: `⏰ ${shownText(made, this.view)}`,
      controls: none,
    }));
  }

  private async pause(isPause: boolean): Promise<PressReply> {
    const { words } = this.view;
    const was = await this.active();
    if (was === undefined) return tell(words.gone);
    const now = isPause ? paused(was) : resumed(was, this.means.clock.now());
    if (now === undefined) return tell(words.passedMeanwhile);
    if (!(await this.means.reminders.change(was, now))) return tell(words.tryAgain);
    return { kind: 'replace', ...(await this.inList(now)) };
  }

  private async show(): Promise<PressReply> {
    const reminder = await this.active();
    if (reminder === undefined) return tell(this.view.words.gone);
    return { kind: 'replace', ...(await this.inList(reminder)) };
  }

  private async chooseZone(): Promise<PressReply> {
    const { words } = this.view;
    const { owner, id, extra: zone } = this.handle;
    if (!isZone(zone)) return tell(words.tryAgain);
    const was = await this.active();
    await this.means.people.choose(owner, { zone });
    // What was made by the same guess goes along.
    if (was !== undefined && was.tz !== zone) await this.moveAll(was.tz, zone);
    const now = await this.means.reminders.get(owner, id);
    if (now === undefined) return tell(words.gone);
    return { kind: 'replace', ...confirmation(now, this.view) };
  }

  private async move(): Promise<PressReply> {
    const { words } = this.view;
    const zone = await this.zone();
    const { moved, left } = await this.moveAll(this.handle.extra, zone);
    const lines = [words.moved(moved, zone), ...(left === 0 ? [] : [words.notMoved(left)])];
    return { kind: 'replace', text: lines.join('\n') };
  }

  /** Without `from`, from wherever they are. */
  private async moveAll(from: string, to: string): Promise<{ moved: number; left: number }> {
    const { reminders, clock } = this.means;
    const all = (await reminders.list(this.handle.owner)).filter(({ tz }) =>
      from === '' ? tz !== to : tz === from,
    );
    let moved = 0;
    for (const was of all) {
      const now = rezoned(was, to, clock.now());
      if (now !== undefined && (await reminders.change(was, now))) moved += 1;
    }
    return { moved, left: all.length - moved };
  }

  private async put(was: Reminder, now: Reminder): Promise<PressReply> {
    if (!(await this.means.reminders.change(was, now))) return tell(this.view.words.tryAgain);
    return { kind: 'replace', ...confirmation(now, this.view) };
  }

  /** Said of what was made anew, with what can be done about that. */
  private async addAgain(
    draft: ReminderDraft,
    key: string,
    say: (made: Reminder) => Said,
  ): Promise<PressReply> {
    const made = await this.means.reminders.add(draft, key);
    if (made === 'full') return tell(this.view.words.full(maxActiveReminders));
    return { kind: 'replace', ...confirmation(made, this.view), ...say(made) };
  }

  private async inList(reminder: Reminder): Promise<Said> {
    const { text, controls } = detail(reminder, this.view);
    const menu = listMenu(await this.means.reminders.list(reminder.owner), this.view.words);
    return { text, controls: { buttons: controls?.buttons ?? [], ...(menu !== undefined && { menu }) } };
  }

  private active(): Promise<Reminder | undefined> {
    return this.means.reminders.get(this.handle.owner, this.handle.id);
  }

  /** What it was when it came: or is, in the moment before that is written down. */
  private async said(): Promise<Reminder | undefined> {
    const { owner, id } = this.handle;
    return (await this.means.reminders.said(owner, id)) ?? this.active();
  }

  private async mayChange(): Promise<boolean> {
    const accounts: readonly UserId[] = await this.means.people.accountsOf(this.by.person);
    return accounts.includes(this.handle.owner);
  }

  /** Who looks after a place may end there what others began. */
  private async mayEnd(): Promise<boolean> {
    if (await this.mayChange()) return true;
    return this.by.isManager && (await this.active())?.conversation === this.by.conversation;
  }

  private async zone(): Promise<string> {
    return zoneIn(await this.means.people.preferences(this.handle.owner)) ?? this.means.defaultZone;
  }
}

const none = { buttons: [] } as const;
const maxSnoozeMinutes = 366 * 24 * 60;

function isSnooze(by: number | 'tomorrow'): by is number | 'tomorrow' {
  return by === 'tomorrow' || (Number.isInteger(by) && by >= 1 && by <= maxSnoozeMinutes);
}

/** A time as it can be read again: what the person wrote where it repeats. */
function writtenWhen({ schedule, asked, nextAt, tz }: Reminder): string {
  if (schedule.kind === 'at') return writtenTime(nextAt, tz);
  if (asked !== undefined) return cutText(asked, maxWhenChars);
  return schedule.kind === 'cron' ? schedule.expr : `every ${schedule.everyMs / 1_000} seconds`;
}

function tell(text: string): PressReply {
  return { kind: 'tell', text };
}

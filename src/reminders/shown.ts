/** Reminders as people see them: confirmed, said, in a list; with what can be pressed below. */
import type { Dialect } from '../domain/command.ts';
import type { ControlButton, ControlMenu, Said } from '../domain/controls.ts';
import { cutText } from '../domain/cut-text.ts';
import { type DueReminder, lateMs, missedMs, type Reminder } from '../domain/reminder.ts';
import { nextTime } from '../time/schedule.ts';
import { pressOf, type ReminderAction } from './press.ts';
import type { ReminderButton, ReminderWords } from './words.ts';
import { zoneMenu } from './zone-menu.ts';

export interface View {
  readonly words: ReminderWords;
  readonly dialect: Pick<Dialect, 'time' | 'text'>;
}

/** Of one reminder in a list. Unit: code points. */
const maxShownChars = 240;
const maxLabelChars = 90;
/** A menu takes no more. */
const maxInMenu = 25;

/** That it was set, with its resolved time. `askZone`: the zone is only a guess, and may be asked for. */
export function confirmation(reminder: Reminder, view: View, askZone?: { readonly now: number }): Said {
  const { words } = view;
  const lines = [
    `${words.set(timeOf(reminder.nextAt, reminder, view), reminder.tz)} ${shownText(reminder, view)}`,
    ...followingTimes(reminder, view),
    ...(askZone === undefined ? [] : [words.askZone]),
  ];
  const menu = askZone && zoneMenu(reminder, words, askZone.now);
  return {
    text: lines.join('\n'),
    controls: {
      buttons: [changeButton(reminder, words), button('cancel', 'cancel', reminder, words)],
      ...(menu !== undefined && { menu }),
    },
  };
}

/** What is said when it is due, however late that is. */
export function delivered({ reminder, dueAt }: DueReminder, now: number, view: View): Said {
  const { words } = view;
  const time = timeOf(dueAt, reminder, view);
  const { message } = reminder;
  const isMissed = now - dueAt > missedMs;
  if (reminder.kind === 'task' && isMissed) {
    const buttons = [button('doNow', 'run', reminder, words), ...stopButton(reminder, words)];
    return { text: words.missedTask(time, message), controls: { buttons } };
  }
  const late = now - dueAt > lateMs ? ` ${words.due(time)}` : '';
  const text = isMissed ? `⏰ ${words.missed(time)} ${message}` : `⏰ ${message}${late}`;
  if (reminder.kind === 'task') return { text, controls: { buttons: stopButton(reminder, words) } };
  const snooze = (name: ReminderButton, by: string) =>
    button(name, 'snooze', reminder, words, `${by}:${dueAt}`, `snooze ${reminder.id} ${by}`);
  const buttons = [
    button('done', 'done', reminder, words),
    snooze('snooze10', '10'),
    snooze('snooze60', '60'),
    snooze('tomorrow', 'tomorrow'),
    ...stopButton(reminder, words),
  ];
  return { text, controls: { buttons } };
}

/** One of a list, with all that can be done about it. */
export function detail(reminder: Reminder, view: View): Said {
  const { words } = view;
  const isPaused = reminder.isPaused === true;
  const line = listLine(reminder, view);
  const pause = isPaused
    ? button('resume', 'resume', reminder, words)
    : button('pause', 'pause', reminder, words);
  return {
    text: [line, ...(isPaused ? [] : followingTimes(reminder, view))].join('\n'),
    controls: {
      buttons: [changeButton(reminder, words), pause, button('cancel', 'cancel', reminder, words)],
    },
  };
}

export function listLine(reminder: Reminder, view: View): string {
  const when = reminder.isPaused === true ? view.words.paused : timeOf(reminder.nextAt, reminder, view);
  return `${when} ${shownText(reminder, view)} (\`${reminder.id}\`)`;
}

export function listMenu(reminders: readonly Reminder[], words: ReminderWords): ControlMenu | undefined {
  if (reminders.length === 0) return undefined;
  const options = reminders.slice(0, maxInMenu).map((reminder) => ({
    label: cutText(`${reminder.id} ${oneLine(reminder.message)}`, maxLabelChars),
    press: pressOf('show', reminder),
  }));
  return { placeholder: words.listMenu, options };
}

/** Without anything to press: what became of it. */
export function shownText({ message }: Pick<Reminder, 'message'>, { dialect }: View): string {
  return dialect.text(cutText(oneLine(message), maxShownChars));
}

export function timeOf(at: number, { tz }: Pick<Reminder, 'tz'>, { dialect }: View): string {
  return dialect.time(at, tz);
}

/** A rule is best understood by what it comes to. */
function followingTimes(reminder: Reminder, view: View): string[] {
  const { schedule, nextAt } = reminder;
  if (schedule.kind === 'at') return [];
  const second = nextTime(schedule, nextAt);
  const third = second === undefined ? undefined : nextTime(schedule, second);
  const times = [second, third].filter((at) => at !== undefined);
  return [view.words.following(times.map((at) => timeOf(at, reminder, view)))];
}

function stopButton(reminder: Reminder, words: ReminderWords): ControlButton[] {
  return reminder.schedule.kind === 'at' ? [] : [button('stop', 'stop', reminder, words)];
}

function changeButton(reminder: Reminder, words: ReminderWords): ControlButton {
  const typed = `/reminders change ${reminder.id} …`;
  return { label: words.buttons.change, press: pressOf('form', reminder), opensForm: true, typed };
}

function button(
  name: ReminderButton,
  action: ReminderAction,
  reminder: Reminder,
  words: ReminderWords,
  extra = '',
  typed = `${action} ${reminder.id}`,
): ControlButton {
  return {
    label: words.buttons[name],
    press: pressOf(action, reminder, extra),
    typed: `/reminders ${typed}`,
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

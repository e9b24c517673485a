import type { ReminderWords } from './words.ts';

export const english: ReminderWords = {
  set: (time, zone) => `⏰ ${time} (${zone}).`,
  following: (times) => `Then ${times.join(', ')} and so on.`,
  buttons: {
    change: 'Change',
    cancel: 'Cancel',
    done: 'Done',
    snooze10: 'In 10 min',
    snooze60: 'In 1 h',
    tomorrow: 'Tomorrow',
    stop: 'Stop',
    pause: 'Pause',
    resume: 'Resume',
    doNow: 'Do it now',
    move: 'Move them',
    keep: 'Leave them',
  },
  cancelled: '✖ Cancelled:',
  stopped: '⏹ It does not come again.',
  paused: '⏸ Paused.',
  snoozed: (time) => `💤 Again ${time}.`,
  due: (time) => `(due ${time})`,
  missed: (time) => `I was away ${time}, when this was due:`,
  missedTask: (time, task) => `⏰ I was away ${time}, when this task was due, and have not done it: ${task}`,
  placeGone: (task) => `⏰ The place where you gave me this task is gone, so I have ended it: ${task}`,
  gone: 'This reminder is over, or was cancelled already.',
  notYours: 'This reminder belongs to somebody else.',
  tryAgain: 'That did not work right now. Please try again.',
  full: (most) => `You have ${most} reminders, the most there may be. Cancel one first.`,
  nothing: 'Write what I am to say.',
  tooLong: (most) => `That is too long: at most ${most} characters.`,
  noTime: (text) =>
    `I read no time in "${text}". Write it like "tomorrow at 9", "in 20 minutes", "every weekday at 7" or 2026-12-24 18:00.`,
  passed: (time) => `${time} has passed. Write a later time.`,
  passedMeanwhile: 'Its time has passed meanwhile. Change it, or cancel it.',
  tooOften: 'That is too often: at most once a minute.',
  badCron: (why) => `That is no time I can keep: ${why}.`,
  cannot: (instead) =>
    `I cannot count every other one, only days, weekdays and dates. What I can do:\n${instead.join('\n')}`,
  askZone: 'Is that not your time zone? Choose yours, I ask only this once.',
  zoneMenu: 'Your time zone',
  listMenu: 'Choose one to change or cancel',
  form: { title: 'Change the reminder', when: 'When', what: 'What I say then' },
  askMove: (count, from, to) =>
    `You have ${count === 1 ? 'a reminder' : `${count} reminders`} by the clock of ${from}. Shall ${count === 1 ? 'it' : 'they'} come at the same time of day in ${to}?`,
  moved: (count, to) =>
    `✓ ${count === 1 ? 'One reminder goes' : `${count} reminders go`} by the clock of ${to} now.`,
  notMoved: (count) =>
    `${count === 1 ? 'One stays' : `${count} stay`} as before: the time has passed there already.`,
  kept: '✓ They stay as they are.',
};

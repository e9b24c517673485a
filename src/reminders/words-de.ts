import type { ReminderWords } from './words.ts';

export const german: ReminderWords = {
  set: (time, zone) => `⏰ ${time} (${zone}).`,
  following: (times) => `Dann ${times.join(', ')} und so weiter.`,
  buttons: {
    change: 'Ändern',
    cancel: 'Absagen',
    done: 'Erledigt',
    snooze10: 'In 10 min',
    snooze60: 'In 1 h',
    tomorrow: 'Morgen',
    stop: 'Beenden',
    pause: 'Aussetzen',
    resume: 'Fortsetzen',
    doNow: 'Jetzt tun',
    move: 'Verschieben',
    keep: 'So lassen',
  },
  cancelled: '✖ Abgesagt:',
  stopped: '⏹ Sie kommt nicht wieder.',
  paused: '⏸ Ausgesetzt.',
  snoozed: (time) => `💤 Noch einmal ${time}.`,
  due: (time) => `(fällig ${time})`,
  missed: (time) => `${time} war ich nicht da, als das fällig war:`,
  missedTask: (time, task) =>
    `⏰ ${time} war ich nicht da, als diese Aufgabe fällig war, und habe sie nicht getan: ${task}`,
  placeGone: (task) =>
    `⏰ Den Ort, an dem du mir diese Aufgabe gegeben hast, gibt es nicht mehr. Ich habe sie beendet: ${task}`,
  gone: 'Diese Erinnerung ist vorbei oder schon abgesagt.',
  notYours: 'Diese Erinnerung gehört jemand anderem.',
  tryAgain: 'Das ging gerade nicht. Bitte versuch es noch einmal.',
  full: (most) => `Du hast ${most} Erinnerungen, mehr geht nicht. Lösche zuerst eine.`,
  nothing: 'Schreib, was ich sagen soll.',
  tooLong: (most) => `Das ist zu lang: höchstens ${most} Zeichen.`,
  noTime: (text) =>
    `In „${text}“ lese ich keine Zeit. Schreib sie wie „morgen um 9“, „in 20 Minuten“, „werktags um 7“ oder 2026-12-24 18:00.`,
  passed: (time) => `${time} ist vorbei. Schreib eine spätere Zeit.`,
  passedMeanwhile: 'Ihre Zeit ist inzwischen vorbei. Ändere sie, oder sag sie ab.',
  tooOften: 'Das ist zu oft: höchstens einmal in der Minute.',
  badCron: (why) => `Diese Zeit kann ich nicht einhalten: ${why}.`,
  cannot: (instead) =>
    `Jedes zweite Mal kann ich nicht zählen, nur Tage, Wochentage und Daten. Was geht:\n${instead.join('\n')}`,
  askZone: 'Das ist nicht deine Zeitzone? Wähle deine, ich frage nur dieses eine Mal.',
  zoneMenu: 'Deine Zeitzone',
  listMenu: 'Wähle eine zum Ändern oder Absagen',
  form: { title: 'Die Erinnerung ändern', when: 'Wann', what: 'Was ich dann sage' },
  askMove: (count, from, to) =>
    `Du hast ${count === 1 ? 'eine Erinnerung' : `${count} Erinnerungen`} nach der Uhr von ${from}. ${count === 1 ? 'Soll sie' : 'Sollen sie'} zur gleichen Uhrzeit in ${to} kommen?`,
  moved: (count, to) =>
    `✓ ${count === 1 ? 'Eine Erinnerung richtet sich' : `${count} Erinnerungen richten sich`} jetzt nach der Uhr von ${to}.`,
  notMoved: (count) =>
    `${count === 1 ? 'Eine bleibt' : `${count} bleiben`}, wie ${count === 1 ? 'sie war' : 'sie waren'}: Dort ist die Zeit schon vorbei.`,
  kept: '✓ Sie bleiben, wie sie sind.',
};

/** What people ask of the bot itself on the page: reminders, by command and by button. */
import type { WebHandlers } from '../adapters/web/server.ts';
import { answerCommand } from '../commands/answer-command.ts';
import { readCommandLine } from '../commands/read-command-line.ts';
import type { Dialect } from '../domain/command.ts';
import type { UserId } from '../domain/ids.ts';
import { answerPress, formFor } from '../reminders/answer-press.ts';
import { isZone, spokenTime } from '../time/zone.ts';
import { type App, remindersOf, zoneOf } from './compose.ts';

export function webHandlers(app: App): WebHandlers {
  const { people, config } = app;
  const means = { ...app, reminders: remindersOf(app), defaultZone: config.defaultZone };
  const dialectOf = async (person: UserId, locale: string | undefined): Promise<Dialect> => {
    const { zone: own } = await zoneOf(app, person);
    return {
      maxChars: Number.MAX_SAFE_INTEGER,
      command: (name) => `/${name}`,
      time: (at, zone = own) => spokenTime(at, zone, locale),
      // The page shows no markup but its own.
      text: (words) => words,
    };
  };
  return {
    async answerPress(press, by, form) {
      return answerPress(press, by, await dialectOf(by.person, by.address.locale), means, form);
    },
    async formFor(press, by) {
      return formFor(press, by, await dialectOf(by.person, by.address.locale), means);
    },
    async command(line, by) {
      const command = readCommandLine(line);
      if (command === undefined || !command.name.startsWith('remind')) return undefined;
      return answerCommand(command, by, await dialectOf(by.person, by.address.locale), means);
    },
    async noteZone(person, zone) {
      if (isZone(zone)) await people.noteZone(person, zone);
    },
  };
}

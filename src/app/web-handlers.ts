/** What people ask of the bot itself on the page, by command and by button. */
import type { WebHandlers } from '../adapters/web/server.ts';
import { answerCommand } from '../commands/answer-command.ts';
import { plainDialect } from '../commands/plain-dialect.ts';
import { readCommandLine } from '../commands/read-command-line.ts';
import type { UserId } from '../domain/ids.ts';
import { answerPress, formFor } from '../reminders/answer-press.ts';
import { zoneNamed } from '../time/zone.ts';
import { type App, remindersOf, zoneOf } from './compose.ts';

export function webHandlers(app: App): WebHandlers {
  const { people, config } = app;
  const means = { ...app, reminders: remindersOf(app), defaultZone: config.defaultZone };
  const dialectOf = async (person: UserId, locale: string | undefined) =>
    plainDialect((await zoneOf(app, person)).zone, locale);
  return {
    async answerPress(press, by, form) {
      return answerPress(press, by, await dialectOf(by.person, by.address.locale), means, form);
    },
    async formFor(press, by) {
      return formFor(press, by, await dialectOf(by.person, by.address.locale), means);
    },
    async command(line, by) {
      const command = readCommandLine(line);
      if (command === undefined) return undefined;
      return answerCommand(command, by, await dialectOf(by.person, by.address.locale), means);
    },
    async noteZone(person, zone) {
      const named = zoneNamed(zone);
      if (named !== undefined) await people.noteProfile(person, { platformZone: named });
    },
  };
}

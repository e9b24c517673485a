/** Does what a command says, and answers it in one message of the platform's own markup. */
import type { Command, CommandBy, Dialect } from '../domain/command.ts';
import { cutText } from '../domain/cut-text.ts';
import type { UserId } from '../domain/ids.ts';
import { type ChangedChoices, linkCodeMs, type Preferences } from '../domain/person.ts';
import { maxActiveReminders, maxReminderChars } from '../domain/reminder.ts';
import type { Memories } from '../ports/memories.ts';
import type { People } from '../ports/people.ts';
import type { Reminders } from '../ports/reminders.ts';
import type { Clock } from '../ports/runtime.ts';
import { readTime } from '../time/when.ts';
import { zoneNamed } from '../time/zone.ts';
import { type CommandWords, commandWords } from './words.ts';

export interface CommandMeans {
  readonly people: People;
  readonly memories: Pick<Memories, 'list' | 'forget'>;
  readonly reminders: Pick<Reminders, 'add' | 'list' | 'made'>;
  readonly clock: Clock;
  /** IANA zone of people who have set none. */
  readonly defaultZone: string;
}

/** Of one reminder or memory in a list. Unit: code points. */
const maxShownChars = 240;

/** May be called again with the same key: only `memory forget` and `link` are then done anew. Rejects while the store is away. */
export async function answerCommand(
  command: Command,
  by: CommandBy,
  dialect: Dialect,
  means: CommandMeans,
): Promise<string> {
  const { people, memories, clock } = means;
  const { person } = by;
  const preferences = await people.preferences(person);
  const words = commandWords(preferences.language ?? by.address.locale ?? preferences.locale);
  const say = (name: Parameters<Dialect['command']>[0]) => dialect.command(name);
  const shown = (text: string) => dialect.text(cutText(text.replaceAll(/\s+/g, ' '), maxShownChars));
  switch (command.name) {
    case 'help':
      return words.help(say);
    case 'reminders': {
      const lines = (await means.reminders.list(person)).map(
        ({ id, message, nextAt }) => `- ${dialect.time(nextAt)} ${shown(message)} (\`${id}\`)`,
      );
      return lines.length === 0 ? words.noReminders(say) : listOf(lines, '', words, dialect);
    }
    case 'remind':
      return remind(command, by, { dialect, means, words, preferences });
    case 'memory list': {
      const lines = (await memories.list(person)).map(({ text }, at) => `${at + 1}. ${shown(text)}`);
      const end = `\n${words.howToForget(say)}`;
      return lines.length === 0 ? words.noMemories : listOf(lines, end, words, dialect);
    }
    case 'memory forget': {
      const found = (await memories.list(person))[command.number - 1];
      const gone = found && (await memories.forget(person, found.id));
      return gone === undefined ? words.noSuchMemory(command.number, say) : words.forgotten(shown(gone.text));
    }
    case 'settings': {
      const problem = problemOf(command.change, words, shown);
      if (problem !== undefined) return problem;
      const [, ...linked] = await people.accountsOf(person);
      const { defaultZone } = means;
      if (Object.keys(command.change).length === 0)
        return settingsOf(preferences, words, { defaultZone, linked });
      await people.choose(person, spelled(command.change));
      const changed = await people.preferences(person);
      // From here on in the language that was chosen.
      const now = commandWords(changed.language ?? by.address.locale ?? changed.locale);
      return `${now.saved}\n${settingsOf(changed, now, { defaultZone, linked })}`;
    }
    case 'link': {
      if (command.code === undefined) {
        const code = await people.offerLink(person);
        return words.linkCode(code, dialect.time(clock.now() + linkCodeMs), say);
      }
      const linked = await people.link(person, command.code);
      if (linked === 'unknown') return words.unknownCode(say);
      return linked === 'own' ? words.ownCode : words.linked(accountsIn(linked), say);
    }
    case 'unlink':
      return (await people.unlink(person)) ? words.unlinked : words.notLinked;
  }
}

interface Reminding {
  readonly dialect: Dialect;
  readonly means: CommandMeans;
  readonly words: CommandWords;
  readonly preferences: Preferences;
}

async function remind(
  { when, what }: Extract<Command, { readonly name: 'remind' }>,
  { person: owner, key, conversation, address }: CommandBy,
  { dialect, means, words, preferences }: Reminding,
): Promise<string> {
  const { reminders, clock, defaultZone } = means;
  const tz = preferences.zone ?? defaultZone;
  const confirmed = (at: number) => {
    const hint =
      preferences.zone === undefined ? `\n${words.guessedZone((name) => dialect.command(name))}` : '';
    return `${words.reminded(dialect.time(at), tz)} ${dialect.text(cutText(what, maxShownChars))}${hint}`;
  };
  // Looked up first: at a repetition the time may have passed already.
  const made = await reminders.made(key);
  if (made !== undefined) return confirmed(made.nextAt);
  if (what.length > maxReminderChars) return words.tooLong(maxReminderChars);
  const now = clock.now();
  const locale = preferences.language ?? address.locale;
  const at = readTime(when, { tz, now, locale });
  if (at === undefined) return words.noTime(dialect.text(cutText(when, 60)));
  if (at <= now) return words.timePassed(dialect.time(at));
  const schedule = { kind: 'at', at } as const;
  const draft = {
    owner,
    conversation,
    address,
    kind: 'reminder',
    message: what,
    schedule,
    tz,
    nextAt: at,
  } as const;
  const reminder = await reminders.add(draft, key);
  return reminder === 'full' ? words.tooManyReminders(maxActiveReminders) : confirmed(reminder.nextAt);
}

function problemOf(
  { language, zone }: ChangedChoices,
  words: CommandWords,
  shown: (text: string) => string,
): string | undefined {
  if (zone !== undefined && zoneNamed(zone) === undefined) return words.noZone(shown(zone));
  if (language !== undefined && nameOf(language, language) === undefined)
    return words.noLanguage(shown(language));
  return undefined;
}

/** A zone under its own name, however it was typed. */
function spelled(change: ChangedChoices): ChangedChoices {
  return change.zone === undefined ? change : { ...change, zone: zoneNamed(change.zone) };
}

function settingsOf(
  { language, zone, style }: Preferences,
  words: CommandWords,
  { defaultZone, linked }: { readonly defaultZone: string; readonly linked: readonly UserId[] },
): string {
  const own = language === undefined ? words.asYouWrite : (nameOf(language, language) ?? language);
  return [
    `${words.settings.language}: ${own}`,
    `${words.settings.zone}: ${zone ?? words.zoneOfDocent(defaultZone)}`,
    `${words.settings.style}: ${words.styles[style ?? 'balanced']}`,
    ...(linked.length === 0 ? [] : [`${words.settings.linked}: ${accountsIn(linked)}`]),
  ].join('\n');
}

/** `Deutsch` for `de`; undefined for what is no language. */
function nameOf(language: string, inLanguage: string): string | undefined {
  try {
    return new Intl.DisplayNames([inLanguage], { type: 'language', fallback: 'none' }).of(language);
  } catch {
    return undefined; // no tag of a language
  }
}

/** `Discord, Slack`: where they are; ids mean nothing to people. */
function accountsIn(accounts: readonly UserId[]): string {
  const places = accounts.map((account) => account.slice(0, account.indexOf(':')));
  return [...new Set(places)].map((place) => placeNames[place] ?? place).join(', ');
}

const placeNames: Readonly<Record<string, string>> = {
  discord: 'Discord',
  slack: 'Slack',
  web: 'Docent’s page',
  term: 'the terminal',
};

/** As many lines as a message holds, and how many are left out. */
function listOf(
  lines: readonly string[],
  end: string,
  { more }: CommandWords,
  { maxChars }: Dialect,
): string {
  const whole = [...lines, end].join('\n').trimEnd();
  if (whole.length <= maxChars) return whole;
  const room = maxChars - end.length - more(lines.length).length - 2;
  let count = 0;
  for (let size = 0; count < lines.length; count += 1) {
    size += (lines[count]?.length ?? 0) + 1;
    if (size > room) break;
  }
  return [...lines.slice(0, count), more(lines.length - count), end].join('\n').trimEnd();
}

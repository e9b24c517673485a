/** Does what a command says, and answers it in one message of the platform's own markup. */
import type { Command, CommandBy, Dialect } from '../domain/command.ts';
import type { PressReply, Said } from '../domain/controls.ts';
import { cutText } from '../domain/cut-text.ts';
import type { UserId } from '../domain/ids.ts';
import { type ChangedChoices, linkCodeMs, type Preferences, zoneIn } from '../domain/person.ts';
import { maxActiveReminders, maxReminderChars, type Reminder } from '../domain/reminder.ts';
import type { Memories } from '../ports/memories.ts';
import type { People } from '../ports/people.ts';
import type { Reminders } from '../ports/reminders.ts';
import type { Clock } from '../ports/runtime.ts';
import { answerPress } from '../reminders/answer-press.ts';
import { isByClock } from '../reminders/changes.ts';
import { pressOf } from '../reminders/press.ts';
import { problemWith } from '../reminders/problems.ts';
import { confirmation, listLine, listMenu } from '../reminders/shown.ts';
import { reminderWords } from '../reminders/words.ts';
import { readSchedule } from '../time/read-schedule.ts';
import { zoneNamed } from '../time/zone.ts';
import { type CommandWords, commandWords } from './words.ts';

export interface CommandMeans {
  readonly people: People;
  readonly memories: Pick<Memories, 'list' | 'forget'>;
  readonly reminders: Reminders;
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
): Promise<Said> {
  const said = await saidTo(command, by, dialect, means);
  return typeof said === 'string' ? { text: said } : said;
}

async function saidTo(
  command: Command,
  by: CommandBy,
  dialect: Dialect,
  means: CommandMeans,
): Promise<string | Said> {
  const { people, memories, clock } = means;
  const { person } = by;
  const preferences = await people.preferences(person);
  const words = commandWords(preferences.language ?? by.address.locale ?? preferences.locale);
  const say = (name: Parameters<Dialect['command']>[0]) => dialect.command(name);
  const shown = (text: string) => dialect.text(cutText(text.replaceAll(/\s+/g, ' '), maxShownChars));
  switch (command.name) {
    case 'help':
      return words.help(say);
    case 'reminders':
      return listReminders(by, { dialect, means, words, preferences });
    case 'reminders do':
      return doWith(command, by, dialect, means);
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
      const text = `${now.saved}\n${settingsOf(changed, now, { defaultZone, linked })}`;
      return withMove(text, by, { dialect, means, words: now, preferences: changed });
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

interface Setting {
  readonly dialect: Dialect;
  readonly means: CommandMeans;
  readonly words: CommandWords;
  readonly preferences: Preferences;
}

async function remind(
  { when, what }: Extract<Command, { readonly name: 'remind' }>,
  by: CommandBy,
  setting: Setting,
): Promise<string | Said> {
  const { person: owner, key, conversation, address } = by;
  const { dialect, means } = setting;
  const { reminders, people, clock } = means;
  const view = viewOf(by, setting);
  const { words } = view;
  const { zone: tz, isGuess } = zoneFor(setting);
  const now = clock.now();
  const confirmed = async (reminder: Reminder) => {
    const isAsked = isGuess && isByClock(reminder) && (await people.mayAskZone(owner));
    const said = confirmation(reminder, view, isAsked ? { now } : undefined);
    if (!isGuess || isAsked || !isByClock(reminder)) return said;
    return { ...said, text: `${said.text}\n${setting.words.guessedZone((name) => dialect.command(name))}` };
  };
  // Looked up first: at a repetition the time may have passed already.
  const made = await reminders.made(key);
  if (made !== undefined) return confirmed(made);
  if (what.trim() === '') return words.nothing;
  if (what.length > maxReminderChars) return words.tooLong(maxReminderChars);
  const locale = setting.preferences.language ?? address.locale;
  const read = readSchedule(when, 'reminder', { tz, now, locale });
  if (read.kind !== 'read') return problemWith(read, { written: when, tz, now }, view);
  const { schedule, nextAt } = read;
  const asked = schedule.kind === 'at' ? {} : { asked: when };
  const draft = {
    owner,
    conversation,
    address,
    kind: 'reminder',
    message: what,
    schedule,
    tz,
    nextAt,
  } as const;
  const reminder = await reminders.add({ ...draft, ...asked }, key);
  return reminder === 'full' ? words.full(maxActiveReminders) : confirmed(reminder);
}

async function listReminders(by: CommandBy, setting: Setting): Promise<string | Said> {
  const { dialect, means, words } = setting;
  const view = viewOf(by, setting);
  const all = await means.reminders.list(by.person);
  const lines = all.map((reminder) => `- ${listLine(reminder, view)}`);
  const menu = listMenu(all, view.words);
  if (menu === undefined) return words.noReminders((name) => dialect.command(name));
  return { text: listOf(lines, '', words, dialect), controls: { buttons: [], menu } };
}

/** What is pressed elsewhere, in words. */
async function doWith(
  { action, id, rest }: Extract<Command, { readonly name: 'reminders do' }>,
  by: CommandBy,
  dialect: Dialect,
  means: CommandMeans,
): Promise<PressReply> {
  const owner = by.person;
  const said = action === 'snooze' ? await means.reminders.said(owner, id) : undefined;
  const extra = action === 'snooze' ? `${rest}:${said?.nextAt ?? ''}` : '';
  const form = new Map(action === 'change' ? [['when', rest]] : []);
  return answerPress(
    pressOf(action, { owner, id }, extra),
    { ...by, isManager: false },
    dialect,
    means,
    form,
  );
}

/** Who moves to another zone is asked about what goes by the clock of the last one. */
async function withMove(text: string, by: CommandBy, setting: Setting): Promise<string | Said> {
  const { means } = setting;
  const { zone } = zoneFor(setting);
  const all = await means.reminders.list(by.person);
  const elsewhere = all.filter((each) => each.tz !== zone && isByClock(each));
  const from = elsewhere[0]?.tz;
  if (from === undefined) return text;
  const { words } = viewOf(by, setting);
  const { length: count } = elsewhere.filter(({ tz }) => tz === from);
  const about = { owner: by.person, id: '' };
  const move = { label: words.buttons.move, press: pressOf('move', about, from), typed: '/reminders move' };
  const keep = { label: words.buttons.keep, press: pressOf('keep', about) };
  return { text: `${text}\n${words.askMove(count, from, zone)}`, controls: { buttons: [move, keep] } };
}

function viewOf({ address }: CommandBy, { dialect, preferences }: Setting) {
  const { language, locale } = preferences;
  return { dialect, words: reminderWords(language ?? address.locale ?? locale) };
}

function zoneFor({ means, preferences }: Setting): { readonly zone: string; readonly isGuess: boolean } {
  const known = zoneIn(preferences);
  return { zone: known ?? means.defaultZone, isGuess: known === undefined };
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
  { language, zone, platformZone, style }: Preferences,
  words: CommandWords,
  { defaultZone, linked }: { readonly defaultZone: string; readonly linked: readonly UserId[] },
): string {
  const own = language === undefined ? words.asYouWrite : (nameOf(language, language) ?? language);
  return [
    `${words.settings.language}: ${own}`,
    `${words.settings.zone}: ${zone ?? words.zoneOfDocent(platformZone ?? defaultZone)}`,
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

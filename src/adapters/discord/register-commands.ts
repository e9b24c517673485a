/** Makes Discord's list of commands equal to ours; nothing is written when it is. */
import { Routes } from 'discord.js';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { commandList } from './command-list.ts';
import { isRefused } from './failures.ts';
import { inviteLink } from './permissions.ts';
import type { Rest } from './rest.ts';

export interface RegisteringMeans {
  readonly rest: Rest;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends all waiting. */
  readonly signal: AbortSignal;
  /** For the operator. */
  readonly tell: (sentence: string) => void;
}

const firstWaitMs = 1_000;
const longestWaitMs = 5 * 60_000;

/** Goes on trying; without its commands the bot still answers. */
export async function keepRegistering(scope: CommandScope, means: RegisteringMeans): Promise<void> {
  const { rest, clock, log, signal, tell } = means;
  for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      log.info({ commands: await registerCommands(rest, scope) }, 'the commands are in place');
      return;
    } catch (error) {
      if (isRefused(error))
        return tell(
          `Discord refuses the commands of the bot: ${error.message}. Open ${inviteLink(scope.applicationId)} and choose the server.`,
        );
      log.warn({ error }, 'the commands could not be registered; it is tried again');
      await clock.sleep(waitMs, signal).catch(() => {}); // the process ends
    }
  }
}

export interface CommandScope {
  readonly applicationId: string;
  /** The only server that gets the commands; undefined: all. */
  readonly guildId: string | undefined;
  /** The server that was the only one the last time, whichever process it was; kept over restarts. */
  readonly lastGuild: { get(): Promise<string | undefined>; set(guildId: string): Promise<void> };
}

/** Safe at every start, of any number of processes. */
export async function registerCommands(
  rest: Rest,
  { applicationId, guildId, lastGuild }: CommandScope,
): Promise<'registered' | 'unchanged'> {
  const everywhere = Routes.applicationCommands(applicationId);
  const inServer = (id: string) => Routes.applicationGuildCommands(applicationId, id);
  const last = await lastGuild.get();
  if (guildId !== undefined) await lastGuild.set(guildId);
  const wanted = guildId === undefined ? everywhere : inServer(guildId);
  const done = await makeEqual(rest, wanted, commandList);
  // Where both are, people see each command twice.
  if (guildId !== undefined) await makeEqual(rest, everywhere, []);
  if (last !== undefined && last !== '' && last !== guildId) {
    await makeEqual(rest, inServer(last), []).catch((error: unknown) => {
      if (!isRefused(error)) throw error; // the bot is not there any more, nor are its commands
    });
    await lastGuild.set(guildId ?? '');
  }
  return done;
}

async function makeEqual(
  rest: Rest,
  route: `/${string}`,
  wanted: typeof commandList,
): Promise<'registered' | 'unchanged'> {
  const query = new URLSearchParams({ with_localizations: 'true' });
  const { body: there } = await rest({ method: 'GET', route, query });
  if (keyOf(there) === keyOf(wanted)) return 'unchanged';
  await rest({ method: 'PUT', route, body: wanted });
  return 'registered';
}

const compared = new Set(
  'type name name_localizations description description_localizations contexts options choices value required autocomplete max_length min_value'.split(
    ' ',
  ),
);

/** What we say about commands, in one order, without what Discord adds. */
function keyOf(commands: unknown): string {
  const list = Array.isArray(commands) ? commands.map(said) : [];
  return list.toSorted().join('\n');
}

function said(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(said).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value)
    .filter(([name, each]) => compared.has(name) && !isDefault(each))
    .map(([name, each]) => `${name}:${name.endsWith('_localizations') ? allOf(each) : said(each)}`);
  return `{${fields.toSorted().join()}}`;
}

/** Every language counts, also one that we do not have any more. */
function allOf(localised: unknown): string {
  const texts = typeof localised === 'object' && localised !== null ? Object.entries(localised) : [];
  return texts
    .map((each) => JSON.stringify(each))
    .toSorted()
    .join();
}

/** Discord answers with these where nothing was said, or leaves them out. */
function isDefault(value: unknown): boolean {
  const isEmpty = Array.isArray(value) && value.length === 0;
  return value === null || value === undefined || value === '' || value === false || isEmpty;
}

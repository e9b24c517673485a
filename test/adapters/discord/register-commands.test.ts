// Commands are put in place once, for all servers or for one.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { commandIn, commandList } from '../../../src/adapters/discord/command-list.ts';
import { registerCommands } from '../../../src/adapters/discord/register-commands.ts';
import { discordRest, type Rest } from '../../../src/adapters/discord/rest.ts';
import { type FakeDiscord, startDiscord } from '../../support/discord/server.ts';

let discord: FakeDiscord;
let rest: Rest;
beforeAll(async () => {
  discord = await startDiscord();
});
afterAll(() => discord.close());
beforeEach(async () => {
  await discord.startAnew();
  rest = discordRest(discord);
  last = undefined;
});

const names = async (server?: string) =>
  (await (server === undefined ? discord.commands() : discord.commands(server))).map(({ name }) => name);
const ours = commandList.map(({ name }) => name);
let last: string | undefined;
const lastGuild = { get: async () => last, set: async (id: string) => void (last = id) };
const scope = (guildId?: string) => ({ applicationId: discord.applicationId, guildId, lastGuild });

test('they are registered once, however often it is asked for', async () => {
  expect(await registerCommands(rest, scope())).toBe('registered');
  expect(await registerCommands(rest, scope())).toBe('unchanged');
  expect(await names()).toEqual(ours);
  expect(await discord.calls('set_commands')).toHaveLength(1);
  expect(await discord.violations()).toEqual([]);
});

test('for one server they go from all others', async () => {
  const { guildId } = discord;
  await registerCommands(rest, scope());
  expect(await registerCommands(rest, scope(guildId))).toBe('registered');
  expect(await registerCommands(rest, scope(guildId))).toBe('unchanged');
  expect(await names(guildId)).toEqual(ours);
  expect(await names()).toEqual([]);
});

test('for all servers again, or for another one, they go from the one that had them', async () => {
  const { guildId } = discord;
  const other = await discord.addServer('Chess club');
  await registerCommands(rest, scope(guildId));
  await registerCommands(rest, scope(other));
  expect([await names(guildId), await names(other)]).toEqual([[], ours]);
  await discord.kickBot(other);
  await registerCommands(rest, scope());
  expect(await names()).toEqual(ours);
  await registerCommands(rest, scope(guildId));
  await registerCommands(rest, scope());
  expect([await names(), await names(guildId)]).toEqual([ours, []]);
});

test.each([
  ['another description', { description: 'old' }],
  ['another name in German', { name_localizations: { de: 'alt' } }],
  ['another option', { options: [{ type: 3, name: 'old', description: 'old' }] }],
])('a list with %s is replaced', async (_, change) => {
  const old = commandList.map((command, at) => (at === 0 ? { ...command, ...change } : command));
  await rest({ method: 'PUT', route: `/applications/${discord.applicationId}/commands`, body: old });
  expect(await registerCommands(rest, scope())).toBe('registered');
  expect(await registerCommands(rest, scope())).toBe('unchanged');
});

test('they have names in three languages', () => {
  expect(commandIn('de', 'memory forget')).toBe('`/gedächtnis vergiss`');
  expect(commandIn('zh-CN', 'ask')).toBe('`/提问`');
  expect(commandIn('fr', 'explain')).toBe('**Explain this**');
});

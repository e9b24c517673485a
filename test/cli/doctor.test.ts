// `docent doctor` against the fake: what is right is said, and each failure comes with its remedy.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { PermissionsBitField } from 'discord.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inviteLink, neededPermissions, permissionsInteger } from '../../src/adapters/discord/permissions.ts';
import { findingsFor, linesOf } from '../../src/cli/doctor.ts';
import { systemClock } from '../../src/observe/clock.ts';
import type { Clock } from '../../src/ports/runtime.ts';
import { type FakeDiscord, startDiscord } from '../support/discord/server.ts';

let discord: FakeDiscord;
const noSlack = { botToken: undefined, appToken: undefined, apiUrl: '', client: undefined };

beforeAll(async () => {
  discord = await startDiscord();
});
afterAll(() => discord.close());
beforeEach(() => discord.startAnew());

async function lines(
  change: Partial<{ token: string; apiUrl: string; guildId: string }> = {},
  clock: Clock = systemClock,
) {
  const { token, apiUrl } = discord;
  const findings = await findingsFor(
    { discord: { token, apiUrl, guildId: undefined, ...change }, slack: noSlack },
    clock,
  );
  return findings.map(linesOf);
}

test('everything is in order', async () => {
  expect(await lines()).toEqual([
    '✓ DISCORD_TOKEN is accepted: docent.',
    `✓ The application id is ${discord.applicationId}.`,
    '✓ The Message Content Intent is on.',
    '✓ Study group: all permissions are there.',
    '✓ The clock is right.',
  ]);
  expect(await discord.violations()).toEqual([]);
});

test('no token', async () => {
  const findings = await findingsFor(
    { discord: { token: undefined, apiUrl: '', guildId: undefined }, slack: noSlack },
    systemClock,
  );
  expect(findings.map(linesOf)).toEqual([
    '✗ DISCORD_TOKEN is not set.\n  → Make a bot as docs/discord.md says, and write its token into .env as DISCORD_TOKEN=…',
    '✗ SLACK_BOT_TOKEN is not set.\n  → Make an app as docs/slack.md says, and write its tokens into .env as SLACK_BOT_TOKEN=… and SLACK_APP_TOKEN=…',
  ]);
});

test('a wrong token', async () => {
  expect(await lines({ token: 'wrong' })).toEqual([
    '✗ Discord refuses DISCORD_TOKEN.\n  → Copy the token again from the page "Bot" in the developer portal (https://discord.com/developers/applications); "Reset Token" makes a new one.',
  ]);
});

test('an address where nobody answers', async () => {
  const [line = ''] = await lines({ apiUrl: 'http://127.0.0.1:9/api' });
  expect(line).toMatch(
    /^✗ Discord does not answer at http:\/\/127\.0\.0\.1:9\/api: .+\.\n {2}→ Check the connection/,
  );
});

test('the intent is off', async () => {
  await discord.portal({ messageContent: false });
  expect((await lines())[2]).toBe(
    '✗ The Message Content Intent is off: messages in threads arrive empty.\n  → Open https://discord.com/developers/applications, your application, page "Bot", turn "Message Content Intent" on and save.',
  );
});

test('the bot is in no server, or not in the one that is set', async () => {
  const invite = `  → Open ${inviteLink(discord.applicationId)} and choose the server.`;
  expect((await lines({ guildId: '1593540240998400999' }))[3]).toBe(
    `✗ The bot is not in the server 1593540240998400999 (DISCORD_GUILD_ID).\n${invite}`,
  );
  await discord.kickBot();
  expect((await lines())[3]).toBe(`✗ The bot is in no server yet.\n${invite}`);
});

test('each server is looked at, or only the one that is set', async () => {
  await discord.addServer('Chess club');
  expect((await lines()).slice(3, 5)).toEqual([
    '✓ Study group: all permissions are there.',
    '✓ Chess club: all permissions are there.',
  ]);
  expect((await lines({ guildId: discord.guildId })).slice(3)).toEqual([
    '✓ Study group: all permissions are there.',
    '✓ The clock is right.',
  ]);
});

test('permissions are missing', async () => {
  await discord.setPermissions([
    'ViewChannel',
    'SendMessages',
    'ReadMessageHistory',
    'AttachFiles',
    'AddReactions',
  ]);
  expect((await lines())[3]).toBe(
    '✗ Study group: the bot lacks Send Messages in Threads, Create Public Threads.\n  → In Discord open Server Settings, Roles, the role of the bot, and turn them on.',
  );
});

test('the clock is off', async () => {
  const slow = { ...systemClock, now: () => systemClock.now() - 90_000 };
  expect((await lines({}, slow)).at(-1)).toMatch(
    /^✗ The clock of this machine is (?:89|9[01]) s slow: reminders/,
  );
});

test('the number in the invite link is the permissions that are needed', () => {
  expect(new PermissionsBitField(permissionsInteger).toArray()).toHaveLength(neededPermissions.length);
  expect(inviteLink('42')).toBe(
    `https://discord.com/oauth2/authorize?client_id=42&scope=bot+applications.commands&permissions=${permissionsInteger}`,
  );
  const page = readFileSync('docs/discord.md', 'utf8');
  expect(page).toContain(inviteLink('APPLICATION_ID'));
  for (const { name } of neededPermissions) expect(page).toContain(`| ${name} |`);
});

test('as a command: it prints, and its exit code says whether something has to be mended', async () => {
  const run = async (token: string) => {
    const env = { ...process.env, DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl };
    const cli = path.resolve('src/cli/cli.ts');
    const tsx = path.resolve('node_modules/.bin/tsx');
    const cwd = mkdtempSync(path.join(tmpdir(), 'docent-doctor-'));
    return promisify(execFile)(tsx, [cli, 'doctor'], { env, cwd }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
    );
  };
  const good = await run(discord.token);
  expect(good.code).toBe(0);
  expect(good.stdout).toContain('✓ DISCORD_TOKEN is accepted: docent.');
  expect((await run('wrong')).code).toBe(1);
});

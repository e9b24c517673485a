// docs/discord.md is followed to the letter, from an empty .env, with nothing else known but where the fake is.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { GatewayIntentBits, PermissionsBitField } from 'discord.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FakeDiscord, startDiscord } from '../support/discord/server.ts';
import { read, rowsOf, section } from '../support/documents.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const page = read('docs/discord.md');
const folder = mkdtempSync(path.join(tmpdir(), 'docent-setup-'));
let discord: FakeDiscord;
let docent: ChildProcess | undefined;
let output = '';

beforeAll(async () => {
  discord = await startDiscord();
});
afterAll(async () => {
  const gone = docent && new Promise((resolve) => docent?.once('exit', resolve));
  docent?.kill('SIGTERM');
  await gone;
  await discord.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What the page says in a place, or the reason why it cannot be followed. */
function told(title: string, pattern: RegExp): string {
  const [, found] = pattern.exec(section(page, title)) ?? [];
  if (found === undefined) throw new Error(`docs/discord.md, "${title}" does not say ${pattern}`);
  return found;
}

/** `npm start -- …` of the page, in the folder with the .env; the page's command is checked to be that. */
function commandIn(title: string): { readonly args: string[]; readonly env: NodeJS.ProcessEnv } {
  const line = told(title, /```sh manual\n(npm start.*)\n```/);
  const given = line
    .replace(/^npm start(?: -- )?/, '')
    .split(' ')
    .filter(Boolean);
  const env = { PATH: process.env['PATH'], DISCORD_API_URL: discord.apiUrl, PORT: '0' };
  return { args: [path.resolve('dist/cli.js'), ...(given.length > 0 ? given : ['start'])], env };
}

async function doctor(): Promise<{ code: number; lines: string[] }> {
  const { args, env } = commandIn('Check');
  return promisify(execFile)(process.execPath, args, { cwd: folder, env }).then(
    ({ stdout }) => ({ code: 0, lines: stdout.trim().split('\n') }),
    (error: { code: number; stdout: string }) => ({
      code: error.code,
      lines: error.stdout.trim().split('\n'),
    }),
  );
}

test('from nothing to an answer', async () => {
  // A bot as the portal makes it: in no server, and without the intent.
  await discord.kickBot();
  await discord.portal({ messageContent: false });
  writeFileSync(path.join(folder, '.env'), '');
  expect((await doctor()).lines[0]).toBe('✗ DISCORD_TOKEN is not set.');

  const setting = told('Tell Docent', /```text\n(\w+=)the token\n```/);
  writeFileSync(path.join(folder, '.env'), `${setting}${discord.token}\n`);
  const before = await doctor();
  expect(before.code).toBe(1);
  expect(before.lines).toContain('✗ The Message Content Intent is off: messages in threads arrive empty.');
  expect(before.lines).toContain('✗ The bot is in no server yet.');

  expect(
    told('Let it read', /turn \*\*(Message Content Intent)\*\* on and press \*\*Save Changes\*\*/),
  ).toBeTruthy();
  await discord.portal({ messageContent: true });

  const link = new URL(told('Invite it', /`(https:\/\/discord\.com\/oauth2\/authorize\S+)`/));
  expect(link.searchParams.get('client_id')).toBe('APPLICATION_ID');
  expect(link.searchParams.get('scope')?.split(' ')).toEqual(['bot', 'applications.commands']);
  const permissions = link.searchParams.get('permissions') ?? '';
  const plain = (name: string) =>
    name
      .replaceAll(' ', '')
      .replace(/Channels$/, 'Channel')
      .toLowerCase();
  const named = rowsOf(section(page, 'Permissions')).map(([name = '']) => plain(name));
  const inLink = new PermissionsBitField(BigInt(permissions)).toArray().map(plain);
  expect(inLink.toSorted()).toEqual(named.toSorted());
  // Only what the link gives: the server itself gives nothing.
  await discord.setPermissions([]);
  await discord.inviteBot(discord.guildId, permissions);

  const after = await doctor();
  expect(after.lines.filter((line) => !line.startsWith('✓'))).toEqual([]);
  expect(after.code).toBe(0);

  const { args, env } = commandIn('Start');
  docent = spawn(process.execPath, args, { cwd: folder, env });
  for (const stream of [docent.stdout, docent.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const sign = told('Start', /`(Discord: connected)`/);
  await discord.until(
    async () => output,
    (text) => text.includes(sign),
    60_000,
  );

  const [session] = await discord.sessions();
  const intents = rowsOf(section(page, 'Let it read')).map(([name = '']) => name.replaceAll(' ', ''));
  const bits = intents.map((name) => GatewayIntentBits[name as keyof typeof GatewayIntentBits]);
  expect(session?.intents).toBe(bits.reduce((sum, bit) => sum | bit, 0));

  const question = await discord.say('mia', '@Docent 12*7');
  const answers = async (where: string) =>
    (await discord.messages(where)).filter(
      ({ author, content }) => author === 'Docent' && content.includes('84'),
    );
  const [answer] = await discord.until(
    () => answers('general'),
    // Over: what is written then is a turn of its own.
    ([only]) => only !== undefined && only.buttons.every(({ label }) => label !== 'Stop'),
    30_000,
  );
  expect(answer?.replyTo).toBe(question.id);
  await discord.until(
    () => discord.threads(),
    (threads) => threads.some(({ id }) => id === question.id),
  );
  // Go on there without a mention.
  await discord.say('mia', '6*7', { in: question.id });
  await discord.until(
    () => discord.messages(question.id),
    (all) => all.some(({ author, content }) => author === 'Docent' && content.includes('42')),
    30_000,
  );

  const commands = rowsOf(section(page, 'Commands')).flatMap(([name = '']) =>
    [...name.matchAll(/`\/(\w+)[^`]*`|\*\*(.+)\*\*/g)].map((match) => match[1] ?? match[2] ?? ''),
  );
  const registered = await discord.until(
    () => discord.commands(),
    (all) => all.length > 0,
  );
  expect([...new Set(commands)].toSorted()).toEqual(registered.map(({ name }) => name).toSorted());
  const { id } = await discord.command('mia', 'help');
  const help = await discord.until(
    () => discord.interaction(id),
    ({ answer: shown }) => (shown?.content ?? '') !== '',
  );
  expect(help.answer?.content).toContain('Mention me in a channel');
  expect(await discord.violations()).toEqual([]);
});

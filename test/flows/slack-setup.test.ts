// docs/slack.md is followed to the letter, from an empty .env, with nothing else known but where the fake is.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { read, rowsOf, section } from '../support/documents.ts';
import { type FakeSlack, startSlack } from '../support/slack/server.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const page = read('docs/slack.md');
const folder = mkdtempSync(path.join(tmpdir(), 'docent-setup-'));
let slack: FakeSlack;
let docent: ChildProcess | undefined;
let output = '';

beforeAll(async () => {
  slack = await startSlack();
});
afterAll(async () => {
  const gone = docent && new Promise((resolve) => docent?.once('exit', resolve));
  docent?.kill('SIGTERM');
  await gone;
  await slack.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What the page says in a place, or the reason why it cannot be followed. */
function told(title: string, pattern: RegExp): string {
  const [, found] = pattern.exec(section(page, title)) ?? [];
  if (found === undefined) throw new Error(`docs/slack.md, "${title}" does not say ${pattern}`);
  return found;
}

/** `npm start -- …` of the page, in the folder with the .env. */
function commandIn(title: string): { readonly args: string[]; readonly env: NodeJS.ProcessEnv } {
  const line = told(title, /```sh manual\n *(npm start.*)\n *```/);
  const given = line
    .replace(/^npm start(?: -- )?/, '')
    .split(' ')
    .filter(Boolean);
  const env = { PATH: process.env['PATH'], SLACK_API_URL: slack.apiUrl, PORT: '0' };
  return { args: [path.resolve('dist/cli.js'), ...(given.length > 0 ? given : ['start'])], env };
}

async function run(title: string): Promise<{ code: number; stdout: string }> {
  const { args, env } = commandIn(title);
  return promisify(execFile)(process.execPath, args, { cwd: folder, env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  );
}

async function doctor(): Promise<{ code: number; lines: string[] }> {
  const { code, stdout } = await run('Check');
  return { code, lines: stdout.trim().split('\n') };
}

interface Manifest {
  readonly oauth_config: { readonly scopes: { readonly bot: readonly string[] } };
  readonly settings: {
    readonly event_subscriptions: { readonly bot_events: readonly string[] };
    readonly socket_mode_enabled: boolean;
  };
}

test('from nothing to an answer', async () => {
  writeFileSync(path.join(folder, '.env'), '');
  expect((await doctor()).lines).toContain('✗ SLACK_BOT_TOKEN is not set.');

  // The app is made from what is printed, and may do that and nothing else.
  const { oauth_config: may, settings } = parse((await run('Make the app')).stdout) as Manifest;
  expect(may.scopes.bot).toEqual(
    rowsOf(section(page, 'What it may do')).flatMap(([name = '']) => scopeIn(name)),
  );
  expect(settings.socket_mode_enabled).toBe(true);
  await slack.setScopes([]);
  const bot = told('Tell Docent', /```text\n(\w+=)the token that begins with xoxb-\n/);
  const app = told('Tell Docent', /\n(\w+=)the token that begins with xapp-\n```/);
  writeFileSync(path.join(folder, '.env'), `${bot}${slack.token}\n${app}${slack.appToken}\n`);
  const before = await doctor();
  expect(before.code).toBe(1);
  expect(before.lines[1]).toMatch(/^✗ The app lacks app_mentions:read/);

  await slack.setScopes(may.scopes.bot);
  const after = await doctor();
  expect(after.lines.filter((line) => !line.startsWith('✓'))).toEqual([]);
  expect(after.code).toBe(0);

  const { args, env } = commandIn('Start');
  docent = spawn(process.execPath, args, { cwd: folder, env });
  for (const stream of [docent.stdout, docent.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const sign = told('Start', /`(Slack: connected)`/);
  await slack.until(
    async () => output,
    (text) => text.includes(sign),
    60_000,
  );

  const question = await slack.say('mia', '@Docent 12*7');
  const answers = async (has: string) =>
    (await slack.messages('general', { thread: question.ts })).filter(
      ({ author, shown }) => author === 'Docent' && shown.includes(has),
    );
  const isOver = (all: Awaited<ReturnType<typeof answers>>) =>
    all[0] !== undefined && all[0].buttons.some(({ label }) => label === '👍');
  const [answer] = await slack.until(() => answers('84'), isOver, 30_000);
  expect(answer?.thread).toBe(question.ts);
  // Go on there without a mention.
  await slack.say('mia', '6*7', { thread: question.ts });
  await slack.until(() => answers('42'), isOver, 30_000);
  // To the bot alone.
  await slack.say('mia', '5*11', { in: 'dm' });
  await slack.until(
    () => slack.messages('dm', { onlyFor: 'mia' }),
    (all) => all.some(({ author, shown }) => author === 'Docent' && shown.includes('55')),
    30_000,
  );

  const help = await slack.command('mia', '/docent', 'help');
  const said = await slack.until(
    () => slack.interaction(help.id),
    ({ said: texts }) => texts.length > 0,
  );
  const commands = rowsOf(section(page, 'Commands')).flatMap(([name = '']) =>
    [...name.matchAll(/`(\/docent \w+)`/g)].map(([, command = '']) => command),
  );
  expect(commands.filter((command) => !said.said[0]?.shown.includes(command))).toEqual(['/docent help']);
  expect(await slack.violations()).toEqual([]);
  expect(await slack.notices()).toEqual([]);
});

/** Of the two tables that of scopes. */
function scopeIn(cell: string): string[] {
  const name = cell.replaceAll('`', '');
  return name === 'commands' || name.includes(':') ? [name] : [];
}

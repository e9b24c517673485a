// `docent doctor` against the fake Slack: what is right is said, and each failure comes with its remedy.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { neededScopes } from '../../src/adapters/slack/scopes.ts';
import { findingsFor, linesOf } from '../../src/cli/doctor.ts';
import { systemClock } from '../../src/observe/clock.ts';
import type { Clock } from '../../src/ports/runtime.ts';
import { type FakeSlack, startSlack } from '../support/slack/server.ts';

let slack: FakeSlack;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
beforeEach(() => slack.startAnew());

const apps = 'https://api.slack.com/apps';

async function lines(
  change: Partial<Parameters<typeof findingsFor>[0]['slack']> = {},
  clock: Clock = systemClock,
) {
  const { token: botToken, appToken, apiUrl } = slack;
  const findings = await findingsFor(
    {
      discord: { token: undefined, apiUrl: '', guildId: undefined },
      slack: { botToken, appToken, apiUrl, client: undefined, ...change },
    },
    clock,
  );
  return findings.map(linesOf);
}

test('everything is in order', async () => {
  expect(await lines()).toEqual([
    '✓ SLACK_BOT_TOKEN is accepted: docent in Study group.',
    '✓ All scopes are there.',
    '✓ SLACK_APP_TOKEN is accepted, and Socket Mode is on.',
    `✓ Which events come is told on the page "Event Subscriptions" of the app (${apps}) alone.`,
    '✓ The clock is right.',
  ]);
  expect(await slack.violations()).toEqual([]);
  await slack.until(
    () => slack.sockets(),
    ({ open }) => open === 0,
  );
});

test('over HTTP there is no socket to look at', async () => {
  expect((await lines({ appToken: undefined }))[2]).toBe(
    '✓ SLACK_APP_TOKEN is not set: Slack sends to /slack/events on PORT, signed with SLACK_SIGNING_SECRET.',
  );
});

test('a token that Slack does not know', async () => {
  expect(await lines({ botToken: 'xoxb-wrong' })).toEqual([
    `✗ Slack refuses SLACK_BOT_TOKEN (invalid_auth).\n  → Copy the "Bot User OAuth Token" again from the page "OAuth & Permissions" of the app (${apps}); install the app there if it is not.`,
  ]);
  expect((await lines({ appToken: 'xapp-wrong' }))[2]).toMatch(
    /^✗ Slack refuses SLACK_APP_TOKEN \(invalid_auth\)\.\n {2}→ Make a new token with the scope connections:write/,
  );
});

test('where others install it, there is no token to look at', async () => {
  expect(await lines({ botToken: undefined, client: { id: '1.2', secret: 'x' } })).toEqual([
    '✓ SLACK_BOT_TOKEN is not set: Docent is in the workspaces that added it at /slack/install.',
  ]);
});

test('scopes are missing', async () => {
  await slack.setScopes(neededScopes.map(({ scope }) => scope).filter((name) => !name.startsWith('files:')));
  expect((await lines())[1]).toBe(
    `✗ The app lacks files:read, files:write.\n  → Open ${apps}, your app, page "OAuth & Permissions", add them below "Bot Token Scopes", and press "Reinstall to Workspace".`,
  );
});

test('Socket Mode is off', async () => {
  await slack.socketMode({ isClosed: true });
  expect((await lines())[2]).toBe(
    `✗ SLACK_APP_TOKEN is accepted, but Slack says nothing over Socket Mode.\n  → Open ${apps}, your app, page "Socket Mode", and turn "Enable Socket Mode" on.`,
  );
});

test('an address where nobody answers, or somebody else', async () => {
  expect((await lines({ apiUrl: 'http://127.0.0.1:9/api/' }))[0]).toMatch(
    /^✗ Slack cannot be reached: .+\.\n/,
  );
  expect((await lines({ apiUrl: `${slack.url}/` }))[0]).toMatch(/^✗ Slack cannot be reached: .+\.\n/);
});

test('the clock is off', async () => {
  const slow = { ...systemClock, now: () => systemClock.now() - 90_000 };
  expect((await lines({}, slow)).at(-1)).toMatch(
    /^✗ The clock of this machine is (?:89|9[01]) s slow: reminders/,
  );
});

// Somebody installs the bot in their workspace with two clicks; its token is kept by whoever keeps tokens.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { installationStore } from '../../../src/adapters/slack/installation-store.ts';
import { type Hearing, hear, Store } from '../../support/slack/hearing.ts';
import { type FakeSlack, startSlack } from '../../support/slack/server.ts';

vi.setConfig({ testTimeout: 40_000, hookTimeout: 40_000 });

let slack: FakeSlack;
let hearing: Hearing;
const installed = new Map<string, { readonly token: string; readonly name: string }>();

beforeAll(async () => {
  slack = await startSlack();
  hearing = await hear(slack, new Store(), {
    overHttp: true,
    installing: {
      client: { id: slack.clientId, secret: slack.clientSecret },
      stateSecret: 'a secret of sixteen letters',
      scopes: ['chat:write', 'commands'],
      store: installationStore({
        put: async (team, one) => void installed.set(team, one),
        remove: async (team) => void installed.delete(team),
      }),
    },
  });
});
afterAll(async () => {
  await hearing.close();
  await slack.close();
});

/** The first page, and what a browser keeps of it. */
async function begin(): Promise<{ readonly location: URL; readonly cookie: string }> {
  const page = await fetch(`${hearing.url}/slack/install`, { redirect: 'manual' });
  expect(page.status).toBe(302);
  const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { location: new URL(page.headers.get('location') ?? ''), cookie };
}

test('the first page sends people to Slack, with what the bot may do there', async () => {
  const { location } = await begin();
  expect(location.origin + location.pathname).toBe(`${slack.url}/oauth/v2/authorize`);
  expect(location.searchParams.get('scope')).toBe('chat:write,commands');
  expect(location.searchParams.get('client_id')).toBe(slack.clientId);
});

test('who comes back with a code has installed it; a state of somebody else is refused', async () => {
  const { location, cookie } = await begin();
  const team = await slack.addTeam('Others');
  const allow = new URL(location);
  allow.searchParams.set('team', team.id);
  allow.searchParams.set('redirect_uri', `${hearing.url}/slack/oauth_redirect`);
  const allowed = await fetch(allow, { redirect: 'manual' });
  const back = allowed.headers.get('location') ?? '';
  const stolen = await fetch(back, { redirect: 'manual' });
  expect(stolen.status).not.toBe(200);
  expect(installed.size).toBe(0);
  const done = await fetch(back, { redirect: 'manual', headers: { cookie } });
  expect(done.status).toBe(200);
  expect(installed.get(team.id)).toEqual({ token: team.botToken, name: 'Others' });
});

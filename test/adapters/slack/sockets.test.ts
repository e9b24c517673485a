// Sockets that end in every way: the gateway hears on, and says what an operator has to mend.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { SlackRefusedError } from '../../../src/adapters/slack/fatal.ts';
import { type Hearing, type HearingOptions, hear, Store } from '../../support/slack/hearing.ts';
import { type FakeSlack, startSlack } from '../../support/slack/server.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 40_000 });

let slack: FakeSlack;
let store: Store;
let running: Hearing[] = [];

beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
beforeEach(() => {
  store = new Store();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()));
  await slack.startAnew();
});

async function listen(more: HearingOptions = {}): Promise<Hearing> {
  const hearing = await hear(slack, store, more);
  running.push(hearing);
  return hearing;
}

const untilHeard = (text: string) =>
  slack.until(
    async () => store.texts,
    (texts) => texts.includes(text),
    40_000,
  );
const untilOpened = (count: number) =>
  slack.until(
    () => slack.sockets(),
    ({ open, opened }) => open >= 2 && opened >= count,
    40_000,
  );

test('two sockets are there, so that one is while the other one is replaced', async () => {
  await listen();
  expect(await untilOpened(2)).toEqual({ open: 2, opened: 2 });
});

test.each(['warning', 'refresh_requested'] as const)(
  'after a disconnect (%s) new sockets are made at once, and nothing is lost',
  async (reason) => {
    await slack.events({ retryMs: [200, 200, 200] });
    await listen();
    await untilOpened(2);
    await slack.disconnect(reason);
    await slack.say('mia', '@Docent meanwhile');
    await untilHeard('meanwhile');
    await untilOpened(4);
    expect(store.texts).toEqual(['meanwhile']);
    expect(store.told).toEqual(['Slack: connected']);
  },
);

test('when Socket Mode is turned off, the operator is told where to turn it on, and it is tried on', async () => {
  await listen();
  await untilOpened(2);
  await slack.disconnect('link_disabled');
  await untilOpened(4);
  expect(store.told.some((sentence) => sentence.includes('Socket Mode was turned off'))).toBe(true);
});

test('sockets that are cut are made anew; what was sent meanwhile is read', async () => {
  const { contact } = await listen();
  await slack.say('mia', '@Docent first');
  await untilHeard('first');
  await slack.events({ isLossy: true });
  await slack.cutSockets();
  await slack.say('mia', '@Docent while nobody listened');
  await slack.events({ isLossy: false });
  await untilHeard('while nobody listened');
  expect(contact).toContain('away');
  expect(contact.at(-1)).toBe('ok');
  expect(store.texts).toEqual(['first', 'while nobody listened']);
});

test('B017: a socket at whose other end nobody is counts as gone within seconds', async () => {
  await listen({ pingLimitMs: 300 });
  await untilOpened(2);
  await slack.socketMode({ isDeaf: true });
  await slack.until(
    () => slack.sockets(),
    ({ opened }) => opened > 2,
    20_000,
  );
  await slack.socketMode({ isDeaf: false });
  await slack.say('mia', '@Docent hello?');
  expect(await untilHeard('hello?')).toEqual(['hello?']);
});

test('an API that is away when sockets have to be made again does not end it', async () => {
  await listen();
  await untilOpened(2);
  await slack.fault({ on: 'apps.connections.open', how: 'refused', status: 500, times: 2 });
  await slack.fault({ on: 'apps.connections.open', how: 'html', times: 2 });
  await slack.fault({ on: 'apps.connections.open', how: 'limited', retryAfter: 1, times: 1 });
  await slack.fault({ on: 'apps.connections.open', how: 'error', rule: 'internal_error', times: 1 });
  await slack.cutSockets();
  await slack.say('mia', '@Docent still there?');
  expect(await untilHeard('still there?')).toEqual(['still there?']);
});

describe('tokens', () => {
  const starting = async (more: HearingOptions) => {
    try {
      await listen(more);
    } catch (error) {
      return error instanceof SlackRefusedError ? `${error.message} ${error.hint}` : String(error);
    }
    return 'started';
  };

  test.each(['invalid_auth', 'token_revoked', 'account_inactive'] as const)(
    'each that Slack refuses (%s) is named, with where to get another one',
    async (how) => {
      await slack.refuseToken(slack.appToken, how);
      const said = await starting({});
      expect(said).toContain(`Slack refuses SLACK_APP_TOKEN (${how}).`);
      expect(said).toContain('Basic Information');
      await slack.acceptToken(slack.appToken);
      await slack.refuseToken(slack.token, how);
      const ofBot = await starting({});
      expect(ofBot).toContain(`Slack refuses SLACK_BOT_TOKEN (${how}).`);
      expect(ofBot).toContain('OAuth & Permissions');
    },
  );

  test('tokens in each other’s place are told apart', async () => {
    expect(await starting({ appToken: slack.token })).toContain(
      'Slack refuses SLACK_APP_TOKEN (not_allowed_token_type).',
    );
  });

  test('a token that is refused later does not end it: it may be good again', async () => {
    const { contact } = await listen();
    await untilOpened(2);
    await slack.refuseToken(slack.appToken, 'invalid_auth');
    await slack.cutSockets();
    await slack.until(
      async () => store.told,
      (told) => told.some((sentence) => sentence.includes('refuses SLACK_APP_TOKEN')),
      20_000,
    );
    expect(contact).toContain('away');
    await slack.acceptToken(slack.appToken);
    await slack.say('mia', '@Docent back?');
    await untilHeard('back?');
  });
});

test('a Slack that is away at the start is waited for', async () => {
  await slack.fault({ on: 'apps.connections.open', how: 'cut', times: 3 });
  await slack.fault({ on: 'auth.test', how: 'cut', times: 1 });
  await listen();
  await untilOpened(2);
  await slack.say('mia', '@Docent there');
  await untilHeard('there');
  expect(store.told.filter((sentence) => sentence.includes('cannot be reached')).length).toBeGreaterThan(0);
});

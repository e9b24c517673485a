// What a worker knows of Slack from its calls alone, and what it shows under messages.
import { beforeEach, expect, test } from 'vitest';
import { meaningOf } from '../../../src/adapters/slack/failures.ts';
import { Marks } from '../../../src/adapters/slack/marks.ts';
import { placeName } from '../../../src/adapters/slack/place.ts';
import { WatchedWeb } from '../../../src/adapters/slack/watched-web.ts';
import { oneWorkspace, slackWeb } from '../../../src/adapters/slack/web.ts';
import { RateLimitedError } from '../../../src/domain/errors.ts';
import { EventId } from '../../../src/domain/ids.ts';
import { type ManualClock, manualClock } from '../../support/clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { type InProcessSlack, inProcessSlack } from '../../support/slack/in-process.ts';

let clock: ManualClock;
let slack: InProcessSlack;
let told: string[];
let watched: WatchedWeb;
beforeEach(() => {
  clock = manualClock(1_800_000_000_000);
  slack = inProcessSlack(clock);
  told = [];
  const { controls, apiUrl, fetch } = slack;
  watched = new WatchedWeb({
    web: slackWeb({ token: controls.ids().token, apiUrl }, fetch),
    clock,
    contact: {
      ok: () => void told.push('ok'),
      away: (why) => void told.push(why instanceof Error ? why.message : String(why)),
    },
  });
});

test('a token that is refused is told once, and what was to be written waits', async () => {
  const { controls } = slack;
  controls.refuseToken(controls.ids().token, 'token_revoked');
  const refused = await watched.call('auth.test', {}).catch((error: unknown) => error);
  expect(meaningOf(refused)).toBeInstanceOf(RateLimitedError);
  await expect(watched.call('auth.test', {})).rejects.toThrow('the token is refused');
  expect(told).toEqual(['Slack refuses SLACK_BOT_TOKEN (token_revoked).']);
  expect(controls.calls('auth.test')).toHaveLength(1);
});

test('it is tried again after a minute', async () => {
  const { controls } = slack;
  controls.refuseToken(controls.ids().token, 'invalid_auth');
  expect((await watched.problem())?.message).toBe('Slack refuses SLACK_BOT_TOKEN (invalid_auth).');
  controls.acceptToken(controls.ids().token);
  await clock.advance(60_000);
  expect(await watched.problem()).toBeUndefined();
  expect(told.at(-1)).toBe('ok');
});

test('a Slack that does not answer is away; one that refuses a call is there', async () => {
  slack.controls.fault({ on: 'chat.update', how: 'cut' });
  await expect(watched.call('chat.update', { channel: 'C1', ts: '1.2' })).rejects.toThrow('fetch failed');
  expect(told).toHaveLength(1);
  await expect(watched.call('chat.update', { channel: 'C1', ts: '1.2', text: 'x' })).rejects.toThrow(
    'channel_not_found',
  );
  expect(told).toHaveLength(1);
});

test('a Slack that is away is asked until it is back', async () => {
  slack.controls.fault({ on: 'auth.test', how: 'cut', times: 2 });
  await watched.problem();
  const over = new AbortController();
  const looking = watched.keepLooking(over.signal);
  for (let tries = 0; tries < 20 && !told.includes('ok'); tries += 1) await clock.advance(10_000);
  expect(told.at(-1)).toBe('ok');
  over.abort();
  await looking;
});

test('a message that joined a turn is marked as noted, then as used; a mark that fails is no matter', async () => {
  const { controls } = slack;
  const { ts, channelId: channel } = controls.say('mia', '@Docent and this?');
  const marks = new Marks({ webFor: oneWorkspace((...args) => watched.call(...args)), log: quietLog });
  const address = { surface: 'slack', place: placeName({ team: controls.ids().teamId, channel }) };
  const shown = async (emoji: string) => {
    for (let tries = 0; tries < 100; tries += 1) {
      const reactions = Object.keys(controls.message(ts)?.reactions ?? {});
      if (reactions.length === 1 && reactions[0] === emoji) return emoji;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return 'nothing';
  };
  marks.noted(address, EventId(ts));
  expect(await shown('eyes')).toBe('eyes');
  controls.fault({ on: 'reactions.add', how: 'refused' });
  marks.noted(address, EventId(ts));
  marks.used(address, EventId(ts));
  expect(await shown('white_check_mark')).toBe('white_check_mark');
});

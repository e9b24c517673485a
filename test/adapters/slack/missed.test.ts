// What was said while no gateway was there, or while the store was away: found, in order, once, and not too old.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
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
  await leave();
  await slack.startAnew();
});

async function listen(more: HearingOptions = {}): Promise<void> {
  running.push(await hear(slack, store, more));
}

async function leave(): Promise<void> {
  await Promise.all(running.splice(0).map((each) => each.close()));
}

const untilStored = (count: number) =>
  slack.until(
    async () => store.texts,
    (texts) => texts.length === count,
    30_000,
  );

/** A gateway has heard something and is gone; what is said now is told to nobody. */
async function begunAndGone(): Promise<string> {
  await listen();
  const { ts } = await slack.say('mia', '@Docent first');
  await untilStored(1);
  await leave();
  await slack.events({ isLossy: true });
  return ts;
}

test('what was missed in threads, channels and direct conversations is found by the next gateway, in order', async () => {
  const thread = await begunAndGone();
  await slack.say('mia', 'second', { thread });
  await slack.say('mia', 'third', { thread });
  await slack.say('ben', '@Docent for the first time', { in: 'calculus' });
  await slack.say('ben', 'alone', { in: 'dm' });
  await slack.say('ben', 'to nobody');
  await slack.events({ isLossy: false });
  await listen();
  await untilStored(5);
  expect(store.texts.slice(0, 3)).toEqual(['first', 'second', 'third']);
  expect(store.texts.toSorted()).toEqual(['alone', 'first', 'for the first time', 'second', 'third']);
  expect(await slack.violations()).toEqual([]);
});

test('B025: what was answered is not answered again, however often a gateway begins', async () => {
  await begunAndGone();
  await slack.events({ isLossy: false });
  for (let times = 0; times < 2; times += 1) {
    await listen();
    await slack.until(
      () => slack.calls('conversations.replies'),
      (calls) => calls.length > times,
      20_000,
    );
    await leave();
  }
  expect(store.texts).toEqual(['first']);
});

test('what is older than the limit is left', async () => {
  const thread = await begunAndGone();
  await slack.say('mia', 'long ago', { thread });
  await slack.advance(60_000);
  await slack.say('mia', 'just now', { thread });
  await slack.events({ isLossy: false });
  const now = await slack.now();
  await listen({ catchUpMaxAgeMs: Date.now() - now + 30_000 });
  await untilStored(2);
  expect(store.texts).toEqual(['first', 'just now']);
});

test('a page of fifteen, and a wait that Slack asks for, are followed', async () => {
  const thread = await begunAndGone();
  const texts = Array.from({ length: 20 }, (_, at) => `message ${at}`);
  for (const text of texts) await slack.say('mia', text, { thread });
  await slack.workspace({ historyPage: 15 });
  await slack.fault({ on: 'conversations.replies', how: 'limited', retryAfter: 1 });
  await slack.events({ isLossy: false });
  await listen();
  await untilStored(21);
  expect(store.texts).toEqual(['first', ...texts]);
  expect((await slack.notices()).filter((each) => JSON.stringify(each).includes('too_early'))).toEqual([]);
});

// What can be pressed below a message: a gateway of the product on the fake, which refuses what Slack refuses.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { controlBlocks } from '../../../src/adapters/slack/control-blocks.ts';
import { payloadOf } from '../../../src/adapters/slack/payload.ts';
import { slackWeb } from '../../../src/adapters/slack/web.ts';
import type { Controls, Press, PressBy, PressForm, PressReply } from '../../../src/domain/controls.ts';
import { ConversationId } from '../../../src/domain/ids.ts';
import { type Hearing, type HearingOptions, hear, Store } from '../../support/slack/hearing.ts';
import { type FakeSlack, startSlack } from '../../support/slack/server.ts';

vi.setConfig({ testTimeout: 40_000, hookTimeout: 40_000 });

let slack: FakeSlack;
let running: Hearing | undefined;
/** What was passed on. */
let pressed: { press: Press; by: PressBy; form: Record<string, string> }[] = [];

beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
afterEach(async () => {
  await running?.close();
  running = undefined;
  pressed = [];
  await slack.startAnew();
});

const form: PressForm = {
  title: 'Change the reminder',
  press: 'change|1',
  fields: [
    { name: 'when', label: 'When', value: 'tomorrow at 9', maxChars: 100 },
    { name: 'what', label: 'What I say then', value: 'call Ann', maxChars: 2_000, isLong: true },
  ],
};
const buttons: Controls = {
  buttons: [
    { label: 'Change', press: 'form|1', opensForm: true },
    { label: 'Cancel', press: 'cancel|1' },
  ],
};
const replaced: PressReply = { kind: 'replace', text: '✖ Cancelled: call' };

async function listen(reply: PressReply, more: HearingOptions = {}): Promise<void> {
  running = await hear(slack, new Store(), {
    answerPress: async (press, by, _, filled) => {
      pressed.push({ press, by, form: Object.fromEntries(filled) });
      return reply;
    },
    formFor: async () => form,
    ...more,
  });
}

/** A message of the bot in a channel, below a question when `thread` is given. */
async function post(controls: Controls, thread?: string): Promise<{ ts: string; conversation: string }> {
  const { channelId } = await slack.say('mia', 'hello', { event: false });
  const web = slackWeb({ token: slack.token, apiUrl: slack.apiUrl });
  const place = { conversation: ConversationId(`slack:T:${channelId}`), locale: 'en' };
  const { ts } = await web('chat.postMessage', {
    channel: channelId,
    ...(thread !== undefined && { thread_ts: thread }),
    ...payloadOf({ kind: 'notice', state: 'final', text: 'A reminder', controls }, place),
    unfurl_links: false,
    unfurl_media: false,
  });
  return { ts: String(ts), conversation: `slack:${slack.teamId}:${channelId}` };
}

const shownOnceItReads = (ts: string, text: string) =>
  slack.until(
    () => slack.message(ts),
    (message) => message?.shown.includes(text) === true,
  );
const toldTo = async (who: string) => {
  const all = await slack.until(
    () => slack.messages('general', { onlyFor: who }),
    (found) => found.some(({ onlyFor }) => onlyFor === who),
  );
  return all.filter(({ onlyFor }) => onlyFor === who).map(({ shown }) => shown);
};
const openForm = async (who: string, ts: string) => {
  await slack.press(who, ts, 'Change');
  return slack.until(
    () => slack.openView(who),
    (view) => view !== undefined,
  );
};

describe('a button', () => {
  test('is passed on with who pressed it and where; the message says what comes of it, without buttons', async () => {
    await listen(replaced);
    const { ts, conversation } = await post(buttons);
    await slack.press('mia', ts, 'Cancel');
    expect((await shownOnceItReads(ts, '✖ Cancelled: call'))?.buttons).toEqual([]);
    expect(pressed).toMatchObject([
      { press: 'cancel|1', form: {}, by: { conversation, isManager: false, address: { surface: 'slack' } } },
    ]);
    expect(pressed[0]?.by.person).toBe(`slack:${await slack.idOf('mia')}`);
  });

  test('in a thread speaks for the conversation there; an admin of the workspace is a manager', async () => {
    await listen({ ...replaced, controls: buttons });
    const { ts: root } = await slack.say('mia', 'a question', { event: false });
    const { ts, conversation } = await post(buttons, root);
    await slack.setPerson('ada', { isAdmin: true });
    await slack.press('ada', ts, 'Cancel');
    const shown = await shownOnceItReads(ts, '✖ Cancelled');
    expect(shown?.buttons.map(({ label }) => label)).toEqual(['Change', 'Cancel']);
    expect(pressed[0]?.by).toMatchObject({ conversation: `${conversation}:${root}`, isManager: true });
  });

  test('tells one person alone, and the message stays as it is', async () => {
    await listen({ kind: 'tell', text: 'This reminder belongs to somebody else.' });
    const { ts } = await post(buttons);
    await slack.press('ben', ts, 'Cancel');
    expect(await toldTo('ben')).toEqual(['This reminder belongs to somebody else.']);
    expect((await slack.message(ts))?.buttons).toHaveLength(2);
  });

  test('is nothing for people who may not use the bot', async () => {
    await listen(replaced, { mayUse: () => false });
    const { ts } = await post(buttons);
    await slack.press('eve', ts, 'Cancel');
    expect(await toldTo('eve')).toEqual(['I may not answer you here.']);
    expect(pressed).toEqual([]);
  });

  test('asks for another try while the store is away', async () => {
    await listen(replaced, { answerPress: () => Promise.reject(new Error('the store is away')) });
    const { ts } = await post(buttons);
    await slack.press('mia', ts, 'Cancel');
    expect(await toldTo('mia')).toEqual([expect.stringMatching(/try again/i)]);
  });

  test('tells what came of it where the message cannot be changed any more', async () => {
    await listen(replaced, {
      answerPress: async () => {
        await slack.deleteMessage(ts);
        return replaced;
      },
    });
    const { ts } = await post(buttons);
    await slack.press('mia', ts, 'Cancel');
    expect(await toldTo('mia')).toEqual(['✖ Cancelled: call']);
  });
});

describe('a form', () => {
  test('holds what there is, and sends what is filled in', async () => {
    await listen({ kind: 'replace', text: 'Changed' });
    const { ts, conversation } = await post(buttons);
    const view = await openForm('mia', ts);
    expect(view?.title).toBe('Change the reminder');
    await slack.submit('mia', { when: 'every weekday at 7' });
    await shownOnceItReads(ts, 'Changed');
    expect(pressed).toMatchObject([
      { press: 'change|1', form: { when: 'every weekday at 7', what: 'call Ann' }, by: { conversation } },
    ]);
  });

  test('is not opened where there is nothing to change', async () => {
    await listen(replaced, { formFor: async () => ({ kind: 'tell', text: 'It is over.' }) });
    const { ts } = await post(buttons);
    await slack.press('mia', ts, 'Change');
    expect(await toldTo('mia')).toEqual(['It is over.']);
    expect(await slack.openView('mia')).toBeUndefined();
  });
});

describe('a menu', () => {
  const zones = ['Europe/Berlin', 'America/Argentina/ComodRivadavia', 'Asia/Tokyo'];
  const pressFor = (zone: string) => `reminder|zone|discord:123456789012345678|1234567|${zone}`;
  const menu = (names: readonly string[]): Controls => ({
    buttons: [],
    menu: {
      placeholder: 'Your time zone',
      options: names.map((label) => ({ label, description: 'now', press: pressFor(label) })),
    },
  });

  test.each([
    ['longer than an option may be', zones],
    ['the only one', ['Asia/Tokyo']],
  ])('sends the whole press: %s', async (_, names) => {
    await listen(replaced);
    const { ts } = await post(menu(names));
    const wanted = names.at(-1) ?? '';
    await slack.choose('mia', ts, wanted);
    await shownOnceItReads(ts, '✖ Cancelled');
    expect(pressed.map(({ press }) => press)).toEqual([pressFor(wanted)]);
  });

  test('without options is not drawn', () => {
    expect(controlBlocks(menu([]))).toEqual([]);
  });
});

describe('below the answer of a command, which one person sees', () => {
  async function answered() {
    const { id } = await slack.command('mia', '/docent', 'help');
    const { said } = await slack.until(
      () => slack.interaction(id),
      (shown) => shown.said.length > 0,
    );
    return said[0]?.ts ?? '';
  }

  test('the answer says what comes of a press', async () => {
    await listen(replaced, { answerCommand: async () => ({ text: 'Set.', controls: buttons }) });
    const ts = await answered();
    await slack.press('mia', ts, 'Cancel');
    const shown = await shownOnceItReads(ts, '✖ Cancelled: call');
    expect(shown).toMatchObject({ onlyFor: 'mia', buttons: [] });
    expect((await slack.messages('general', { onlyFor: 'mia' })).map((each) => each.ts)).toEqual([ts]);
  });

  test('and of a form', async () => {
    await listen(
      { kind: 'replace', text: 'Changed', controls: buttons },
      { answerCommand: async () => ({ text: 'Set.', controls: buttons }) },
    );
    const ts = await answered();
    await openForm('mia', ts);
    await slack.submit('mia', { what: 'call Bob' });
    expect((await shownOnceItReads(ts, 'Changed'))?.buttons).toHaveLength(2);
    expect(pressed).toMatchObject([{ form: { when: 'tomorrow at 9', what: 'call Bob' } }]);
    expect(await slack.violations()).toEqual([]);
  });
});

// Faulty adapters, each a few lines of Slack's own libraries: the fake refuses what they do or notices it. The careful ones
// are left alone.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { text as bodyOf } from 'node:stream/consumers';
import type { App } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dial, listening, type Online, online, silent, webOf } from './lab.ts';
import { type FakeSlack, startSlack } from './server.ts';

type Args = Record<string, unknown>;

let slack: FakeSlack;
let web: WebClient;
let count = 0;

beforeAll(async () => {
  slack = await startSlack();
  web = webOf(slack);
  await slack.addGroup('tutors', ['ben']);
  // What one example leaves behind is not brought to the next.
  await slack.events({ retryMs: [] });
});
afterAll(() => slack.close());
beforeEach(async () => {
  await slack.clearFaults();
  await slack.rates({ isOn: false });
});

/** What an adapter has in hand: a question of mia in a channel of its own. */
interface Scene {
  readonly room: string;
  readonly question: string;
  readonly mia: string;
  readonly ben: string;
}

/** `asks` is said once the adapter listens; without it the question is there and nobody was told. */
async function scene(): Promise<Scene> {
  const room = await slack.addChannel(`room-${(count += 1)}`);
  const { ts } = await slack.say('mia', 'why?', { in: room, event: false });
  await slack.forgetJournal();
  return { room, question: ts, mia: await slack.idOf('mia'), ben: await slack.idOf('ben') };
}

/** What came to light in the room since the scene began: refusals, notices, pings, and how many answers people see. */
async function evidence({ room }: Scene, thread: string): Promise<string[]> {
  const [refused, notices, pings, messages] = await Promise.all([
    slack.refused(),
    slack.notices(),
    slack.pings(),
    slack.messages(room, { thread }),
  ]);
  const name = messages[0]?.channel;
  return [
    ...refused.map(({ rule }) => `refused: ${rule}`),
    ...notices.map(({ kind }) => `noticed: ${kind}`),
    ...pings
      .filter(({ channel }) => channel === name)
      .flatMap(({ users, groups }) => [...users.filter((each) => each !== 'mia'), ...groups])
      .map((each) => `pinged: ${each}`),
    `answers: ${messages.filter(({ author }) => author === 'Docent').length}`,
  ];
}

const call = (method: string, args: Args): Promise<{ ts: string; view?: { id: string } }> =>
  web.apiCall(method, args) as unknown as Promise<{ ts: string }>;
const inThread = ({ room, question }: Scene, args: Args) =>
  call('chat.postMessage', { channel: room, thread_ts: question, ...args });
const start = ({ room, question, mia }: Scene, args: Args = {}) =>
  call('chat.startStream', {
    channel: room,
    thread_ts: question,
    recipient_team_id: slack.teamId,
    recipient_user_id: mia,
    ...args,
  });
const append = (room: string, ts: string, text: string) =>
  call('chat.appendStream', { channel: room, ts, markdown_text: text });
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } }) as const;
const button = (more: Args = {}) => ({
  type: 'button',
  action_id: 'go',
  text: { type: 'plain_text', text: 'Go' },
  ...more,
});
const actions = (...elements: readonly Args[]) => ({ type: 'actions', elements });
const long = (length: number) => 'x'.repeat(length);
const title = (text: string) => ({ type: 'plain_text', text });
const modal = (more: Args = {}) => ({
  type: 'modal',
  title: title('Form'),
  blocks: [section('x')],
  ...more,
});
const ask = { type: 'input', label: title('Why'), element: { type: 'plain_text_input', action_id: 'why' } };
const withTrigger = async (view: Args) =>
  call('views.open', { trigger_id: (await slack.command('mia', '/docent')).triggerId, view });

type Faulty = (scene: Scene) => Promise<unknown>;

const callers: readonly (readonly [name: string, caught: string, adapter: Faulty])[] = [
  [
    'repeats "<!channel>" of the model in a text',
    'pinged: channel',
    (all) => inThread(all, { text: 'As <!channel> knows' }),
  ],
  [
    'sends "<!here>" in two parts of a stream',
    'pinged: here',
    async (all) => {
      const { ts } = await start(all, { markdown_text: 'As <!he' });
      await append(all.room, ts, 're> knows');
    },
  ],
  [
    'hides a group in a block and keeps the text clean',
    'pinged: tutors',
    async (all) => {
      const id = (await web.usergroups.list()).usergroups?.[0]?.id ?? '';
      return inThread(all, { text: 'ok', blocks: [section(`ask <!subteam^${id}>`)] });
    },
  ],
  [
    'lets the model ping whomever it names',
    'pinged: ben',
    (all) => inThread(all, { text: `ask <@${all.ben}>` }),
  ],
  [
    'lets Slack look for names in the answer',
    'pinged: everyone',
    (all) => inThread(all, { text: 'As @everyone knows', link_names: true }),
  ],
  [
    'puts a mention into the title of a task',
    'pinged: channel',
    (all) =>
      start(all, {
        chunks: [{ type: 'task_update', id: 't', title: 'Ask <!channel>', status: 'pending' }],
      }),
  ],
  [
    'leaves previews of links on',
    'noticed: unfurl',
    (all) => inThread(all, { text: 'see https://example.org' }),
  ],
  [
    'turns previews of links off and those of pictures not',
    'noticed: unfurl',
    (all) => inThread(all, { text: 'see https://example.org', unfurl_links: false }),
  ],
  [
    'sends blocks without a text for notifications',
    'noticed: no_fallback_text',
    (all) => inThread(all, { blocks: [section('hello')] }),
  ],
  [
    'grows an answer past 4,000 characters by updates',
    'refused: update_text',
    async (all) => {
      const { ts } = await inThread(all, { text: 'x' });
      await call('chat.update', { channel: all.room, ts, text: long(4_001) });
    },
  ],
  [
    'sends 12,001 characters of Markdown',
    'refused: markdown_text',
    (all) => inThread(all, { markdown_text: long(12_001) }),
  ],
  [
    'sends a text beside Markdown for notifications',
    'refused: markdown_conflict',
    (all) => inThread(all, { text: 'x', markdown_text: '**x**' }),
  ],
  ['sends an answer of white space', 'refused: no_text', (all) => inThread(all, { text: '\n \n' })],
  [
    'updates with what stands there already',
    'noticed: idle_update',
    async (all) => {
      const { ts } = await inThread(all, { text: 'x' });
      await call('chat.update', { channel: all.room, ts, text: 'x' });
    },
  ],
  [
    'appends after it stopped the stream',
    'refused: not_streaming',
    async (all) => {
      const { ts } = await start(all, { markdown_text: 'a' });
      await call('chat.stopStream', { channel: all.room, ts });
      await append(all.room, ts, 'b');
    },
  ],
  [
    'appends for six minutes',
    'refused: not_streaming',
    async (all) => {
      const { ts } = await start(all, { markdown_text: 'a' });
      await slack.advance(360_000);
      await append(all.room, ts, 'b');
    },
  ],
  [
    'leaves a message as Slack ended its stream',
    'noticed: torn_stream',
    async (all) => {
      await start(all, { markdown_text: 'a' });
      await slack.advance(360_000);
    },
  ],
  [
    'updates a message that is streaming',
    'refused: streaming_conflict',
    async (all) => {
      const { ts } = await start(all, { markdown_text: 'a' });
      await call('chat.update', { channel: all.room, ts, text: 'b' });
    },
  ],
  [
    'streams in a channel to nobody',
    'refused: missing_recipient_user',
    (all) => start(all, { recipient_user_id: undefined }),
  ],
  [
    'goes on with a stream that the person stopped',
    'refused: stopped_by_user',
    async (all) => {
      const { ts } = await start(all, { markdown_text: 'a' });
      await slack.pressStop('mia', ts);
      await append(all.room, ts, 'b');
    },
  ],
  [
    'sends a whole tool result as the detail of a task',
    'refused: task_field',
    (all) =>
      start(all, {
        chunks: [{ type: 'task_update', id: 't', title: 'Look', status: 'complete', details: long(257) }],
      }),
  ],
  [
    'appends 12,001 characters at once',
    'refused: chunk_text',
    (all) => start(all, { chunks: [{ type: 'markdown_text', text: long(12_001) }] }),
  ],
  [
    'starts a stream for each of a class',
    'noticed: too_fast',
    async (all) => {
      await slack.rates({ isOn: true });
      await Promise.all(Array.from({ length: 21 }, () => start(all, { markdown_text: 'a' })));
    },
  ],
  [
    'posts again when the answer got lost',
    'noticed: posted_twice',
    async (all) => {
      await slack.fault({ on: 'chat.postMessage', how: 'lost' });
      await inThread(all, { text: 'Because.' }).catch(() => inThread(all, { text: 'Because.' }));
    },
  ],
  [
    'posts again after a time-out',
    'answers: 2',
    async (all) => {
      await slack.fault({ on: 'chat.postMessage', how: 'slow', ms: 400 });
      const hasty = new WebClient(slack.token, {
        slackApiUrl: slack.apiUrl,
        timeout: 100,
        logger: silent,
        retryConfig: { retries: 1, minTimeout: 10 },
      });
      await hasty.apiCall('chat.postMessage', {
        channel: all.room,
        thread_ts: all.question,
        text: 'Because.',
      });
    },
  ],
  [
    'posts again after an error of the server that had posted',
    'answers: 2',
    async (all) => {
      await slack.fault({ on: 'chat.postMessage', how: 'denied' });
      await inThread(all, { text: 'Because.' }).catch(() => inThread(all, { text: 'Because.' }));
    },
  ],
  [
    'does not wait as long as it is told to',
    'noticed: too_early',
    async (all) => {
      await slack.fault({ on: 'chat.postMessage', how: 'limited', retryAfter: 3 });
      await inThread(all, { text: 'x' }).catch(() => inThread(all, { text: 'x' }));
    },
  ],
  [
    'posts as fast as it can',
    'noticed: too_fast',
    async (all) => {
      await slack.rates({ isOn: true });
      for (let at = 0; at < 4; at += 1) await inThread(all, { text: `${at}` });
    },
  ],
  [
    'passes an empty thread on',
    'refused: invalid_thread_ts',
    ({ room }) => call('chat.postMessage', { channel: room, thread_ts: '', text: 'x' }),
  ],
  [
    'calls an argument by a wrong name',
    'noticed: unknown_argument',
    (all) => inThread(all, { text: 'x', thread: all.question }),
  ],
  [
    'sends 51 blocks',
    'refused: block_count',
    (all) => inThread(all, { text: 'x', blocks: Array.from({ length: 51 }, () => section('x')) }),
  ],
  [
    'puts a long answer into one section',
    'refused: section_text',
    (all) => inThread(all, { text: 'x', blocks: [section(long(3_001))] }),
  ],
  [
    'gives two buttons of a row one action',
    'refused: action_id_twice',
    (all) => inThread(all, { text: 'x', blocks: [actions(button(), button())] }),
  ],
  [
    'labels a button with a whole option',
    'refused: button_text',
    (all) => inThread(all, { text: 'x', blocks: [actions(button({ text: title(long(76)) }))] }),
  ],
  [
    'uses a style that there is not',
    'refused: button_style',
    (all) => inThread(all, { text: 'x', blocks: [actions(button({ style: 'success' }))] }),
  ],
  [
    'puts two tables into one message',
    'refused: one_table',
    (all) => {
      const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'x' }]] };
      return inThread(all, { text: 'x', blocks: [table, table] });
    },
  ],
  [
    'opens a form with a long title',
    'refused: view_title',
    () => withTrigger(modal({ title: title(long(25)) })),
  ],
  [
    'asks in a form that cannot be submitted',
    'refused: view_submit_needed',
    () => withTrigger(modal({ blocks: [ask] })),
  ],
  [
    'opens two forms for one click',
    'refused: exchanged_trigger',
    async () => {
      const { triggerId } = await slack.command('mia', '/docent');
      for (let at = 0; at < 2; at += 1) await call('views.open', { trigger_id: triggerId, view: modal() });
    },
  ],
  [
    'opens a form after the model has answered',
    'refused: expired_trigger',
    async () => {
      const { triggerId } = await slack.command('mia', '/docent');
      await slack.advance(3_001);
      await call('views.open', { trigger_id: triggerId, view: modal() });
    },
  ],
  [
    'updates a private message',
    'refused: message_not_found',
    async ({ room, mia }) => {
      const { message_ts: ts } = await web.chat.postEphemeral({ channel: room, user: mia, text: 'x' });
      await call('chat.update', { channel: room, ts: ts ?? '', text: 'y' });
    },
  ],
  [
    'tells somebody in private who is not there',
    'refused: user_not_in_channel',
    ({ room, ben }) => call('chat.postEphemeral', { channel: room, user: ben, text: 'x' }),
  ],
  [
    'writes into an archived channel',
    'refused: is_archived',
    async (all) => {
      await slack.archive(all.room);
      await inThread(all, { text: 'x' });
    },
  ],
  [
    'writes where it was taken out',
    'refused: not_in_channel',
    async (all) => {
      await slack.removeBot(all.room);
      await inThread(all, { text: 'x' });
    },
  ],
  [
    'deletes what people wrote',
    'refused: cant_delete_message',
    ({ room, question }) => call('chat.delete', { channel: room, ts: question }),
  ],
  [
    'writes the name of an emoji with colons',
    'refused: invalid_name',
    ({ room, question }) => call('reactions.add', { channel: room, timestamp: question, name: ':eyes:' }),
  ],
  [
    'completes an upload that did not arrive',
    'refused: file_not_uploaded',
    async ({ room }) => {
      const { upload_url: url = '', file_id: id } = await web.files.getUploadURLExternal({
        filename: 'a.txt',
        length: 5,
      });
      await fetch(url, { method: 'POST', body: 'half' });
      await call('files.completeUploadExternal', { files: [{ id }], channel_id: room });
    },
  ],
  [
    'mixes up its tokens',
    'refused: not_allowed_token_type',
    ({ room }) => webOf(slack, slack.appToken).apiCall('chat.postMessage', { channel: room, text: 'x' }),
  ],
  [
    'shows people an error with its token',
    'noticed: told_token',
    (all) => inThread(all, { text: `failed: Bearer ${slack.token}` }),
  ],
  [
    'goes on calling with a token that was refused',
    'noticed: went_on_after_invalid_auth',
    async ({ room }) => {
      for (let at = 0; at < 2; at += 1)
        await webOf(slack, 'xoxb-old')
          .apiCall('chat.postMessage', { channel: room, text: 'x' })
          .catch(() => {});
    },
  ],
];

describe('an adapter that', () => {
  test.each(callers)('%s is caught (%s)', async (_name, caught, adapter) => {
    await slack.events({ isLossy: true });
    const here = await scene();
    // What the adapter makes of a refusal is not the question.
    await adapter(here).catch(() => {});
    expect(await evidence(here, here.question)).toContain(caught);
  });

  test('is careful in all of this is left alone', async () => {
    await slack.events({ isLossy: true });
    const here = await scene();
    await slack.rates({ isOn: true });
    const { room, question, mia } = here;
    await call('assistant.threads.setStatus', { channel_id: room, thread_ts: question, status: 'thinking' });
    await call('reactions.add', { channel: room, timestamp: question, name: 'eyes' });
    const { ts } = await start(here, { markdown_text: 'Because &lt;!channel&gt; ' });
    await append(room, ts, 'it is.');
    await call('chat.stopStream', { channel: room, ts, blocks: [actions(button())] });
    await inThread(here, {
      text: 'see https://example.org',
      unfurl_links: false,
      unfurl_media: false,
      metadata: { event_type: 'docent', event_payload: { key: 'k1' } },
    });
    await call('chat.postEphemeral', { channel: room, user: mia, text: 'only for you' });
    expect(await evidence(here, question)).toEqual(['answers: 2']);
  });
});

/** A bolt app with listeners, in a scene where mia asks by a mention once it listens. */
type Listeners = (app: App, scene: Scene) => void;

const listeners: readonly (readonly [name: string, caught: string, adapter: Listeners])[] = [
  [
    'answers the mention and the message that it came in',
    'answers: 2',
    (app) => {
      app.event('app_mention', async ({ event, client }) => void (await answer(client, event)));
      app.message(async ({ event, client }) => void (await answer(client, event)));
    },
  ],
  [
    'answers in the channel and not in the thread',
    'answers: 0',
    (app) => {
      app.event('app_mention', async ({ say }) => void (await say('Because.')));
    },
  ],
  [
    'posts the answer beside the placeholder',
    'answers: 2',
    (app) => {
      app.event('app_mention', async ({ event, client }) => {
        await answer(client, event, '…');
        await answer(client, event);
      });
    },
  ],
  [
    'takes the change of its own message for a message',
    'answers: 3',
    (app) => {
      let left = 2;
      app.event('app_mention', async ({ event, client }) => {
        const ts = await answer(client, event, '…');
        await client.chat.update({ channel: event.channel, ts, text: 'Because.' });
      });
      app.message(async ({ event, client }) => {
        if (event.subtype !== 'message_changed' || (left -= 1) < 0) return;
        const { thread_ts: thread } = event.message as { thread_ts?: string };
        const ts = await answer(client, { channel: event.channel, ts: thread ?? '' }, `More ${left}`);
        await client.chat.update({ channel: event.channel, ts, text: `More than ${left}` });
      });
    },
  ],
];

type Question = { readonly channel: string; readonly ts: string };

async function answer(client: WebClient, { channel, ts }: Question, text = 'Because.'): Promise<string> {
  const posted = await client.apiCall('chat.postMessage', { channel, thread_ts: ts, text });
  return String((posted as { ts?: string }).ts);
}

describe('an app that', () => {
  let bot: Online | undefined;
  afterEach(async () => {
    await bot?.leave();
    bot = undefined;
    await slack.events({ isLossy: true, duplicates: 0, delayMs: [0, 0] });
  });

  const settled = async (here: Scene, question: string, caught: string): Promise<string[]> =>
    slack.until(
      () => evidence(here, question),
      (seen) => seen.includes(caught),
      caught === 'answers: 0' ? 0 : 3_000,
    );

  test.each(listeners)('%s is caught (%s)', async (_name, caught, adapter) => {
    const here = await scene();
    bot = await online(slack);
    adapter(bot.app, here);
    await slack.events({ isLossy: false });
    const { ts } = await slack.say('mia', '@Docent why?', { in: here.room });
    await slack.until(
      () => slack.messages(here.room),
      (all) => all.some(({ author }) => author === 'Docent'),
    );
    expect(await settled(here, ts, caught)).toContain(caught);
  });

  test('answers an event that came twice is caught (answers: 2)', async () => {
    const here = await scene();
    bot = await online(slack);
    bot.app.event('app_mention', async ({ event, client }) => void (await answer(client, event)));
    await slack.events({ isLossy: false, duplicates: 1 });
    const { ts } = await slack.say('mia', '@Docent why?', { in: here.room });
    expect(await settled(here, ts, 'answers: 2')).toContain('noticed: posted_twice');
  });

  test('acknowledges nothing is caught (noticed: unacknowledged_event)', async () => {
    const here = await scene();
    const line = await dial(slack);
    await slack.events({ isLossy: false });
    await slack.say('mia', 'why?', { in: here.room });
    await line.next('events_api');
    await slack.advance(3_000);
    expect(await settled(here, here.question, 'noticed: unacknowledged_event')).toContain('answers: 0');
    await line.close();
  });

  test('acknowledges when it has thought is caught (noticed: late_ack)', async () => {
    const here = await scene();
    const line = await dial(slack);
    await slack.events({ isLossy: false });
    await slack.say('mia', 'why?', { in: here.room });
    const envelope = await line.next('events_api');
    await slack.advance(3_000);
    line.ack(envelope);
    expect(await settled(here, here.question, 'noticed: late_ack')).toContain(
      'noticed: unacknowledged_event',
    );
    await line.close();
  });

  test('acknowledges before it has stored, and dies, is caught (answers: 0, and nothing comes again)', async () => {
    const here = await scene();
    const line = await dial(slack);
    await slack.events({ isLossy: false, retryMs: [0, 60_000, 300_000] });
    const { ts } = await slack.say('mia', 'why?', { in: here.room });
    line.ack(await line.next('events_api'));
    await slack.until(
      () => slack.acks(),
      (all) => all.length === 1,
    );
    await line.close();
    const next = await dial(slack);
    await slack.advance(600_000);
    expect(await evidence(here, ts)).toEqual(['answers: 0']);
    expect(next.frames.map(({ type }) => type)).toEqual(['hello']);
    await next.close();
    await slack.events({ retryMs: [] });
  });

  test('does not come back after it was asked to go is caught (answers: 0)', async () => {
    const here = await scene();
    const line = await dial(slack);
    await slack.disconnect('warning');
    await line.next('disconnect');
    await line.close();
    await slack.events({ isLossy: false });
    const { ts } = await slack.say('mia', 'why?', { in: here.room });
    await slack.until(
      () => slack.acks(),
      (all) => all.some(({ why }) => why === 'connection_failed'),
    );
    expect(await evidence(here, ts)).toEqual(['answers: 0']);
  });

  test('has no listener for a button is caught (noticed: unanswered_interaction)', async () => {
    const here = await scene();
    bot = await online(slack);
    const { ts } = await inThread(here, { text: 'Shall I?', blocks: [actions(button())] });
    const { id } = await slack.press('mia', ts, 'Go');
    await slack.advance(3_000);
    expect(await settled(here, here.question, 'noticed: unanswered_interaction')).toContain('answers: 1');
    expect((await slack.interaction(id)).error).toBe('timeout');
  });

  test('posts six times to one response URL is caught (refused: response_url_uses)', async () => {
    const here = await scene();
    bot = await online(slack);
    bot.app.command('/docent', async ({ ack, respond }) => {
      await ack();
      for (let at = 0; at < 6; at += 1) await respond({ text: `${at}` });
    });
    await slack.command('mia', '/docent', '', here.room);
    expect(await settled(here, here.question, 'refused: response_url_uses')).toContain('answers: 0');
  });

  test('answers a command with what Slack does not take is caught (refused: section_text)', async () => {
    const here = await scene();
    bot = await online(slack);
    bot.app.command('/docent', async ({ ack }) => ack({ text: 'x', blocks: [section(long(3_001))] }));
    await slack.command('mia', '/docent', '', here.room);
    expect(await settled(here, here.question, 'refused: section_text')).toContain('answers: 0');
  });

  test('believes what was signed in the future is caught, and it is bolt as it comes', async () => {
    const http = await listening(slack);
    expect(await slack.verifyUrl()).toBe(true);
    for (const forgery of ['signature', 'secret', 'old', 'unsigned', 'body'] as const)
      expect([forgery, await slack.forge(forgery)]).toEqual([forgery, 401]);
    expect(await slack.forge('future')).toBe(200);
    expect((await slack.notices()).map(({ what }) => what)).toEqual(['future']);
    await http.leave();
  });

  test.each([
    ['signature', 'takes any signature', () => true],
    ['old', 'takes old requests', isSigned],
    ['future', 'takes future requests', isSigned],
  ] as const)(
    'with a wrong answer to "%s" (%s) is caught (noticed: took_forged_request)',
    async (forgery, _what, isRight) => {
      const here = await scene();
      const server = createServer((request, response) => {
        void bodyOf(request).then((body) =>
          response.writeHead(isRight(request.headers, body) ? 200 : 401).end(),
        );
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as { port: number };
      await slack.receiveAt([`http://127.0.0.1:${port}/slack/events`]);
      expect(await slack.verifyUrl()).toBe(false);
      await slack.forge(forgery);
      expect(await evidence(here, here.question)).toContain('noticed: took_forged_request');
      await slack.receiveAt([]);
      await new Promise((resolve) => server.close(resolve));
    },
  );

  test('is careful in all of this is left alone', async () => {
    const here = await scene();
    bot = await online(slack);
    const seen = new Set<string>();
    const once = async (client: WebClient, { channel, ts }: Question) => {
      if (seen.has(`${channel} ${ts}`)) return;
      seen.add(`${channel} ${ts}`);
      await answer(client, { channel, ts });
    };
    bot.app.event('app_mention', ({ event, client }) => once(client, event));
    bot.app.message(async ({ event, client }) => {
      if (event.subtype === undefined && 'user' in event) await once(client, event);
    });
    await slack.events({ isLossy: false, duplicates: 1 });
    const { ts } = await slack.say('mia', '@Docent why?', { in: here.room });
    await slack.until(
      () => slack.acks(),
      // Both twins twice, and the answer as an event twice.
      (all) => all.length === 6,
    );
    expect(await evidence(here, ts)).toEqual(['answers: 1']);
  });
});

function isSigned(headers: Readonly<Record<string, unknown>>, body: string): boolean {
  const at = String(headers['x-slack-request-timestamp']);
  const hmac = createHmac('sha256', slack.signingSecret).update(`v0:${at}:${body}`).digest('hex');
  return headers['x-slack-signature'] === `v0=${hmac}`;
}

// Every row of the table by example: what just fits is taken, what is past it is refused, as the real Web API client sees it.
import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dial, dialUrl, expectRefused, webOf } from './lab.ts';
import { type BlockRule, type ErrorRule, type RateRule, type RuleName, rules } from './rules.ts';
import { type FakeSlack, startSlack } from './server.ts';

type Body = Readonly<Record<string, unknown>>;
type Example = () => Promise<void>;
type Answer = { readonly ts: string; readonly view: { readonly id: string; readonly hash: string } };

let slack: FakeSlack;
let web: WebClient;
/** A fresh channel for each example. */
let channel = '';
let count = 0;

beforeAll(async () => {
  slack = await startSlack();
  web = webOf(slack);
});
afterAll(() => slack.close());
beforeEach(async () => {
  channel = await slack.addChannel(`room-${(count += 1)}`);
  await slack.rates({ isOn: false, limits: {} });
  // Nobody listens here, and nothing is to be brought again later.
  await slack.events({ isLossy: true });
});

const call = (method: string, args: Body = {}) => web.apiCall(method, args) as unknown as Promise<Answer>;
const post = (body: Body) => call('chat.postMessage', { channel, ...body });
const update = async (body: Body) =>
  call('chat.update', { channel, ts: (await post({ text: 'x' })).ts, ...body });
const refused = (made: Promise<unknown>, rule: ErrorRule | BlockRule) => expectRefused(slack, made, rule);
const text = (length: number) => 'x'.repeat(length);
const list = <T>(length: number, make: (position: number) => T): T[] =>
  Array.from({ length }, (_, at) => make(at));

const refuses =
  (rule: ErrorRule | BlockRule, made: () => Promise<unknown>): Example =>
  () =>
    refused(made(), rule);

/** `max` fits and one more does not. */
function upTo(rule: ErrorRule | BlockRule, made: (size: number) => Promise<unknown>): Example {
  return async () => {
    const { max } = rules[rule];
    await made(max);
    await refused(made(max + 1), rule);
  };
}
const blocksUpTo = (rule: ErrorRule | BlockRule, blocks: (size: number) => readonly Body[]): Example =>
  upTo(rule, (size) => post({ text: 'x', blocks: blocks(size) }));
const refusesBlocks = (rule: ErrorRule | BlockRule, ...blocks: readonly Body[]): Example =>
  refuses(rule, () => post({ text: 'x', blocks }));

const plain = (words = 'x') => ({ type: 'plain_text', text: words });
const mrkdwn = (words = 'x') => ({ type: 'mrkdwn', text: words });
const section = (more: Body = {}) => ({ type: 'section', text: mrkdwn(), ...more });
const actions = (...elements: readonly Body[]) => ({ type: 'actions', elements });
const button = (more: Body = {}) => ({
  type: 'button',
  action_id: `a${(count += 1)}`,
  text: plain('Go'),
  ...more,
});
const option = (more: Body = {}) => ({ text: plain('A'), value: `v${(count += 1)}`, ...more });
const select = (more: Body = {}) => ({
  type: 'static_select',
  action_id: `s${(count += 1)}`,
  options: [option()],
  ...more,
});
const input = (element: Body = {}, more: Body = {}) => ({
  type: 'input',
  label: plain('Why'),
  element: { type: 'plain_text_input', action_id: `i${(count += 1)}`, ...element },
  ...more,
});
const image = (more: Body = {}) => ({
  type: 'image',
  image_url: 'https://example.org/x.png',
  alt_text: 'x',
  ...more,
});
const modal = (more: Body = {}) => ({ type: 'modal', title: plain('Form'), blocks: [section()], ...more });
const confirm = (more: Body = {}) => ({ title: plain(), text: plain(), ...more });
const withConfirm = (more: Body) => [actions(button({ confirm: confirm(more) }))];
const row = (length: number) => list(length, () => ({ type: 'raw_text', text: 'x' }));
const metadata = (payload: Body) => ({ event_type: 'x', event_payload: payload });

/** A trigger that was made just now. Nobody acknowledges the command: that is not the question here. */
const trigger = async () => (await slack.command('mia', '/docent')).triggerId;
const open = async (view: Body) => call('views.open', { trigger_id: await trigger(), view });

const said = (words = 'why?', more: Parameters<FakeSlack['say']>[2] = {}) =>
  slack.say('mia', words, { in: channel, ...more });
async function stream(more: Body = {}): Promise<string> {
  const { ts } = await call('chat.startStream', {
    channel,
    thread_ts: (await said()).ts,
    recipient_team_id: slack.teamId,
    recipient_user_id: await slack.idOf('mia'),
    ...more,
  });
  return ts;
}
const append = async (more: Body) => call('chat.appendStream', { channel, ts: await stream(), ...more });
const task = (more: Body = {}) => ({
  type: 'task_update',
  id: 't1',
  title: 'Look',
  status: 'in_progress',
  ...more,
});
const status = async (more: Body = {}) =>
  call('assistant.threads.setStatus', {
    channel_id: channel,
    thread_ts: (await said()).ts,
    status: 'thinking',
    ...more,
  });
const session = async (more: Body = {}) =>
  call('agents.sessions.setStatus', {
    channel_id: channel,
    thread_ts: (await said()).ts,
    status: 'active',
    ...more,
  });
const upload = (name: string, length: number) =>
  call('files.getUploadURLExternal', { filename: name, length }) as unknown as Promise<{
    upload_url: string;
    file_id: string;
  }>;
const access = (more: Body = {}) =>
  call('oauth.v2.access', {
    code: 'none',
    client_id: slack.clientId,
    client_secret: slack.clientSecret,
    ...more,
  });
async function code(team: string): Promise<string> {
  const asked = new URLSearchParams({
    client_id: slack.clientId,
    redirect_uri: 'http://app.test/back',
    scope: 'chat:write',
    state: 's1',
    team,
  });
  const page = await fetch(`${slack.url}/oauth/v2/authorize?${asked.toString()}`, { redirect: 'manual' });
  return new URL(page.headers.get('location') ?? '').searchParams.get('code') ?? '';
}
const say = (url: string, body: Body) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
/** The response URL of a command, as the app gets it. */
async function responseUrl(): Promise<string> {
  const line = await dial(slack);
  await slack.command('mia', '/docent', '', channel);
  const envelope = await line.next('slash_commands');
  line.ack(envelope);
  await line.close();
  return (envelope['payload'] as { response_url: string }).response_url;
}

/** A row that only a workspace's own settings bring about: ordered as an accident. */
const ordered =
  (rule: ErrorRule): Example =>
  async () => {
    await slack.fault({ on: 'chat.postMessage', how: 'error', rule });
    await expect(post({ text: 'x' })).rejects.toMatchObject({ data: { error: rules[rule].says } });
  };

/** So many calls pass, the next one waits as long as it is told to. */
function spends(rule: RateRule, made: (position: number) => Promise<unknown>): Example {
  return async () => {
    await slack.rates({
      isOn: true,
      postBurst: 1,
      limits: { [rule]: { calls: 2, perMs: rules[rule].perMs } },
    });
    const outcomes: string[] = [];
    for (let at = 0; at < 3; at += 1)
      outcomes.push(
        await made(at).then(
          () => 'taken',
          (error: { retryAfter?: number; data?: unknown }) =>
            error.retryAfter === undefined ? 'taken' : `wait ${error.retryAfter}`,
        ),
      );
    const waitS = Math.ceil(rules[rule].perMs / 1_000);
    expect(outcomes.slice(0, 2)).toEqual(['taken', 'taken']);
    expect(Number(outcomes[2]?.split(' ')[1])).toBeGreaterThan(0);
    expect(Number(outcomes[2]?.split(' ')[1])).toBeLessThanOrEqual(waitS);
    await slack.advance(rules[rule].perMs);
    await made(3).catch((error: { retryAfter?: number }) => expect(error.retryAfter).toBeUndefined());
  };
}

const examples: Record<RuleName, Example> = {
  not_authed: async () => {
    const answer = await fetch(`${slack.apiUrl}auth.test`, { method: 'POST' });
    expect(await answer.json()).toEqual({ ok: false, error: 'not_authed' });
  },
  invalid_auth: refuses('invalid_auth', () => webOf(slack, 'xoxb-wrong').auth.test()),
  account_inactive: async () => {
    const { botToken } = await slack.addTeam('Gone');
    await slack.uninstall('Gone');
    await refused(webOf(slack, botToken).auth.test(), 'account_inactive');
  },
  token_revoked: async () => {
    await slack.refuseToken(slack.token, 'token_revoked');
    await refused(web.auth.test(), 'token_revoked');
    await slack.acceptToken(slack.token);
  },
  not_allowed_token_type: async () => {
    await refused(webOf(slack, slack.appToken).auth.test(), 'not_allowed_token_type');
    await refused(web.apps.connections.open(), 'not_allowed_token_type');
  },
  missing_scope: refuses('missing_scope', () => call('conversations.join', { channel })),
  unknown_method: refuses('unknown_method', () => call('chat.shout')),
  invalid_arguments: refuses('invalid_arguments', () => call('chat.postMessage', { text: 'x' })),
  invalid_form_data: async () => {
    const answer = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${slack.token}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'channel=C1&blocks=[',
    });
    expect(await answer.json()).toMatchObject({ error: 'invalid_form_data' });
  },
  internal_error: ordered('internal_error'),
  fatal_error: ordered('fatal_error'),
  service_unavailable: ordered('service_unavailable'),

  channel_not_found: refuses('channel_not_found', async () =>
    post({ channel: await slack.addChannel('secret', { kind: 'group', withBot: false }), text: 'x' }),
  ),
  not_in_channel: refuses('not_in_channel', async () =>
    post({ channel: await slack.channelId('elsewhere'), text: 'x' }),
  ),
  is_archived: async () => {
    await slack.archive(channel);
    await refused(post({ text: 'x' }), 'is_archived');
  },
  user_not_found: refuses('user_not_found', () => call('users.info', { user: 'U0NOBODY' })),
  user_not_in_channel: refuses('user_not_in_channel', async () =>
    call('chat.postEphemeral', { channel, user: await slack.idOf('stranger'), text: 'x' }),
  ),
  message_not_found: refuses('message_not_found', () => update({ ts: '1700000000.000100', text: 'y' })),
  thread_not_found: refuses('thread_not_found', () => post({ thread_ts: '1700000000.000100', text: 'x' })),
  invalid_thread_ts: async () => {
    await refused(post({ thread_ts: '', text: 'x' }), 'invalid_thread_ts');
    await refused(post({ thread_ts: 'undefined', text: 'x' }), 'invalid_thread_ts');
  },
  cannot_reply_to_message: async () => {
    const { ts } = await said();
    await slack.deleteMessage(ts);
    await refused(post({ thread_ts: ts, text: 'x' }), 'cannot_reply_to_message');
  },
  invalid_cursor: refuses('invalid_cursor', () => call('conversations.history', { channel, cursor: 'zzz' })),
  bot_not_found: refuses('bot_not_found', () => call('bots.info', { bot: 'B0NOBODY' })),
  restricted_action: ordered('restricted_action'),
  messages_tab_disabled: ordered('messages_tab_disabled'),
  message_limit_exceeded: ordered('message_limit_exceeded'),
  rate_limited_with_200: ordered('rate_limited_with_200'),

  no_text: refuses('no_text', () => post({ text: ' ' })),
  post_text: async () => {
    const { ts } = await post({ text: text(rules.post_text.max + 1) });
    expect((await slack.message(ts))?.text).toHaveLength(rules.post_text.max);
  },
  update_text: upTo('update_text', (size) => update({ text: text(size) })),
  markdown_text: upTo('markdown_text', (size) => post({ markdown_text: text(size) })),
  markdown_conflict: refuses('markdown_conflict', () => post({ text: 'x', markdown_text: 'x' })),
  metadata_too_large: refuses('metadata_too_large', () =>
    post({ text: 'x', metadata: metadata({ x: text(rules.metadata_too_large.max) }) }),
  ),
  invalid_metadata: refuses('invalid_metadata', () => post({ text: 'x', metadata: { event_type: 'x' } })),
  too_many_attachments: upTo('too_many_attachments', (size) =>
    post({ text: 'x', attachments: list(size, () => ({ text: 'x' })) }),
  ),
  cant_update_message: refuses('cant_update_message', async () =>
    update({ ts: (await said()).ts, text: 'y' }),
  ),
  cant_delete_message: refuses('cant_delete_message', async () =>
    call('chat.delete', { channel, ts: (await said()).ts }),
  ),
  edit_window_closed: ordered('edit_window_closed'),

  stream_life: async () => {
    const ts = await stream({ markdown_text: 'a' });
    await slack.advance(rules.stream_life.ms - 10_000);
    await call('chat.appendStream', { channel, ts, markdown_text: 'b' });
    await slack.advance(10_000);
    expect((await slack.message(ts))?.stream?.state).toBe('expired');
    expect((await slack.notices()).map(({ kind }) => kind)).toContain('torn_stream');
    await call('chat.update', { channel, ts, text: 'ab, and the rest' });
    expect((await slack.message(ts))?.shown).toBe('ab, and the rest');
  },
  not_streaming: async () => {
    const ts = await stream({ markdown_text: 'a' });
    await call('chat.stopStream', { channel, ts });
    await refused(call('chat.appendStream', { channel, ts, markdown_text: 'b' }), 'not_streaming');
    await refused(call('chat.stopStream', { channel, ts }), 'not_streaming');
  },
  stopped_by_user: async () => {
    const ts = await stream({ markdown_text: 'a' });
    await slack.pressStop('mia', ts);
    await refused(call('chat.appendStream', { channel, ts, markdown_text: 'b' }), 'stopped_by_user');
  },
  streaming_conflict: refuses('streaming_conflict', async () => update({ ts: await stream(), text: 'y' })),
  not_own_stream: refuses('not_own_stream', async () =>
    call('chat.appendStream', { channel, ts: (await said()).ts, markdown_text: 'x' }),
  ),
  missing_recipient_team: refuses('missing_recipient_team', () => stream({ recipient_team_id: undefined })),
  missing_recipient_user: refuses('missing_recipient_user', () => stream({ recipient_user_id: undefined })),
  stream_place: async () => {
    await slack.workspace({ isStreamingAllowed: false });
    await refused(stream(), 'stream_place');
    await slack.workspace({ isStreamingAllowed: true });
  },
  invalid_chunks: refuses('invalid_chunks', () => append({ chunks: [task({ status: 'done' })] })),
  chunk_text: upTo('chunk_text', (size) => append({ chunks: [{ type: 'markdown_text', text: text(size) }] })),
  task_field: upTo('task_field', (size) => append({ chunks: [task({ title: text(size) })] })),

  invalid_blocks: refuses('invalid_blocks', () => post({ text: 'x', blocks: {} })),
  block_count: blocksUpTo('block_count', (size) => list(size, () => section())),
  view_block_count: upTo('view_block_count', (size) => open(modal({ blocks: list(size, () => section()) }))),
  block_type: refusesBlocks('block_type', { type: 'shout' }),
  required: refusesBlocks('required', { type: 'section', text: mrkdwn('') }),
  section_text: blocksUpTo('section_text', (size) => [section({ text: mrkdwn(text(size)) })]),
  section_empty: refusesBlocks('section_empty', { type: 'section' }),
  section_fields: blocksUpTo('section_fields', (size) => [section({ fields: list(size, () => mrkdwn()) })]),
  section_field: blocksUpTo('section_field', (size) => [section({ fields: [mrkdwn(text(size))] })]),
  header_text: blocksUpTo('header_text', (size) => [{ type: 'header', text: plain(text(size)) }]),
  context_elements: blocksUpTo('context_elements', (size) => [
    { type: 'context', elements: list(size, () => mrkdwn()) },
  ]),
  actions_elements: blocksUpTo('actions_elements', (size) => [actions(...list(size, () => button()))]),
  context_actions_elements: blocksUpTo('context_actions_elements', (size) => [
    {
      type: 'context_actions',
      elements: list(size, () => ({ ...button(), type: 'icon_button', icon: 'trash' })),
    },
  ]),
  markdown_total: blocksUpTo('markdown_total', (size) => [
    { type: 'markdown', text: text(size - 10) },
    { type: 'markdown', text: text(10) },
  ]),
  button_text: blocksUpTo('button_text', (size) => [actions(button({ text: plain(text(size)) }))]),
  button_value: blocksUpTo('button_value', (size) => [actions(button({ value: text(size) }))]),
  button_url: blocksUpTo('button_url', (size) => [actions(button({ url: text(size) }))]),
  button_label: blocksUpTo('button_label', (size) => [actions(button({ accessibility_label: text(size) }))]),
  button_style: refusesBlocks('button_style', actions(button({ style: 'secondary' }))),
  id_length: blocksUpTo('id_length', (size) => [section({ block_id: text(size) })]),
  action_id_twice: refusesBlocks(
    'action_id_twice',
    actions(button({ action_id: 'a' }), button({ action_id: 'a' })),
  ),
  block_id_twice: refusesBlocks('block_id_twice', section({ block_id: 'a' }), section({ block_id: 'a' })),
  select_options: blocksUpTo('select_options', (size) => [
    actions(select({ options: list(size, () => option()) })),
  ]),
  option_text: blocksUpTo('option_text', (size) => [
    actions(select({ options: [option({ text: plain(text(size)) })] })),
  ]),
  option_value: blocksUpTo('option_value', (size) => [
    actions(select({ options: [option({ value: text(size) })] })),
  ]),
  option_description: blocksUpTo('option_description', (size) => [
    actions(select({ options: [option({ description: plain(text(size)) })] })),
  ]),
  option_value_twice: refusesBlocks(
    'option_value_twice',
    actions(select({ options: [option({ value: 'a' }), option({ value: 'a' })] })),
  ),
  placeholder: blocksUpTo('placeholder', (size) => [actions(select({ placeholder: plain(text(size)) }))]),
  choices: blocksUpTo('choices', (size) => [
    actions({ type: 'checkboxes', action_id: 'c', options: list(size, () => option()) }),
  ]),
  overflow_options: blocksUpTo('overflow_options', (size) => [
    actions({ type: 'overflow', action_id: 'o', options: list(size, () => option()) }),
  ]),
  input_max: blocksUpTo('input_max', (size) => [input({ max_length: size })]),
  input_label: blocksUpTo('input_label', (size) => [input({}, { label: plain(text(size)) })]),
  input_hint: blocksUpTo('input_hint', (size) => [input({}, { hint: plain(text(size)) })]),
  confirm_title: blocksUpTo('confirm_title', (size) => withConfirm({ title: plain(text(size)) })),
  confirm_text: blocksUpTo('confirm_text', (size) => withConfirm({ text: plain(text(size)) })),
  confirm_button: blocksUpTo('confirm_button', (size) => withConfirm({ confirm: plain(text(size)) })),
  image_alt: blocksUpTo('image_alt', (size) => [image({ alt_text: text(size) })]),
  image_title: blocksUpTo('image_title', (size) => [image({ title: plain(text(size)) })]),
  image_url: blocksUpTo('image_url', (size) => [image({ image_url: text(size) })]),
  table_rows: blocksUpTo('table_rows', (size) => [{ type: 'table', rows: list(size, () => row(1)) }]),
  table_cells: blocksUpTo('table_cells', (size) => [{ type: 'table', rows: [row(size)] }]),
  one_table: blocksUpTo('one_table', (size) => list(size, () => ({ type: 'table', rows: [row(1)] }))),
  plain_text: refusesBlocks('plain_text', actions(button({ text: mrkdwn('*Go*') }))),

  trigger_life: async () => {
    const late = await trigger();
    await slack.advance(rules.trigger_life.ms + 1);
    await refused(call('views.open', { trigger_id: late, view: modal() }), 'expired_trigger');
  },
  expired_trigger: async () => {
    const late = await trigger();
    await slack.advance(4_000);
    await refused(call('views.open', { trigger_id: late, view: modal() }), 'expired_trigger');
  },
  exchanged_trigger: async () => {
    const once = await trigger();
    await call('views.open', { trigger_id: once, view: modal() });
    await refused(call('views.open', { trigger_id: once, view: modal() }), 'exchanged_trigger');
  },
  invalid_trigger: refuses('invalid_trigger', () => call('views.open', { trigger_id: 'x', view: modal() })),
  view_size: refuses('view_size', () => open(modal({ private_metadata: text(rules.view_size.max) }))),
  view_title: upTo('view_title', (size) => open(modal({ title: plain(text(size)) }))),
  view_submit: upTo('view_submit', (size) => open(modal({ submit: plain(text(size)) }))),
  view_close: upTo('view_close', (size) => open(modal({ close: plain(text(size)) }))),
  view_submit_needed: refuses('view_submit_needed', () => open(modal({ blocks: [input()] }))),
  view_callback: upTo('view_callback', (size) => open(modal({ callback_id: text(size) }))),
  private_metadata: upTo('private_metadata', (size) => open(modal({ private_metadata: text(size) }))),
  view_stack: async () => {
    const line = await dial(slack);
    const push = async () => {
      await slack.submit('mia');
      line.ack(await line.next('interactive'), { response_action: 'push', view: modal() });
      await slack.until(
        async () =>
          (await slack.refused()).at(-1)?.rule === 'view_stack' || (await slack.openView('mia'))?.id,
        (seen) => seen !== top,
      );
      top = (await slack.openView('mia'))?.id;
    };
    await slack.forgetJournal();
    let { id: top }: { id: string | undefined } = (await open(modal())).view;
    for (let height = 1; height <= rules.view_stack.max; height += 1) await push();
    expect((await slack.refused()).map(({ rule }) => rule)).toEqual(['view_stack']);
    await line.close();
  },
  hash_conflict: refuses('hash_conflict', async () =>
    call('views.update', { view_id: (await open(modal())).view.id, hash: 'old', view: modal() }),
  ),
  view_not_found: refuses('view_not_found', () =>
    call('views.update', { view_id: 'V0NOTHING', view: modal() }),
  ),
  home_not_enabled: async () => {
    await slack.workspace({ hasHome: false });
    const view = { type: 'home', blocks: [section()] };
    await refused(call('views.publish', { user_id: await slack.idOf('mia'), view }), 'home_not_enabled');
    await slack.workspace({ hasHome: true });
  },

  already_reacted: refuses('already_reacted', async () => {
    const reaction = { channel, timestamp: (await said()).ts, name: 'eyes' };
    await call('reactions.add', reaction);
    return call('reactions.add', reaction);
  }),
  no_reaction: refuses('no_reaction', async () =>
    call('reactions.remove', { channel, timestamp: (await said()).ts, name: 'eyes' }),
  ),
  invalid_name: refuses('invalid_name', async () =>
    call('reactions.add', { channel, timestamp: (await said()).ts, name: ':eyes:' }),
  ),
  too_many_reactions: async () => {
    const { ts: timestamp } = await said();
    const react = (at: number) => call('reactions.add', { channel, timestamp, name: `e${at}` });
    for (let at = 0; at < rules.too_many_reactions.max; at += 1) await react(at);
    await refused(react(99), 'too_many_reactions');
  },

  file_not_found: refuses('file_not_found', () =>
    call('files.completeUploadExternal', { files: [{ id: 'F0NOTHING' }] }),
  ),
  file_uploads_disabled: ordered('file_uploads_disabled'),
  file_not_uploaded: refuses('file_not_uploaded', async () =>
    call('files.completeUploadExternal', { files: [{ id: (await upload('a.txt', 3)).file_id }] }),
  ),

  no_session_here: async () => {
    await slack.workspace({ isAgent: false });
    await refused(status(), 'no_session_here');
    await slack.workspace({ isAgent: true });
  },
  loading_messages: upTo('loading_messages', (size) => status({ loading_messages: list(size, () => 'x') })),
  prompt_count: upTo('prompt_count', (size) =>
    call('assistant.threads.setSuggestedPrompts', {
      channel_id: channel,
      prompts: list(size, () => ({ title: 'x', message: 'x' })),
    }),
  ),
  thread_ts_required: refuses('thread_ts_required', () => session({ thread_ts: undefined })),
  invalid_status: refuses('invalid_status', () => session({ status: 'busy' })),
  session_title: upTo('session_title', (size) => session({ title: text(size) })),
  feature_disabled: async () => {
    await slack.workspace({ isAgent: false });
    await refused(session(), 'feature_disabled');
    await slack.workspace({ isAgent: true });
  },
  status_life: async () => {
    const { ts } = await said();
    await status({ thread_ts: ts });
    expect(await slack.session(channel, ts)).toMatchObject({ line: 'thinking', status: 'processing' });
    await slack.advance(rules.status_life.ms + 1);
    expect((await slack.session(channel, ts)).line).toBe('');
  },
  session_life: async () => {
    const { ts } = await said();
    await session({ thread_ts: ts, status: 'processing' });
    await slack.advance(rules.session_life.ms + 1);
    expect((await slack.session(channel, ts)).status).toBe('active');
  },

  invalid_client_id: refuses('invalid_client_id', () => access({ client_id: 'x' })),
  bad_client_secret: refuses('bad_client_secret', () => access({ client_secret: 'x' })),
  invalid_code: refuses('invalid_code', () => access()),
  code_already_used: async () => {
    const { id, botToken } = await slack.addTeam('Other');
    const once = await code(id);
    expect(await access({ code: once })).toMatchObject({
      access_token: botToken,
      team: { id, name: 'Other' },
    });
    await refused(access({ code: once }), 'code_already_used');
  },

  ack_within: async () => {
    const line = await dial(slack);
    await slack.forgetJournal();
    await slack.events({ isLossy: false });
    await said();
    const envelope = await line.next('events_api');
    await slack.advance(rules.ack_within.ms);
    const again = await line.next('events_api');
    expect(again).toMatchObject({ retry_attempt: 1, retry_reason: 'timeout' });
    expect((again['payload'] as Body)['event_id']).toBe((envelope['payload'] as Body)['event_id']);
    line.ack(again);
    line.ack(envelope);
    await slack.until(
      async () => (await slack.notices()).map(({ kind }) => kind),
      (kinds) => kinds.includes('unacknowledged_event') && kinds.includes('late_ack'),
    );
    await line.close();
  },
  response_url_life: async () => {
    const url = await responseUrl();
    await slack.advance(rules.response_url_life.ms + 1);
    expect((await say(url, { text: 'x' })).status).toBe(404);
  },
  response_url_uses: async () => {
    const url = await responseUrl();
    for (let at = 0; at < rules.response_url_uses.max; at += 1)
      expect((await say(url, { text: `${at}` })).status).toBe(200);
    expect(await (await say(url, { text: 'x' })).text()).toBe('used_url');
  },
  response_url_over: async () => {
    const url = await responseUrl();
    await slack.advance(rules.response_url_life.ms + 1);
    expect(await (await say(url, { text: 'x' })).text()).toBe('expired_url');
  },

  ticket: async () => {
    const { url = '' } = await webOf(slack, slack.appToken).apps.connections.open();
    const line = await dialUrl(url);
    expect((await line.next('hello'))['num_connections']).toBe(1);
    await expect(dialUrl(url)).rejects.toThrow(/403/);
    await line.close();
  },
  connections: async () => {
    const lines = await Promise.all(list(rules.connections.max, () => dial(slack)));
    await expect(dial(slack)).rejects.toThrow(/403/);
    await Promise.all(lines.map((line) => line.close()));
  },

  tier_2: spends('tier_2', () => stream()),
  tier_3: spends('tier_3', () => call('conversations.info', { channel })),
  tier_4: spends('tier_4', () => call('users.info', { user: slack.botUserId })),
  post_in_channel: async () => {
    await slack.rates({ isOn: true, postBurst: 2 });
    const waits: (number | undefined)[] = [];
    for (let at = 0; at < 3; at += 1)
      waits.push(
        await post({ text: `${at}` }).then(
          () => 0,
          ({ retryAfter }: { retryAfter: number }) => retryAfter,
        ),
      );
    expect(waits).toEqual([0, 0, 2]);
    await slack.advance(2_000);
    await post({ text: 'later' });
  },
  post_in_workspace: spends('post_in_workspace', async (at) =>
    post({ channel: await slack.addChannel(`r${(count += 1)}`), text: `${at}` }),
  ),
  status_rate: spends('status_rate', () => status()),
  special: spends('special', () => web.auth.test()),
  short_history: async () => {
    await slack.workspace({ isHistoryShort: true, historyPage: 15 });
    await slack.rates({ isOn: true });
    await call('conversations.history', { channel });
    await expect(call('conversations.history', { channel })).rejects.toMatchObject({
      retryAfter: expect.any(Number) as number,
    });
    await slack.workspace({ isHistoryShort: false, historyPage: 999 });
  },
};

test.each(Object.entries(examples))('%s', async (_name, example) => {
  await expect(example()).resolves.toBeUndefined();
});

test('every row says where it comes from', () => {
  const vague = Object.entries(rules).filter(
    ([, { source }]) =>
      !/^(?:https:\/\/docs\.slack\.dev\/.+|observed, not documented|this fake)$/.test(source),
  );
  expect(vague.map(([name]) => name)).toEqual([]);
});

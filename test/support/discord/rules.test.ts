// Every row of the table by example: what just fits is taken, what is past it is refused, as the real REST client sees it.
import { ButtonStyle, type REST } from 'discord.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dial, expectRefused, identify, type Line, raw, restOf } from './lab.ts';
import {
  type BucketRule,
  type CloseRule,
  type ErrorRule,
  type FormRule,
  type RuleName,
  rules,
} from './rules.ts';
import { type FakeDiscord, startDiscord } from './server.ts';

let discord: FakeDiscord;
let rest: REST;
/** A fresh channel for each example. */
let channel = '';
let count = 0;

beforeAll(async () => {
  discord = await startDiscord();
  rest = restOf(discord);
  // Windows and deadlines end when the example says so, however slow this machine is.
  await discord.freezeClock(true);
});
afterAll(() => discord.close());
beforeEach(async () => {
  channel = await discord.addChannel(`room-${(count += 1)}`);
  await discord.rates({ shape: 'off', limits: {}, invalidRequests: rules.invalid_requests.max });
});

type Body = Readonly<Record<string, unknown>>;
type Example = () => Promise<void>;

const refused = (call: Promise<unknown>, rule: ErrorRule | FormRule) => expectRefused(discord, call, rule);
const post = (body: Body, files: { name: string; data: Buffer }[] = []) =>
  rest.post(`/channels/${channel}/messages`, { body, files }) as Promise<{ id: string }>;
const said = (text = 'hello') => discord.say('mia', text, { in: channel });
const nobody = '1100000000000000001';
const text = (length: number) => 'x'.repeat(length);

/** `max` fits and one more does not. */
function upTo(
  rule: Extract<RuleName, FormRule | ErrorRule>,
  call: (size: number) => Promise<unknown>,
): Example {
  return async () => {
    const { max } = rules[rule];
    await call(max);
    await refused(call(max + 1), rule);
  };
}
const postUpTo = (rule: FormRule, body: (size: number) => Body): Example =>
  upTo(rule, (size) => post(body(size)));
const refuses =
  (rule: ErrorRule | FormRule, call: () => Promise<unknown>): Example =>
  () =>
    refused(call(), rule);
const refusesPost = (rule: ErrorRule | FormRule, body: Body): Example => refuses(rule, () => post(body));

const list = <T>(length: number, make: (position: number) => T): T[] =>
  Array.from({ length }, (_, at) => make(at));
const button = (more: Body = {}) => ({
  type: 2,
  style: ButtonStyle.Primary,
  label: 'Go',
  custom_id: `b${(count += 1)}`,
  ...more,
});
const row = (...components: Body[]) => ({ type: 1, components });
const option = (more: Body = {}) => ({ label: 'A', value: `v${(count += 1)}`, ...more });
const select = (more: Body = {}) => ({
  type: 3,
  custom_id: `s${(count += 1)}`,
  options: [option()],
  ...more,
});
const withParts = (...components: Body[]) => ({ content: 'hello', components });
const embed = (more: Body) => ({ embeds: [more] });
const layout = (...components: Body[]) => ({ flags: 32_768, components });

/** A click on a fresh button of the bot, not answered yet. */
async function click() {
  const message = await post(withParts(row(button({ custom_id: 'go' }))));
  return discord.press('mia', message.id, 'go');
}
async function callback(type: number, data: Body = {}) {
  const { id, token } = await click();
  return rest.post(`/interactions/${id}/${token}/callback`, { body: { type, data }, auth: false });
}
const input = (more: Body = {}) => ({ type: 4, custom_id: `i${(count += 1)}`, style: 1, ...more });
const field = (more: Body = {}, component: Body = input()) => ({
  type: 18,
  label: 'Why',
  component,
  ...more,
});
const form = (more: Body = {}) =>
  callback(9, { custom_id: 'form', title: 'Form', components: [field()], ...more });

const commands = (...body: Body[]) =>
  rest.put(`/applications/${discord.applicationId}/guilds/${discord.guildId}/commands`, { body });
const command = (more: Body = {}) => ({ name: 'ask', description: 'Ask', ...more });
const commandOption = (more: Body = {}) => ({ type: 3, name: `o${(count += 1)}`, description: 'd', ...more });

async function thread(): Promise<string> {
  const message = await said();
  await rest.post(`/channels/${channel}/messages/${message.id}/threads`, { body: { name: 'thread' } });
  return message.id;
}

/** The bucket gives its calls, then 429 with the time to wait, and is whole again when that time is over. */
function spends(
  rule: BucketRule,
  call: () => Promise<{ readonly status: number; readonly headers: Headers }>,
): Example {
  return async () => {
    const { calls, perMs } = rules[rule];
    if (rule !== 'global') await discord.rates({ limits: { global: { calls: 10_000, perMs: 1_000 } } });
    await discord.rates({ shape: 'window' });
    const seen: number[] = [];
    for (let each = 0; each < calls; each += 1) seen.push((await call()).status);
    expect(seen).not.toContain(429);
    const tooMany = await call();
    expect(tooMany.status).toBe(429);
    expect(tooMany.headers.get('x-ratelimit-scope')).toBe(rule === 'global' ? 'global' : 'user');
    const waitMs = Number(tooMany.headers.get('retry-after')) * 1_000;
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(perMs);
    await discord.advance(waitMs);
    expect((await call()).status).not.toBe(429);
  };
}
const rawPost = (body: Body = { content: 'hello' }) =>
  raw(discord, `POST /channels/${channel}/messages`, { body: JSON.stringify(body) });
const edit = (id: string) =>
  raw(discord, `PATCH /channels/${channel}/messages/${id}`, { body: '{"content":"new"}' });

/** Only a test can bring it about: the next post runs into it, the one after does not. */
const ordered =
  (rule: ErrorRule): Example =>
  async () => {
    const { status, code } = rules[rule];
    const isLimit = status === 429;
    await discord.fault({
      on: 'create_message',
      ...(isLimit ? { how: 'limited', scope: 'user', retryAfterMs: 40, rule } : { how: 'error', rule }),
    });
    const { body, headers, ...answer } = await rawPost();
    expect([answer.status, (body as { code: number }).code]).toEqual([status, code]);
    expect(headers.get('retry-after')).toBe(isLimit ? '0.04' : null);
    expect((await rawPost()).status).toBe(200);
  };

/** The gateway hangs up with the code of this row. */
const closes =
  (rule: CloseRule, talk: (line: Line) => Promise<void> | void, query?: string): Example =>
  async () => {
    const line = await dial(discord, query);
    await talk(line);
    expect(await line.closed).toBe(rules[rule].code);
  };

const examples: Readonly<Record<RuleName, Example>> = {
  unauthorized: async () => {
    const { status, body } = await raw(discord, 'GET /users/@me', {
      headers: { authorization: 'Bot wrong' },
    });
    expect({ status, body }).toEqual({ status: 401, body: { message: '401: Unauthorized', code: 0 } });
  },
  user_agent: async () => {
    const { status, body } = await raw(discord, 'GET /users/@me', { headers: { 'user-agent': 'curl' } });
    expect({ status, code: (body as { code: number }).code }).toEqual({ status: 403, code: 40_333 });
  },
  unknown_route: refuses('unknown_route', () => rest.get('/nothing')),
  wrong_method: refuses('wrong_method', () => rest.put(`/channels/${channel}/messages`, { body: {} })),
  not_json: async () => {
    const { body } = await raw(discord, `POST /channels/${channel}/messages`, { body: '{' });
    expect(body).toMatchObject({ code: 50_109 });
  },
  content_type: async () => {
    const headers = { 'content-type': 'text/plain' };
    const { body } = await raw(discord, `POST /channels/${channel}/messages`, { body: '{}', headers });
    expect(body).toMatchObject({
      code: 50_035,
      errors: { body: { _errors: [{ code: 'CONTENT_TYPE_INVALID' }] } },
    });
  },
  wrong_type: refusesPost('wrong_type', { content: 7 }),
  required: refuses('required', async () =>
    rest.post(`/channels/${channel}/threads`, { body: { type: 11 } }),
  ),
  choices: refusesPost('choices', { content: 'x', allowed_mentions: { parse: ['people'] } }),
  overloaded: async () => {
    await discord.fault({ on: 'create_message', how: 'error', rule: 'overloaded' });
    expect(await rawPost()).toMatchObject({ status: 503, body: { code: 130_000 } });
    expect((await rawPost()).status).toBe(200);
  },

  unknown_channel: refuses('unknown_channel', () => rest.get(`/channels/${nobody}`)),
  unknown_guild: refuses('unknown_guild', () => rest.get(`/guilds/${nobody}`)),
  unknown_member: refuses('unknown_member', async () => {
    const stranger = await discord.addPerson('stranger');
    await discord.removePerson('stranger');
    return rest.get(`/guilds/${discord.guildId}/members/${stranger}`);
  }),
  unknown_message: refuses('unknown_message', () => rest.get(`/channels/${channel}/messages/${nobody}`)),
  unknown_user: refuses('unknown_user', () =>
    rest.post('/users/@me/channels', { body: { recipient_id: nobody } }),
  ),
  unknown_emoji: refuses('unknown_emoji', async () =>
    rest.put(`/channels/${channel}/messages/${(await said()).id}/reactions/nonsense/@me`),
  ),
  unknown_webhook: refuses('unknown_webhook', async () => {
    const { token } = await click(); // not acknowledged yet
    return rest.post(`/webhooks/${discord.applicationId}/${token}`, { body: { content: 'x' }, auth: false });
  }),
  unknown_interaction: refuses('unknown_interaction', async () => {
    const { id } = await click();
    return rest.post(`/interactions/${id}/other-token/callback`, { body: { type: 6 }, auth: false });
  }),
  unknown_command: refuses('unknown_command', () =>
    rest.delete(`/applications/${discord.applicationId}/commands/${nobody}`),
  ),

  missing_access: async () => {
    await discord.revokePermission(channel, 'ViewChannel');
    await refused(post({ content: 'x' }), 'missing_access');
  },
  missing_permissions: async () => {
    await discord.revokePermission(channel, 'SendMessages');
    await refused(post({ content: 'x' }), 'missing_permissions');
    await discord.grantPermission(channel, 'SendMessages');
    await post({ content: 'x' });
  },
  cannot_dm: async () => {
    const dm = (await discord.say('shy', 'hello', { in: 'dm' })).channelId;
    await discord.setDms('shy', false);
    await refused(rest.post(`/channels/${dm}/messages`, { body: { content: 'x' } }), 'cannot_dm');
  },
  no_mutual_server: async () => {
    const dm = (await discord.say('gone', 'hello', { in: 'dm' })).channelId;
    await rest.post(`/channels/${dm}/messages`, { body: { content: 'x' } });
    await discord.removePerson('gone');
    await refused(rest.post(`/channels/${dm}/messages`, { body: { content: 'y' } }), 'no_mutual_server');
  },
  automod: ordered('automod'),
  harmful_link: ordered('harmful_link'),
  slow_mode_on: ordered('slow_mode_on'),
  channel_writes: ordered('channel_writes'),
  server_writes: ordered('server_writes'),
  resource_limited: ordered('resource_limited'),
  not_author: refuses('not_author', async () =>
    rest.patch(`/channels/${channel}/messages/${(await said()).id}`, { body: { content: 'mine now' } }),
  ),
  reply_without_history: async () => {
    const { id } = await said();
    await discord.revokePermission(channel, 'ReadMessageHistory');
    await refused(post({ content: 'x', message_reference: { message_id: id } }), 'reply_without_history');
    await post({ content: 'x' });
  },
  no_text_here: refuses('no_text_here', async () =>
    rest.post(`/channels/${await discord.channelId('questions')}/messages`, { body: { content: 'x' } }),
  ),
  wrong_channel_type: refuses('wrong_channel_type', async () => {
    const { id, channelId } = await discord.say('mia', 'hello', { in: 'lounge' });
    return rest.post(`/channels/${channelId}/messages/${id}/threads`, { body: { name: 'thread' } });
  }),
  system_message: refuses('system_message', async () => {
    const id = await thread();
    const [starter] = (await rest.get(`/channels/${id}/messages`)) as { id: string; type: number }[];
    expect(starter?.type).toBe(21);
    return rest.patch(`/channels/${id}/messages/${starter?.id}`, { body: { content: 'x' } });
  }),

  empty_message: refusesPost('empty_message', { content: ' \n ' }),
  content_length: async () => {
    await upTo('content_length', (size) => post({ content: text(size) }))();
    await upTo('content_length', (size) => post({ content: '😀'.repeat(size) }))();
  },
  embed_count: postUpTo('embed_count', (size) => ({ embeds: list(size, () => ({ title: 't' })) })),
  embed_title: postUpTo('embed_title', (size) => embed({ title: text(size) })),
  embed_description: postUpTo('embed_description', (size) => embed({ description: text(size) })),
  embed_fields: postUpTo('embed_fields', (size) =>
    embed({ fields: list(size, () => ({ name: 'n', value: 'v' })) }),
  ),
  embed_field_name: postUpTo('embed_field_name', (size) =>
    embed({ fields: [{ name: text(size), value: 'v' }] }),
  ),
  embed_field_value: postUpTo('embed_field_value', (size) =>
    embed({ fields: [{ name: 'n', value: text(size) }] }),
  ),
  embed_footer: postUpTo('embed_footer', (size) => embed({ footer: { text: text(size) } })),
  embed_author: postUpTo('embed_author', (size) => embed({ author: { name: text(size) } })),
  embed_total: postUpTo('embed_total', (size) => ({
    embeds: [{ description: text(4_000) }, { description: text(size - 4_000) }],
  })),
  nonce_length: postUpTo('nonce_length', (size) => ({
    content: 'x',
    nonce: text(size),
    enforce_nonce: true,
  })),
  nonce_life: async () => {
    const body = { content: 'once', nonce: 'job-1', enforce_nonce: true };
    const first = await post(body);
    expect((await post({ ...body, content: 'other' })).id).toBe(first.id);
    expect((await discord.messages(channel)).map(({ content }) => content)).toEqual(['once']);
    await discord.advance(rules.nonce_life.ms + 1);
    expect((await post(body)).id).not.toBe(first.id);
  },
  settable_flags: refusesPost('settable_flags', { content: 'x', flags: 64 }),
  unknown_reference: async () => {
    const message_reference = { message_id: nobody, fail_if_not_exists: true };
    await refused(post({ content: 'x', message_reference }), 'unknown_reference');
    await post({ content: 'x', message_reference: { ...message_reference, fail_if_not_exists: false } });
  },
  mention_lists: refusesPost('mention_lists', {
    content: 'x',
    allowed_mentions: { parse: ['users'], users: [nobody] },
  }),
  mention_count: postUpTo('mention_count', (size) => ({
    content: 'x',
    allowed_mentions: { users: list(size, () => nobody) },
  })),
  file_count: upTo('file_count', (size) =>
    post(
      {},
      list(size, (at) => ({ name: `${at}.txt`, data: Buffer.from('x') })),
    ),
  ),
  file_size: upTo('file_size', (size) => post({}, [{ name: 'big.bin', data: Buffer.alloc(size) }])),
  file_description: upTo('file_description', (size) =>
    post({ attachments: [{ id: 0, description: text(size) }] }, [{ name: 'a.txt', data: Buffer.from('x') }]),
  ),
  file_unknown: refusesPost('file_unknown', { content: 'x', attachments: [{ id: '7' }] }),
  voice_or_poll: refusesPost('voice_or_poll', { poll: { question: { text: '?' } } }),

  rows: postUpTo('rows', (size) => withParts(...list(size, () => row(button())))),
  row_width: postUpTo('row_width', (size) => withParts(row(...list(size, () => button())))),
  component_type: refusesPost('component_type', withParts(row(input()))),
  custom_id: postUpTo('custom_id', (size) => withParts(row(button({ custom_id: text(size) })))),
  custom_id_twice: refuses('custom_id_twice', () =>
    post(withParts(row(button({ custom_id: 'same' })), row(button({ custom_id: 'same' })))),
  ),
  button_label: postUpTo('button_label', (size) => withParts(row(button({ label: text(size) })))),
  button_empty: refuses('button_empty', () => post(withParts(row(button({ label: '' }))))),
  button_style: refuses('button_style', () =>
    post(withParts(row(button({ style: 5, url: 'https://example.org' })))),
  ),
  button_url: postUpTo('button_url', (size) =>
    withParts(row({ type: 2, style: 5, label: 'Go', url: `https://${text(size - 8)}` })),
  ),
  url_scheme: refusesPost(
    'url_scheme',
    withParts(row({ type: 2, style: 5, label: 'Go', url: 'javascript:alert()' })),
  ),
  select_options: postUpTo('select_options', (size) =>
    withParts(row(select({ options: list(size, () => option()) }))),
  ),
  select_option_text: postUpTo('select_option_text', (size) =>
    withParts(row(select({ options: [option({ label: text(size) })] }))),
  ),
  select_option_description: postUpTo('select_option_description', (size) =>
    withParts(row(select({ options: [option({ description: text(size) })] }))),
  ),
  select_value_twice: refuses('select_value_twice', () =>
    post(withParts(row(select({ options: [option({ value: 'v' }), option({ value: 'v' })] })))),
  ),
  select_placeholder: postUpTo('select_placeholder', (size) =>
    withParts(row(select({ placeholder: text(size) }))),
  ),
  select_range: refuses('select_range', () => post(withParts(row(select({ max_values: 2 }))))),
  v2_alone: refusesPost('v2_alone', { ...layout({ type: 10, content: 'x' }), content: 'x' }),
  v2_flag_stays: refuses('v2_flag_stays', async () => {
    const { id } = await post(layout({ type: 10, content: 'x' }));
    return rest.patch(`/channels/${channel}/messages/${id}`, {
      body: { flags: 0, content: 'x', components: [] },
    });
  }),
  v2_count: postUpTo('v2_count', (size) => layout(...list(size, () => ({ type: 14 })))),
  v2_text: postUpTo('v2_text', (size) =>
    layout({ type: 10, content: text(size - 1) }, { type: 10, content: 'x' }),
  ),
  modal_title: upTo('modal_title', (size) => form({ title: text(size) })),
  modal_parts: upTo('modal_parts', (size) => form({ components: list(size, () => field()) })),
  modal_label: upTo('modal_label', (size) => form({ components: [field({ label: text(size) })] })),
  modal_description: upTo('modal_description', (size) =>
    form({ components: [field({ description: text(size) })] }),
  ),
  input_range: upTo('input_range', (size) => form({ components: [field({}, input({ max_length: size }))] })),
  input_value: upTo('input_value', (size) => form({ components: [field({}, input({ value: text(size) }))] })),
  input_placeholder: upTo('input_placeholder', (size) =>
    form({ components: [field({}, input({ placeholder: text(size) }))] }),
  ),

  thread_name: upTo('thread_name', async (size) =>
    rest.post(`/channels/${channel}/messages/${(await said()).id}/threads`, { body: { name: text(size) } }),
  ),
  auto_archive: refuses('auto_archive', () =>
    rest.post(`/channels/${channel}/threads`, { body: { name: 'x', type: 11, auto_archive_duration: 61 } }),
  ),
  slow_mode: upTo('slow_mode', (size) =>
    rest.post(`/channels/${channel}/threads`, { body: { name: 'x', type: 11, rate_limit_per_user: size } }),
  ),
  thread_exists: refuses('thread_exists', async () => {
    const id = await thread();
    return rest.post(`/channels/${channel}/messages/${id}/threads`, { body: { name: 'again' } });
  }),
  thread_locked: refuses('thread_locked', async () => {
    const id = await thread();
    await discord.lockThread(id);
    return rest.post(`/channels/${id}/messages`, { body: { content: 'x' } });
  }),
  thread_cap: async () => {
    const big = await discord.addServer('Big');
    channel = await discord.addChannel('many', 'text', big);
    await discord.addThreads(channel, rules.thread_cap.max - 1);
    const start = () => rest.post(`/channels/${channel}/threads`, { body: { name: 'x', type: 11 } });
    await start();
    await refused(start(), 'thread_cap');
    await discord.deleteChannel(channel);
  },
  thread_archived: async () => {
    const id = await thread();
    const own = (await rest.post(`/channels/${id}/messages`, { body: { content: 'one' } })) as { id: string };
    await discord.archiveThread(id);
    const change = () => rest.patch(`/channels/${id}/messages/${own.id}`, { body: { content: 'two' } });
    await refused(change(), 'thread_archived');
    await rest.patch(`/channels/${id}`, { body: { archived: false } });
    await change();
  },

  reaction_kinds: async () => {
    const { id } = await said();
    const react = (at: number) => {
      const emoji = encodeURIComponent(String.fromCodePoint(0x1f600 + at));
      return rest.put(`/channels/${channel}/messages/${id}/reactions/${emoji}/@me`);
    };
    for (let at = 0; at < rules.reaction_kinds.max; at += 1) await react(at);
    await refused(react(rules.reaction_kinds.max), 'reaction_kinds');
  },
  bulk_size: async () => {
    await discord.grantPermission(channel, 'ManageMessages');
    const remove = (size: number) =>
      rest.post(`/channels/${channel}/messages/bulk-delete`, {
        body: { messages: list(size, () => nobody) },
      });
    await upTo('bulk_size', remove)();
    await refused(remove(1), 'bulk_size');
  },
  bulk_age: async () => {
    await discord.grantPermission(channel, 'ManageMessages');
    const messages = [(await said()).id, (await said()).id];
    await discord.advance(15 * 24 * 60 * 60_000);
    await refused(rest.post(`/channels/${channel}/messages/bulk-delete`, { body: { messages } }), 'bulk_age');
  },
  page_size: upTo('page_size', (size) => rest.get(`/channels/${channel}/messages?limit=${size}`)),

  first_response: async () => {
    const { id, token } = await click();
    await discord.advance(rules.first_response.ms + 1);
    const late = rest.post(`/interactions/${id}/${token}/callback`, { body: { type: 6 }, auth: false });
    await refused(late, 'unknown_interaction');
    expect((await discord.notices()).filter(({ kind }) => kind === 'unanswered_interaction')).not.toEqual([]);
  },
  token_life: async () => {
    const { id, token } = await click();
    await rest.post(`/interactions/${id}/${token}/callback`, { body: { type: 6 }, auth: false });
    const followUp = () =>
      rest.post(`/webhooks/${discord.applicationId}/${token}`, { body: { content: 'x' }, auth: false });
    await discord.advance(rules.token_life.ms - 5_000);
    await followUp();
    await discord.advance(5_001);
    await refused(followUp(), 'token_over');
  },
  token_over: async () => {
    const { id, token } = await click();
    await rest.post(`/interactions/${id}/${token}/callback`, { body: { type: 5 }, auth: false });
    await discord.advance(rules.token_life.ms + 1);
    const late = rest.patch(`/webhooks/${discord.applicationId}/${token}/messages/@original`, {
      body: { content: 'x' },
      auth: false,
    });
    await refused(late, 'token_over');
    expect((await discord.notices()).map(({ kind }) => kind)).toContain('endless_deferral');
  },
  already_acknowledged: async () => {
    const { id, token } = await click();
    const acknowledge = () =>
      rest.post(`/interactions/${id}/${token}/callback`, { body: { type: 6 }, auth: false });
    await acknowledge();
    await refused(acknowledge(), 'already_acknowledged');
  },
  callback_type: refuses('callback_type', async () => {
    const opener = await click();
    const body = {
      type: 9,
      data: { custom_id: 'form', title: 'Form', components: [field({}, input({ custom_id: 'why' }))] },
    };
    await rest.post(`/interactions/${opener.id}/${opener.token}/callback`, { body, auth: false });
    const sent = await discord.submit('mia', opener.id, { why: 'because' });
    return rest.post(`/interactions/${sent.id}/${sent.token}/callback`, { body, auth: false });
  }),
  autocomplete_choices: upTo('autocomplete_choices', async (size) => {
    await commands(
      command({ name: 'find', options: [commandOption({ name: 'topic', autocomplete: true })] }),
    );
    const { id, token } = await discord.typeOption('mia', 'find', 'topic', 'li');
    const choices = list(size, (at) => ({ name: `topic ${at}`, value: String(at) }));
    return rest.post(`/interactions/${id}/${token}/callback`, {
      body: { type: 8, data: { choices } },
      auth: false,
    });
  }),

  command_name: refuses('command_name', () => commands(command({ name: 'Ask' }))),
  command_name_twice: refuses('command_name_twice', () => commands(command(), command())),
  command_description: upTo('command_description', (size) => commands(command({ description: text(size) }))),
  command_locale: async () => {
    await commands(command({ description_localizations: { de: 'Fragen', 'zh-CN': '提问' } }));
    await refused(commands(command({ description_localizations: { zh: '提问' } })), 'command_locale');
  },
  command_options: upTo('command_options', (size) =>
    commands(command({ options: list(size, () => commandOption()) })),
  ),
  command_required_first: refuses('command_required_first', () =>
    commands(command({ options: [commandOption(), commandOption({ required: true })] })),
  ),
  command_choices: upTo('command_choices', (size) =>
    commands(
      command({
        options: [commandOption({ choices: list(size, (at) => ({ name: 'n', value: String(at) })) })],
      }),
    ),
  ),
  command_choice: upTo('command_choice', (size) =>
    commands(command({ options: [commandOption({ choices: [{ name: text(size), value: 'v' }] })] })),
  ),
  command_length: upTo('command_length', (size) => {
    // Three options of five thousand, two thousand and what is left; name and descriptions are the eleven.
    const full = (length: number) => list(length / 200, () => ({ name: text(100), value: text(100) }));
    const left = size - 7_000 - 11;
    const last = [...full(800), { name: text(100), value: text(left - 800 - 100) }];
    const options = [full(5_000), full(2_000), last].map((choices, at) => ({
      type: 3,
      name: `o${at}`,
      description: 'd',
      choices,
    }));
    return commands({ name: 'a', description: 'd', options });
  }),
  slash_commands: async () => {
    const server = await discord.addServer(`Commands ${(count += 1)}`);
    await upTo('slash_commands', (size) =>
      rest.put(`/applications/${discord.applicationId}/guilds/${server}/commands`, {
        body: list(size, (at) => command({ name: `c${at}` })),
      }),
    )();
  },
  menu_commands: async () => {
    const server = await discord.addServer(`Commands ${(count += 1)}`);
    await upTo('menu_commands', (size) =>
      rest.put(`/applications/${discord.applicationId}/guilds/${server}/commands`, {
        body: list(size, (at) => ({ type: 3, name: `Menu ${at}` })),
      }),
    )();
  },
  daily_commands: async () => {
    const server = await discord.addServer(`Commands ${(count += 1)}`);
    const put = (prefix: string) =>
      raw(discord, `PUT /applications/${discord.applicationId}/guilds/${server}/commands`, {
        body: JSON.stringify(list(100, (at) => command({ name: `${prefix}${at}` }))),
      });
    expect([(await put('a')).status, (await put('b')).status, (await put('b')).status]).toEqual([
      200, 200, 200,
    ]);
    expect(await put('c')).toMatchObject({ status: 429, body: { code: 30_034 } });
  },

  rate_limited: async () => {
    await discord.rates({ shape: 'window' });
    for (let each = 0; each < rules.create_message.calls; each += 1) await rawPost();
    const { status, body, headers } = await rawPost();
    expect(status).toBe(429);
    expect(body).toEqual({
      message: 'You are being rate limited.',
      retry_after: Number(headers.get('retry-after')),
      global: false,
    });
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await discord.notices()).map(({ kind }) => kind)).toContain('too_fast');
  },
  old_edit: async () => {
    const { id } = await post({ content: 'old' });
    await discord.advance(rules.old_edit_age.ms + 1);
    await discord.rates({ shape: 'window' });
    const seen = [await edit(id), await edit(id), await edit(id), await edit(id)];
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(seen.at(-1)?.body).toMatchObject({ code: 30_046 });
  },
  old_edit_rate: async () => {
    const { id } = await post({ content: 'old' });
    await discord.advance(rules.old_edit_age.ms + 1);
    await spends('old_edit_rate', () => edit(id))();
  },
  old_edit_age: async () => {
    const { id } = await post({ content: 'not that old' });
    await discord.advance(rules.old_edit_age.ms - 60_000);
    await discord.rates({ shape: 'window' });
    for (let each = 0; each < rules.edit_message.calls; each += 1) expect((await edit(id)).status).toBe(200);
  },
  channel_rename: async () => {
    const id = await thread();
    const rename = () => raw(discord, `PATCH /channels/${id}`, { body: `{"name":"n${(count += 1)}"}` });
    await spends('channel_rename', rename)();
    await rename();
    const seen = await rename();
    // No header announces it: there were calls left.
    expect(seen.status).toBe(429);
    expect(Number(seen.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0);
  },
  global: async () => {
    const mia = await discord.idOf('mia');
    await discord.rates({ limits: { any_other: { calls: 1_000, perMs: 60_000 } } });
    await spends('global', () => raw(discord, `GET /users/${mia}`))();
  },
  invalid_requests: async () => {
    const before = await discord.invalidRequests();
    await discord.rates({ invalidRequests: before + 2 });
    const forbidden = () => raw(discord, 'GET /users/@me', { headers: { authorization: 'Bot wrong' } });
    expect([(await forbidden()).status, (await forbidden()).status]).toEqual([401, 401]);
    const banned = await raw(discord, 'GET /users/@me');
    expect(banned.status).toBe(429);
    expect(banned.body).toContain('1015');
    await discord.advance(11 * 60_000);
    expect((await raw(discord, 'GET /users/@me')).status).toBe(200);
  },
  create_message: spends('create_message', () => rawPost()),
  edit_message: async () => {
    const { id } = await post({ content: 'x' });
    await spends('edit_message', () => edit(id))();
  },
  delete_message: spends('delete_message', () =>
    raw(discord, `DELETE /channels/${channel}/messages/${nobody}`),
  ),
  react: async () => {
    const { id } = await said();
    await spends('react', () =>
      raw(discord, `PUT /channels/${channel}/messages/${id}/reactions/%E2%9C%85/@me`),
    )();
  },
  typing: spends('typing', () => raw(discord, `POST /channels/${channel}/typing`)),
  edit_channel: spends('edit_channel', () => raw(discord, `PATCH /channels/${channel}`, { body: '{}' })),
  webhook: async () => {
    const { id, token } = await click();
    await rest.post(`/interactions/${id}/${token}/callback`, { body: { type: 6 }, auth: false });
    const body = '{"content":"x"}';
    await spends('webhook', () =>
      raw(discord, `POST /webhooks/${discord.applicationId}/${token}`, { body }),
    )();
  },
  create_thread: spends('create_thread', () =>
    raw(discord, `POST /channels/${channel}/messages/${nobody}/threads`, { body: '{"name":"x"}' }),
  ),
  any_other: spends('any_other', () => raw(discord, `GET /channels/${channel}`)),

  unknown_opcode: closes('unknown_opcode', (line) => line.send({ op: 99, d: null })),
  decode_error: async () => {
    await closes('decode_error', (line) => line.send('{'))();
    await closes('decode_error', (line) => line.send({ op: 1, d: text(rules.decode_error.max) }))();
  },
  not_authenticated: closes('not_authenticated', (line) => line.send({ op: 3, d: {} })),
  bad_token: closes('bad_token', (line) => line.send(identify(discord, { token: 'wrong' }))),
  already_authenticated: closes('already_authenticated', async (line) => {
    line.send(identify(discord));
    await line.next('READY');
    line.send(identify(discord));
  }),
  invalid_seq: closes('invalid_seq', async (line) => {
    line.send(identify(discord));
    const { session_id } = (await line.next('READY')).d as { session_id: string };
    const other = await dial(discord);
    other.send({ op: 6, d: { token: discord.token, session_id, seq: 9_999 } });
    expect(await other.closed).toBe(rules.invalid_seq.code);
    line.send({ op: 1, d: 9_999 });
  }),
  frame_rate: closes('frame_rate', (line) => {
    for (let each = 0; each <= rules.frame_rate.max; each += 1) line.send({ op: 1, d: null });
  }),
  session_timeout: async () => {
    await discord.gateway({ heartbeatMs: 30 });
    await closes('session_timeout', () => {})();
    await discord.gateway({ heartbeatMs: 41_250 });
  },
  invalid_shard: closes('invalid_shard', (line) => line.send(identify(discord, { shard: [2, 2] }))),
  sharding_required: async () => {
    await discord.gateway({ guildsPerShard: 0 });
    await closes('sharding_required', (line) => line.send(identify(discord)))();
    await discord.gateway({ guildsPerShard: rules.sharding_required.max });
  },
  invalid_version: closes('invalid_version', () => {}, 'v=9&encoding=json'),
  invalid_intents: closes('invalid_intents', (line) => line.send(identify(discord, { intents: 1 << 30 }))),
  disallowed_intents: closes('disallowed_intents', (line) =>
    line.send(identify(discord, { intents: 1 << 1 })),
  ),
};

test.each(Object.entries(examples))('%s', async (_name, example) => {
  await expect(example()).resolves.toBeUndefined();
});

test('every row says where it comes from', () => {
  const vague = Object.entries(rules).filter(
    ([, { source }]) =>
      !/^(?:https:\/\/discord\.com\/developers\/docs\/.+|observed, not documented|this fake)$/.test(source),
  );
  expect(vague.map(([name]) => name)).toEqual([]);
});

/**
 * Everything the fake refuses or limits, in one table: what it answers, its number, and the section of Slack's facts that it
 * follows. `rules.test.ts` shows each row by an example; a row without one does not compile.
 *
 * A source is a page of Slack's documentation, reports of others (`observed`), or this fake where Slack is silent (`assumed`).
 */

const docs = 'https://docs.slack.dev';
const webApi = `${docs}/apis/web-api/using-the-slack-web-api#evaluating-responses`;
const ofMethod = (name: string) => `${docs}/reference/methods/${name}`;
const blockKit = `${docs}/reference/block-kit`;
const markdown = `${blockKit}/blocks/markdown-block`;
const metadata = `${docs}/messaging/message-metadata`;
const rates = `${docs}/apis/web-api/rate-limits`;
const responding = `${docs}/interactivity/handling-user-interaction`;
const socketMode = `${docs}/apis/events-api/using-socket-mode`;

/** Reported by many, promised nowhere. */
const observed = 'observed, not documented';
/** Slack says nothing; the fake has to do something. */
const assumed = 'this fake';

/** HTTP 200 with `ok: false` and this error. `max`, where it counts something, is the most that passes. */
const error = (says: string, source: string, max = 0) => ({ kind: 'error', says, source, max }) as const;
/** `invalid_blocks` with this line in `response_metadata.messages`. */
const block = (says: string, max = 0, source = `${blockKit}/blocks`) =>
  ({ kind: 'block', says, source, max }) as const;
/** `calls` in `perMs` for each workspace, and for each channel where the row says so. Above: 429 with Retry-After. */
const rate = (calls: number, perMs: number, source = rates) =>
  ({ kind: 'rate', calls, perMs, source }) as const;
/** A deadline or a life. Unit: milliseconds. */
const within = (ms: number, source: string) => ({ kind: 'time', ms, source }) as const;

const stream = ofMethod('chat.appendStream');
const minute = 60_000;

export const rules = {
  // Requests
  not_authed: error('not_authed', webApi),
  invalid_auth: error('invalid_auth', webApi),
  account_inactive: error('account_inactive', webApi),
  token_revoked: error('token_revoked', webApi),
  not_allowed_token_type: error('not_allowed_token_type', webApi),
  missing_scope: error('missing_scope', webApi),
  unknown_method: error('unknown_method', webApi),
  invalid_arguments: error('invalid_arguments', webApi),
  invalid_form_data: error('invalid_form_data', webApi),
  internal_error: error('internal_error', webApi),
  fatal_error: error('fatal_error', webApi),
  service_unavailable: error('service_unavailable', webApi),

  // Places and people
  channel_not_found: error('channel_not_found', webApi),
  not_in_channel: error('not_in_channel', webApi),
  is_archived: error('is_archived', webApi),
  user_not_found: error('user_not_found', webApi),
  user_not_in_channel: error('user_not_in_channel', webApi),
  message_not_found: error('message_not_found', webApi),
  thread_not_found: error('thread_not_found', webApi),
  invalid_thread_ts: error('invalid_thread_ts', webApi),
  cannot_reply_to_message: error('cannot_reply_to_message', webApi),
  invalid_cursor: error('invalid_cursor', webApi),
  bot_not_found: error('bot_not_found', webApi),
  /** These come from a workspace's own settings: a test orders them as an accident. */
  restricted_action: error('restricted_action', webApi),
  messages_tab_disabled: error('messages_tab_disabled', webApi),
  message_limit_exceeded: error('message_limit_exceeded', webApi),
  rate_limited_with_200: error('rate_limited', webApi),

  // Messages
  no_text: error('no_text', ofMethod('chat.postMessage')),
  /** Longer text is cut, not refused. */
  post_text: {
    kind: 'cut',
    max: 40_000,
    says: 'message_truncated',
    source: ofMethod('chat.postMessage'),
  },
  update_text: error('msg_too_long', ofMethod('chat.update'), 4_000),
  markdown_text: error('msg_too_long', ofMethod('chat.postMessage'), 12_000),
  markdown_conflict: error('markdown_text_conflict', ofMethod('chat.postMessage')),
  metadata_too_large: error('metadata_too_large', metadata, 16_000),
  invalid_metadata: error('invalid_metadata_format', metadata),
  too_many_attachments: error('too_many_attachments', ofMethod('chat.postMessage'), 100),
  cant_update_message: error('cant_update_message', ofMethod('chat.update')),
  cant_delete_message: error('cant_delete_message', ofMethod('chat.delete')),
  edit_window_closed: error('edit_window_closed', ofMethod('chat.update')),

  // Streams
  stream_life: within(300_000, observed),
  not_streaming: error('message_not_in_streaming_state', stream),
  stopped_by_user: error('stopped_by_user', stream),
  streaming_conflict: error('streaming_state_conflict', ofMethod('chat.update')),
  not_own_stream: error('message_not_owned_by_app', stream),
  missing_recipient_team: error('missing_recipient_team_id', stream),
  missing_recipient_user: error('missing_recipient_user_id', stream),
  stream_place: error('channel_type_not_supported', stream),
  invalid_chunks: error('invalid_chunks', stream),
  chunk_text: error('msg_too_long', stream, 12_000),
  task_field: error('msg_too_long', observed, 256),

  // Blocks
  invalid_blocks: error('invalid_blocks', blockKit),
  block_count: block('no more than 50 items allowed', 50),
  view_block_count: block('no more than 100 items allowed', 100),
  block_type: block('unsupported type'),
  required: block('missing required field'),
  section_text: block('must be less than 3001 characters', 3_000),
  section_empty: block('a section needs text or fields'),
  section_fields: block('no more than 10 items allowed', 10),
  section_field: block('must be less than 2001 characters', 2_000),
  header_text: block('must be less than 151 characters', 150),
  context_elements: block('between 1 and 10 elements', 10),
  actions_elements: block('between 1 and 25 elements', 25),
  context_actions_elements: block('between 1 and 5 elements', 5),
  markdown_total: error('msg_blocks_too_long', markdown, 12_000),
  button_text: block('must be less than 76 characters', 75),
  button_value: block('must be less than 2001 characters', 2_000),
  button_url: block('must be less than 3001 characters', 3_000),
  button_label: block('must be less than 76 characters', 75),
  button_style: block('must be primary or danger'),
  id_length: block('must be less than 256 characters', 255),
  action_id_twice: block('`action_id` is used more than once in a block'),
  block_id_twice: block('`block_id` is used more than once'),
  select_options: block('between 1 and 100 options', 100),
  option_text: block('must be less than 76 characters', 75),
  option_value: block('must be less than 76 characters', 75),
  option_description: block('must be less than 76 characters', 75),
  option_value_twice: block('option values must be unique', 0, assumed),
  placeholder: block('must be less than 151 characters', 150),
  choices: block('between 1 and 10 options', 10),
  overflow_options: block('between 1 and 5 options', 5),
  input_max: block('`max_length` is between 1 and 3000', 3_000),
  input_label: block('must be less than 2001 characters', 2_000),
  input_hint: block('must be less than 2001 characters', 2_000),
  confirm_title: block('must be less than 101 characters', 100),
  confirm_text: block('must be less than 301 characters', 300),
  confirm_button: block('must be less than 31 characters', 30),
  image_alt: block('must be less than 2001 characters', 2_000),
  image_title: block('must be less than 2001 characters', 2_000),
  image_url: block('must be less than 3001 characters', 3_000),
  table_rows: block('no more than 100 rows', 100),
  table_cells: block('no more than 20 cells', 20),
  one_table: error('invalid_attachments', `${blockKit}/blocks/table-block`, 1),
  plain_text: block('a plain_text object is needed here'),

  // Views
  trigger_life: within(3_000, responding),
  expired_trigger: error('expired_trigger_id', ofMethod('views.open')),
  exchanged_trigger: error('exchanged_trigger_id', ofMethod('views.open')),
  invalid_trigger: error('invalid_trigger_id', ofMethod('views.open')),
  view_size: error('view_too_large', ofMethod('views.open'), 250_000),
  view_title: block('must be less than 25 characters', 24),
  view_submit: block('must be less than 25 characters', 24),
  view_close: block('must be less than 25 characters', 24),
  view_submit_needed: block('a view with input blocks needs `submit`'),
  view_callback: block('must be less than 256 characters', 255),
  private_metadata: block('must be less than 3001 characters', 3_000),
  view_stack: error('push_limit_reached', ofMethod('views.push'), 3),
  hash_conflict: error('hash_conflict', ofMethod('views.update')),
  view_not_found: error('not_found', ofMethod('views.update')),
  home_not_enabled: error('not_enabled', ofMethod('views.publish')),

  // Reactions
  already_reacted: error('already_reacted', ofMethod('reactions.add')),
  no_reaction: error('no_reaction', ofMethod('reactions.remove')),
  invalid_name: error('invalid_name', ofMethod('reactions.add')),
  too_many_reactions: error('too_many_reactions', ofMethod('reactions.add'), 23),

  // Files
  file_not_found: error('file_not_found', ofMethod('files.completeUploadExternal')),
  file_uploads_disabled: error('file_uploads_disabled', ofMethod('files.getUploadURLExternal')),
  file_not_uploaded: error('file_not_found', assumed),

  // Assistant threads and agent sessions
  no_session_here: error('method_not_supported_for_channel_type', ofMethod('assistant.threads.setStatus')),
  loading_messages: error('invalid_arguments', ofMethod('assistant.threads.setStatus'), 10),
  prompt_count: error('invalid_arguments', ofMethod('assistant.threads.setSuggestedPrompts'), 4),
  thread_ts_required: error('thread_ts_required', ofMethod('agents.sessions.setStatus')),
  invalid_status: error('invalid_status', ofMethod('agents.sessions.setStatus')),
  session_title: error('invalid_arguments', ofMethod('agents.sessions.rename'), 200),
  feature_disabled: error('feature_disabled', ofMethod('agents.sessions.setStatus')),
  status_life: within(2 * minute, ofMethod('assistant.threads.setStatus')),
  session_life: within(60 * minute, ofMethod('agents.sessions.setStatus')),

  // OAuth
  invalid_client_id: error('invalid_client_id', ofMethod('oauth.v2.access')),
  bad_client_secret: error('bad_client_secret', ofMethod('oauth.v2.access')),
  invalid_code: error('invalid_code', ofMethod('oauth.v2.access')),
  code_already_used: error('code_already_used', ofMethod('oauth.v2.access')),

  // Interactivity
  ack_within: within(3_000, responding),
  response_url_life: within(30 * minute, responding),
  response_url_uses: {
    kind: 'http',
    status: 404,
    says: 'used_url',
    max: 5,
    source: responding,
  },
  response_url_over: {
    kind: 'http',
    status: 404,
    says: 'expired_url',
    max: 0,
    source: responding,
  },

  // Socket Mode
  ticket: {
    kind: 'http',
    status: 403,
    says: 'invalid ticket',
    max: 1,
    source: socketMode,
  },
  connections: {
    kind: 'http',
    status: 403,
    says: 'too many websockets',
    max: 10,
    source: socketMode,
  },

  // Rates. A method has its tier; these are counted apart.
  tier_2: rate(20, minute),
  tier_3: rate(50, minute),
  tier_4: rate(100, minute),
  post_in_channel: rate(1, 1_000, rates),
  post_in_workspace: rate(300, minute, rates),
  status_rate: rate(600, minute, ofMethod('assistant.threads.setStatus')),
  special: rate(600, minute, rates),
  short_history: rate(1, minute, ofMethod('conversations.history')),
} as const;

export type RuleName = keyof typeof rules;
type Named<Kind> = {
  [Name in RuleName]: (typeof rules)[Name] extends { kind: Kind } ? Name : never;
}[RuleName];
export type ErrorRule = Named<'error'>;
export type BlockRule = Named<'block'>;
export type RateRule = Named<'rate'>;

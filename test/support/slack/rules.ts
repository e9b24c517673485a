/**
 * Everything the fake refuses or limits, in one table: what it answers, its number, and the section of Slack's facts that it
 * follows. `rules.test.ts` shows each row by an example; a row without one does not compile.
 *
 * A source names Slack's documentation (`docs: …`), the behaviour of the client library (`bolt`), reports of others
 * (`observed`), or this fake where Slack is silent (`assumed`).
 */

/** HTTP 200 with `ok: false` and this error. `max`, where it counts something, is the most that passes. */
const error = (says: string, source: string, max = 0) => ({ kind: 'error', says, source, max }) as const;
/** `invalid_blocks` with this line in `response_metadata.messages`. */
const block = (says: string, max = 0, source = 'docs: Block Kit, reference') =>
  ({ kind: 'block', says, source, max }) as const;
/** `calls` in `perMs` for each workspace, and for each channel where the row says so. Above: 429 with Retry-After. */
const rate = (calls: number, perMs: number, source = 'docs: rate limits, tiers') =>
  ({ kind: 'rate', calls, perMs, source }) as const;
/** A deadline or a life. Unit: milliseconds. */
const within = (ms: number, source: string) => ({ kind: 'time', ms, source }) as const;

const api = 'docs: Web API, errors of the method';
const stream = 'docs: chat.startStream, chat.appendStream, chat.stopStream';
const minute = 60_000;

export const rules = {
  // Requests
  not_authed: error('not_authed', api),
  invalid_auth: error('invalid_auth', api),
  account_inactive: error('account_inactive', api),
  token_revoked: error('token_revoked', api),
  not_allowed_token_type: error('not_allowed_token_type', api),
  missing_scope: error('missing_scope', api),
  unknown_method: error('unknown_method', api),
  invalid_arguments: error('invalid_arguments', api),
  invalid_form_data: error('invalid_form_data', api),
  internal_error: error('internal_error', api),
  fatal_error: error('fatal_error', api),
  service_unavailable: error('service_unavailable', api),

  // Places and people
  channel_not_found: error('channel_not_found', api),
  not_in_channel: error('not_in_channel', api),
  is_archived: error('is_archived', api),
  user_not_found: error('user_not_found', api),
  user_not_in_channel: error('user_not_in_channel', api),
  message_not_found: error('message_not_found', api),
  thread_not_found: error('thread_not_found', api),
  invalid_thread_ts: error('invalid_thread_ts', api),
  cannot_reply_to_message: error('cannot_reply_to_message', api),
  invalid_cursor: error('invalid_cursor', api),
  bot_not_found: error('bot_not_found', api),
  /** These come from a workspace's own settings: a test orders them as an accident. */
  restricted_action: error('restricted_action', api),
  messages_tab_disabled: error('messages_tab_disabled', api),
  message_limit_exceeded: error('message_limit_exceeded', api),
  rate_limited_with_200: error('rate_limited', api),

  // Messages
  no_text: error('no_text', 'docs: chat.postMessage'),
  /** Longer text is cut, not refused. */
  post_text: {
    kind: 'cut',
    max: 40_000,
    says: 'message_truncated',
    source: 'docs: chat.postMessage, truncating content',
  },
  update_text: error('msg_too_long', 'docs: chat.update', 4_000),
  markdown_text: error('msg_too_long', 'docs: markdown_text', 12_000),
  markdown_conflict: error('markdown_text_conflict', 'docs: markdown_text'),
  metadata_too_large: error('metadata_too_large', 'docs: message metadata', 16_000),
  invalid_metadata: error('invalid_metadata_format', 'docs: message metadata'),
  too_many_attachments: error('too_many_attachments', 'docs: chat.postMessage', 100),
  cant_update_message: error('cant_update_message', 'docs: chat.update'),
  cant_delete_message: error('cant_delete_message', 'docs: chat.delete'),
  edit_window_closed: error('edit_window_closed', 'docs: chat.update'),

  // Streams
  stream_life: within(300_000, 'observed: about five minutes from the start, whatever is appended'),
  not_streaming: error('message_not_in_streaming_state', stream),
  stopped_by_user: error('stopped_by_user', stream),
  streaming_conflict: error('streaming_state_conflict', 'docs: chat.update'),
  not_own_stream: error('message_not_owned_by_app', stream),
  missing_recipient_team: error('missing_recipient_team_id', stream),
  missing_recipient_user: error('missing_recipient_user_id', stream),
  stream_place: error('channel_type_not_supported', stream),
  invalid_chunks: error('invalid_chunks', stream),
  chunk_text: error('msg_too_long', stream, 12_000),
  task_field: error('msg_too_long', 'observed: fields of task and plan chunks', 256),

  // Blocks
  invalid_blocks: error('invalid_blocks', 'docs: Block Kit'),
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
  markdown_total: error('msg_blocks_too_long', 'docs: markdown block, cumulative for a payload', 12_000),
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
  option_value_twice: block('option values must be unique', 0, 'assumed: a choice must say which it is'),
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
  one_table: error('invalid_attachments', 'docs: table block, only_one_table_allowed', 1),
  plain_text: block('a plain_text object is needed here'),

  // Views
  trigger_life: within(3_000, 'docs: trigger ids'),
  expired_trigger: error('expired_trigger_id', 'docs: views.open'),
  exchanged_trigger: error('exchanged_trigger_id', 'docs: views.open'),
  invalid_trigger: error('invalid_trigger_id', 'docs: views.open'),
  view_size: error('view_too_large', 'docs: views.open', 250_000),
  view_title: block('must be less than 25 characters', 24),
  view_submit: block('must be less than 25 characters', 24),
  view_close: block('must be less than 25 characters', 24),
  view_submit_needed: block('a view with input blocks needs `submit`'),
  view_callback: block('must be less than 256 characters', 255),
  private_metadata: block('must be less than 3001 characters', 3_000),
  view_stack: error('push_limit_reached', 'docs: views.push, three views', 3),
  hash_conflict: error('hash_conflict', 'docs: views.update'),
  view_not_found: error('not_found', 'docs: views.update'),
  home_not_enabled: error('not_enabled', 'docs: views.publish'),

  // Reactions
  already_reacted: error('already_reacted', 'docs: reactions.add'),
  no_reaction: error('no_reaction', 'docs: reactions.remove'),
  invalid_name: error('invalid_name', 'docs: reactions.add'),
  too_many_reactions: error('too_many_reactions', 'docs: reactions.add, 23 of one person', 23),

  // Files
  file_not_found: error('file_not_found', 'docs: files.completeUploadExternal'),
  file_uploads_disabled: error('file_uploads_disabled', 'docs: files.getUploadURLExternal'),
  file_not_uploaded: error('file_not_found', 'assumed: completion without the bytes'),

  // Assistant threads and agent sessions
  no_session_here: error('method_not_supported_for_channel_type', 'docs: assistant.threads.setStatus'),
  loading_messages: error('invalid_arguments', 'docs: assistant.threads.setStatus', 10),
  prompt_count: error('invalid_arguments', 'docs: assistant.threads.setSuggestedPrompts', 4),
  thread_ts_required: error('thread_ts_required', 'docs: agents.sessions.setStatus'),
  invalid_status: error('invalid_status', 'docs: agents.sessions.setStatus'),
  session_title: error('invalid_arguments', 'docs: agents.sessions.rename', 200),
  feature_disabled: error('feature_disabled', 'docs: agents.sessions.setStatus'),
  status_life: within(2 * minute, 'docs: assistant.threads.setStatus'),
  session_life: within(60 * minute, 'docs: agents.sessions.setStatus'),

  // OAuth
  invalid_client_id: error('invalid_client_id', 'docs: oauth.v2.access'),
  bad_client_secret: error('bad_client_secret', 'docs: oauth.v2.access'),
  invalid_code: error('invalid_code', 'docs: oauth.v2.access'),
  code_already_used: error('code_already_used', 'docs: oauth.v2.access'),

  // Interactivity
  ack_within: within(3_000, 'docs: acknowledgement of events and interactions'),
  response_url_life: within(30 * minute, 'docs: response_url'),
  response_url_uses: {
    kind: 'http',
    status: 404,
    says: 'used_url',
    max: 5,
    source: 'docs: response_url, five uses',
  },
  response_url_over: {
    kind: 'http',
    status: 404,
    says: 'expired_url',
    max: 0,
    source: 'docs: response_url, 30 minutes',
  },

  // Socket Mode
  ticket: {
    kind: 'http',
    status: 403,
    says: 'invalid ticket',
    max: 1,
    source: 'docs: one ticket, one socket',
  },
  connections: {
    kind: 'http',
    status: 403,
    says: 'too many websockets',
    max: 10,
    source: 'docs: Socket Mode',
  },

  // Rates. A method has its tier; these are counted apart.
  tier_1: rate(1, minute),
  tier_2: rate(20, minute),
  tier_3: rate(50, minute),
  tier_4: rate(100, minute),
  post_in_channel: rate(1, 1_000, 'docs: chat.postMessage, one a second for each channel'),
  post_in_workspace: rate(300, minute, 'docs: chat.postMessage, several hundred a minute'),
  status_rate: rate(600, minute, 'docs: assistant.threads.setStatus'),
  special: rate(600, minute, 'docs: auth.test, hundreds a minute'),
  short_history: rate(1, minute, 'docs: conversations.history for distributed apps outside the Marketplace'),
} as const;

export type RuleName = keyof typeof rules;
type Named<Kind> = {
  [Name in RuleName]: (typeof rules)[Name] extends { kind: Kind } ? Name : never;
}[RuleName];
export type ErrorRule = Named<'error'>;
export type BlockRule = Named<'block'>;
export type RateRule = Named<'rate'>;

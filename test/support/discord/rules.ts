/**
 * Everything the fake refuses or limits, in one table: the number, the answer, and where Discord says so. `rules.test.ts`
 * shows each row by an example; a row without one does not compile.
 */

const docs = 'https://discord.com/developers/docs';
const message = `${docs}/resources/message#create-message`;
const embed = `${docs}/resources/message#embed-object-embed-limits`;
const mentions = `${docs}/resources/message#allowed-mentions-object`;
const components = `${docs}/components/reference`;
const channel = `${docs}/resources/channel`;
const threads = `${docs}/topics/threads`;
const interactions = `${docs}/interactions/receiving-and-responding`;
const commands = `${docs}/interactions/application-commands`;
const errors = `${docs}/topics/opcodes-and-status-codes#json`;
const closes = `${docs}/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes`;
const gateway = `${docs}/events/gateway`;
const rates = `${docs}/topics/rate-limits`;
const reference = `${docs}/reference`;
/** Reported by many bots, promised nowhere. */
const observed = 'observed, not documented';

/** HTTP status, JSON code and message of a refusal. `max`, where it counts something, is the most that passes. */
const error = (status: number, code: number, says: string, source: string = errors, max = 0) =>
  ({ kind: 'error', status, code, says, source, max }) as const;
/** One field of a body: 400 with code 50035 and this inner code. `max` is the largest length or number that passes. */
const form = (inner: string, says: string, source: string, max = 0) =>
  ({ kind: 'form', inner, says, source, max }) as const;
const atMost = (max: number, source: string) =>
  form('BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`, source, max);
const between = (max: number, source: string) =>
  form('BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${max} in length.`, source, max);
/** The gateway hangs up with this code. */
const close = (code: number, says: string, source: string = closes, max = 0) =>
  ({ kind: 'close', code, says, source, max }) as const;
/** `calls` in `perMs` for each value of the route's major parameter. */
const bucket = (calls: number, perMs: number, source: string = observed) =>
  ({ kind: 'bucket', calls, perMs, source }) as const;
/** A deadline. Unit: milliseconds. */
const within = (ms: number, source: string) => ({ kind: 'time', ms, source }) as const;

export const rules = {
  // Requests
  unauthorized: error(401, 0, '401: Unauthorized', `${reference}#authentication`),
  user_agent: error(403, 40_333, 'internal network error', `${reference}#user-agent`),
  unknown_route: error(404, 0, '404: Not Found', errors),
  wrong_method: error(405, 0, '405: Method Not Allowed', errors),
  not_json: error(400, 50_109, 'The request body contains invalid JSON.'),
  content_type: form(
    'CONTENT_TYPE_INVALID',
    'Expected "Content-Type" header to be one of {application/json, multipart/form-data}.',
    reference,
  ),
  wrong_type: form('BASE_TYPE_BAD_TYPE', 'The value has the wrong type.', errors),
  required: form('BASE_TYPE_REQUIRED', 'This field is required', errors),
  choices: form('BASE_TYPE_CHOICES', 'Value must be one of the documented ones.', errors),
  overloaded: error(503, 130_000, 'API resource is currently overloaded. Try again a little later', errors),

  // What is not there
  unknown_channel: error(404, 10_003, 'Unknown Channel'),
  unknown_guild: error(404, 10_004, 'Unknown Guild'),
  unknown_member: error(404, 10_007, 'Unknown Member'),
  unknown_message: error(404, 10_008, 'Unknown Message'),
  unknown_user: error(404, 10_013, 'Unknown User'),
  unknown_emoji: error(404, 10_014, 'Unknown Emoji'),
  unknown_webhook: error(404, 10_015, 'Unknown Webhook'),
  unknown_interaction: error(404, 10_062, 'Unknown interaction', `${interactions}#interaction-callback`),
  unknown_command: error(404, 10_063, 'Unknown application command'),

  // What is not allowed
  missing_access: error(403, 50_001, 'Missing Access'),
  missing_permissions: error(403, 50_013, 'Missing Permissions'),
  cannot_dm: error(403, 50_007, 'Cannot send messages to this user'),
  no_mutual_server: error(403, 50_278, 'Cannot send messages to this user due to having no mutual guilds'),
  /** These come from a server's own rules: a test orders them as an accident. */
  automod: error(403, 200_000, 'Message was blocked by automatic moderation'),
  harmful_link: error(403, 240_000, 'Message contains harmful link'),
  slow_mode_on: error(429, 20_016, 'This action cannot be performed due to slowmode rate limit'),
  channel_writes: error(429, 20_028, 'The channel you are writing has hit the write rate limit'),
  server_writes: error(
    429,
    20_029,
    'The write action you are performing on the server has hit the write rate limit',
  ),
  resource_limited: error(429, 40_062, 'Service resource is being rate limited'),
  not_author: error(400, 50_005, 'Cannot edit a message authored by another user'),
  reply_without_history: error(400, 160_002, 'Cannot reply without permission to read message history'),
  no_text_here: error(400, 50_008, 'Cannot send messages in a non-text channel'),
  wrong_channel_type: error(400, 50_024, 'Cannot execute action on this channel type'),
  system_message: error(403, 50_021, 'Cannot execute action on a system message'),

  // Messages
  empty_message: error(400, 50_006, 'Cannot send an empty message', message),
  content_length: atMost(2_000, message),
  embed_count: atMost(10, message),
  embed_title: atMost(256, embed),
  embed_description: atMost(4_096, embed),
  embed_fields: atMost(25, embed),
  embed_field_name: between(256, embed),
  embed_field_value: between(1_024, embed),
  embed_footer: atMost(2_048, embed),
  embed_author: atMost(256, embed),
  embed_total: form('MAX_EMBED_SIZE_EXCEEDED', 'Embed size exceeds maximum size of 6000', embed, 6_000),
  nonce_length: atMost(25, message),
  nonce_life: within(5 * 60_000, message),
  settable_flags: form('MESSAGE_FLAGS_INVALID', 'Only flags that can be set are allowed.', message),
  unknown_reference: form('MESSAGE_REFERENCE_UNKNOWN_MESSAGE', 'Unknown message', message),
  mention_lists: form(
    'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
    'parse:["users"] and users: [ids...] are mutually exclusive.',
    mentions,
  ),
  mention_count: atMost(100, mentions),
  file_count: atMost(10, `${reference}#uploading-files`),
  file_size: error(
    413,
    40_005,
    'Request entity too large',
    `${reference}#uploading-files`,
    10 * 1_024 * 1_024,
  ),
  file_description: atMost(1_024, `${docs}/resources/message#attachment-object`),
  file_unknown: form(
    'ATTACHMENT_NOT_FOUND',
    'The attachment has no file and is not on the message.',
    `${reference}#uploading-files`,
  ),
  voice_or_poll: form(
    'UNSUPPORTED_BY_FAKE',
    'Polls, stickers and voice messages are not part of this fake.',
    'this fake',
  ),

  // Components
  rows: between(5, `${components}#action-row`),
  row_width: between(5, `${components}#action-row`),
  component_type: form('UNION_TYPE_CHOICES', 'This component is not allowed here.', components),
  custom_id: between(100, `${components}#anatomy-of-a-component`),
  custom_id_twice: form(
    'COMPONENT_CUSTOM_ID_DUPLICATED',
    'Component custom id cannot be duplicated',
    `${components}#anatomy-of-a-component`,
  ),
  button_label: atMost(80, `${components}#button`),
  button_empty: form(
    'BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED',
    'A button must have a label or an emoji.',
    `${components}#button`,
  ),
  button_style: form(
    'BUTTON_COMPONENT_INVALID_STYLE',
    'A link has a url and no custom_id; all others the reverse.',
    `${components}#button`,
  ),
  button_url: between(512, `${components}#button`),
  url_scheme: form(
    'URL_TYPE_INVALID_SCHEME',
    "Scheme must be one of ('http', 'https', 'discord').",
    `${components}#button`,
  ),
  select_options: between(25, `${components}#string-select`),
  select_option_text: between(100, `${components}#string-select`),
  select_option_description: atMost(100, `${components}#string-select`),
  select_value_twice: form(
    'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
    'The specified option value is already used',
    `${components}#string-select`,
  ),
  select_placeholder: atMost(150, `${components}#string-select`),
  select_range: form(
    'NUMBER_TYPE_MAX',
    'min_values 0-25 and max_values 1-25, both at most the options.',
    `${components}#string-select`,
    25,
  ),
  v2_alone: form(
    'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
    "The 'content', 'embeds' and 'poll' fields cannot be used with MessageFlags.IS_COMPONENTS_V2",
    `${components}#component-object`,
  ),
  v2_flag_stays: form(
    'MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG',
    'The IS_COMPONENTS_V2 flag cannot be removed.',
    `${components}#component-object`,
  ),
  v2_count: form(
    'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
    'At most 40 components, nested ones included.',
    `${components}#component-object`,
    40,
  ),
  v2_text: form(
    'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
    'At most 4000 characters of text in all.',
    `${components}#text-display`,
    4_000,
  ),
  modal_title: between(45, `${interactions}#interaction-response-object-modal`),
  modal_parts: between(5, `${interactions}#interaction-response-object-modal`),
  modal_label: between(45, `${components}#label`),
  modal_description: atMost(100, `${components}#label`),
  input_range: form(
    'NUMBER_TYPE_MAX',
    'min_length 0-4000, max_length 1-4000, min at most max.',
    `${components}#text-input`,
    4_000,
  ),
  input_value: atMost(4_000, `${components}#text-input`),
  input_placeholder: atMost(100, `${components}#text-input`),

  // Threads
  thread_name: between(100, `${channel}#start-thread-from-message`),
  auto_archive: form(
    'BASE_TYPE_CHOICES',
    'Value must be one of (60, 1440, 4320, 10080).',
    `${channel}#channel-object`,
  ),
  slow_mode: form(
    'NUMBER_TYPE_MAX',
    'int value should be less than or equal to 21600.',
    `${channel}#start-thread-from-message`,
    21_600,
  ),
  thread_exists: error(400, 160_004, 'A thread has already been created for this message'),
  thread_locked: error(403, 160_005, 'Thread is locked', threads),
  thread_cap: error(400, 160_006, 'Maximum number of active threads reached', observed, 1_000),
  thread_archived: error(400, 50_083, 'Thread is archived', threads),

  // Reactions, deletion in bulk
  reaction_kinds: error(400, 30_010, 'Maximum number of reactions reached (20)', errors, 20),
  bulk_size: form(
    'BASE_TYPE_BAD_LENGTH',
    'Must be between 2 and 100 in length.',
    `${docs}/resources/message#bulk-delete-messages`,
    100,
  ),
  bulk_age: error(400, 50_034, 'You can only bulk delete messages that are under 14 days old.'),
  page_size: form(
    'NUMBER_TYPE_MAX',
    'int value should be between 1 and 100.',
    `${docs}/resources/message#get-channel-messages`,
    100,
  ),

  // Interactions
  first_response: within(3_000, `${interactions}#interaction-callback`),
  token_life: within(15 * 60_000, `${interactions}#followup-messages`),
  already_acknowledged: error(400, 40_060, 'Interaction has already been acknowledged.'),
  token_over: error(401, 50_027, 'Invalid Webhook Token'),
  callback_type: form(
    'BASE_TYPE_CHOICES',
    'This response does not fit this interaction.',
    `${interactions}#interaction-response-object-interaction-callback-type`,
  ),
  autocomplete_choices: atMost(25, `${interactions}#interaction-response-object-autocomplete`),

  // Commands
  command_name: form(
    'APPLICATION_COMMAND_INVALID_NAME',
    'Command name is invalid',
    `${commands}#application-command-object-application-command-naming`,
    32,
  ),
  command_name_twice: form(
    'APPLICATION_COMMANDS_DUPLICATE_NAME',
    'Application command names must be unique',
    commands,
  ),
  command_description: between(100, `${commands}#application-command-object`),
  command_locale: form('BASE_TYPE_CHOICES', 'Not a locale of Discord.', `${reference}#locales`),
  command_options: atMost(25, `${commands}#application-command-object`),
  command_required_first: form(
    'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
    'Required options must be placed before non-required options',
    `${commands}#application-command-object`,
  ),
  command_choices: atMost(25, `${commands}#application-command-object-application-command-option-structure`),
  command_choice: between(
    100,
    `${commands}#application-command-object-application-command-option-choice-structure`,
  ),
  command_length: form(
    'APPLICATION_COMMAND_TOO_LARGE',
    'Command exceeds maximum size (8000)',
    `${commands}#application-command-object`,
    8_000,
  ),
  slash_commands: error(
    400,
    30_032,
    'Maximum number of application commands reached (100)',
    `${commands}#registering-a-command`,
    100,
  ),
  menu_commands: error(
    400,
    30_032,
    'Maximum number of application commands reached (15)',
    `${commands}#registering-a-command`,
    15,
  ),
  daily_commands: error(
    429,
    30_034,
    'Max number of daily application command creates has been reached (200)',
    `${commands}#registering-a-command`,
    200,
  ),

  // Rates. Scope and shape are set by the test.
  rate_limited: error(429, 0, 'You are being rate limited.', rates),
  old_edit: error(
    429,
    30_046,
    'Maximum number of edits to messages older than 1 hour reached. Try again later.',
    errors,
  ),
  old_edit_rate: bucket(3, 6_000),
  old_edit_age: within(60 * 60_000, errors),
  channel_rename: bucket(2, 600_000),
  global: bucket(50, 1_000, `${rates}#global-rate-limit`),
  invalid_requests: {
    kind: 'count',
    max: 10_000,
    source: `${rates}#invalid-request-limit-aka-cloudflare-bans`,
  },
  create_message: bucket(5, 5_000),
  edit_message: bucket(5, 5_000),
  delete_message: bucket(5, 1_000),
  react: bucket(1, 250),
  typing: bucket(5, 5_000),
  edit_channel: bucket(5, 15_000),
  webhook: bucket(5, 2_000),
  create_thread: bucket(50, 300_000),
  any_other: bucket(50, 1_000),

  // Gateway
  unknown_opcode: close(4001, 'Unknown opcode'),
  decode_error: close(4002, 'Decode error', `${gateway}#sending-events`, 4_096),
  not_authenticated: close(4003, 'Not authenticated.'),
  bad_token: close(4004, 'Authentication failed.'),
  already_authenticated: close(4005, 'Already authenticated.'),
  invalid_seq: close(4007, 'Invalid seq'),
  /** Frames in a minute. */
  frame_rate: close(4008, 'Rate limited.', `${gateway}#rate-limiting`, 120),
  session_timeout: close(4009, 'Session timed out'),
  invalid_shard: close(4010, 'Invalid Shard'),
  sharding_required: close(4011, 'Sharding required', `${gateway}#sharding`, 2_500),
  invalid_version: close(4012, 'Invalid API version'),
  invalid_intents: close(4013, 'Invalid intents'),
  disallowed_intents: close(4014, 'Disallowed intents'),
} as const;

export type RuleName = keyof typeof rules;
type Named<Kind> = {
  [Name in RuleName]: (typeof rules)[Name] extends { kind: Kind } ? Name : never;
}[RuleName];
export type ErrorRule = Named<'error'>;
export type FormRule = Named<'form'>;
export type CloseRule = Named<'close'>;
export type BucketRule = Named<'bucket'>;

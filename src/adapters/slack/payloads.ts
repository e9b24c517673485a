/** What Slack sends, as far as it is looked at. Everything else is let through and left out. */
import { z } from 'zod';

const file = z.object({
  id: z.string(),
  name: z.string().nullish(),
  mimetype: z.string().nullish(),
  size: z.number().nullish(),
  url_private: z.string().nullish(),
});

/** A message that was forwarded, or one that a link leads to. */
const attachment = z.object({
  is_share: z.boolean().nullish(),
  is_msg_unfurl: z.boolean().nullish(),
  author_name: z.string().nullish(),
  text: z.string().nullish(),
  files: z.array(file).nullish(),
});

const said = z.object({
  subtype: z.string().optional(),
  user: z.string().nullish(),
  bot_id: z.string().nullish(),
  username: z.string().nullish(),
  text: z.string().nullish(),
  ts: z.string(),
  thread_ts: z.string().nullish(),
  parent_user_id: z.string().nullish(),
  files: z.array(file).nullish(),
  attachments: z.array(attachment).nullish(),
  edited: z.object({ ts: z.string() }).nullish(),
  /** The workspace of the author. */
  user_team: z.string().nullish(),
  team: z.string().nullish(),
});

/** A message as it was written, or as it is read later. */
export type SaidMessage = z.output<typeof said>;
export type SlackFile = z.output<typeof file>;

const where = { channel: z.string(), channel_type: z.string().nullish() };

export const saidMessage = said;

const event = z.union([
  z.object({
    type: z.literal('message'),
    subtype: z.literal('message_changed'),
    message: said,
    previous_message: said.nullish(),
    /** Of the change itself. */
    ts: z.string(),
    ...where,
  }),
  z.object({
    type: z.literal('message'),
    subtype: z.literal('message_deleted'),
    deleted_ts: z.string(),
    previous_message: said.nullish(),
    /** Of the change itself. */
    ts: z.string(),
    ...where,
  }),
  said.extend({ type: z.enum(['message', 'app_mention']), ...where }),
  z.object({
    type: z.literal('reaction_added'),
    user: z.string(),
    reaction: z.string(),
    item: z.object({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
    item_user: z.string().nullish(),
  }),
  z.object({
    type: z.literal('app_home_opened'),
    user: z.string(),
    tab: z.string().nullish(),
    channel: z.string(),
  }),
  z.object({
    type: z.literal('assistant_thread_started'),
    assistant_thread: z.object({ user_id: z.string(), channel_id: z.string(), thread_ts: z.string() }),
  }),
  z.object({
    type: z.literal('agent_session_stopped'),
    user: z.string(),
    channel: z.string(),
    thread_ts: z.string(),
    event_ts: z.string(),
  }),
  z.object({
    type: z.enum(['app_uninstalled', 'tokens_revoked']),
    tokens: z.object({ bot: z.array(z.string()).nullish() }).nullish(),
  }),
]);

export type SlackEvent = z.output<typeof event>;
export type ChangeEvent = Extract<SlackEvent, { readonly subtype: 'message_changed' | 'message_deleted' }>;

const nullishTeam = z.string().nullish();

const envelope = z.object({
  type: z.literal('event_callback'),
  team_id: nullishTeam,
  context_team_id: nullishTeam,
  authorizations: z.array(z.object({ team_id: nullishTeam })).nullish(),
  event: z.unknown(),
});

const person = z.object({
  id: z.string(),
  username: z.string().nullish(),
  name: z.string().nullish(),
  team_id: nullishTeam,
});

const common = {
  team: z.object({ id: z.string() }).nullish(),
  enterprise: z.object({ id: z.string() }).nullish(),
  user: person,
  trigger_id: z.string().nullish(),
  response_url: z.string().nullish(),
};

const option = z.object({ value: z.string() });

const field = z.object({
  type: z.string(),
  value: z.string().nullish(),
  selected_option: option.nullish(),
  selected_options: z.array(option).nullish(),
});

const state = z.object({ values: z.record(z.string(), z.record(z.string(), field)) }).nullish();

const blockActions = z.object({
  ...common,
  type: z.literal('block_actions'),
  container: z
    .object({
      type: z.string(),
      message_ts: z.string().nullish(),
      channel_id: z.string().nullish(),
      thread_ts: z.string().nullish(),
      is_ephemeral: z.boolean().nullish(),
    })
    .nullish(),
  channel: z.object({ id: z.string() }).nullish(),
  message: said.nullish(),
  state,
  actions: z
    .array(
      z.object({
        type: z.string(),
        action_id: z.string(),
        block_id: z.string().nullish(),
        value: z.string().nullish(),
        selected_option: option.nullish(),
        selected_options: z.array(option).nullish(),
        action_ts: z.string().nullish(),
      }),
    )
    .min(1),
});

const viewSubmission = z.object({
  ...common,
  type: z.literal('view_submission'),
  view: z.object({
    id: z.string(),
    hash: z.string().nullish(),
    callback_id: z.string(),
    private_metadata: z.string(),
    state,
  }),
});

const messageAction = z.object({
  ...common,
  type: z.literal('message_action'),
  callback_id: z.string(),
  action_ts: z.string().nullish(),
  channel: z.object({ id: z.string(), name: z.string().nullish() }),
  message: said,
});

const slashCommand = z.object({
  command: z.string(),
  text: z.string().default(''),
  team_id: z.string(),
  channel_id: z.string(),
  channel_name: z.string().nullish(),
  user_id: z.string(),
  user_name: z.string().nullish(),
  trigger_id: z.string(),
  response_url: z.string().nullish(),
});

export type BlockActions = z.output<typeof blockActions>;
export type ViewSubmission = z.output<typeof viewSubmission>;
export type MessageAction = z.output<typeof messageAction>;
export type SlashCommand = z.output<typeof slashCommand>;

export type Payload =
  | { readonly is: 'event'; readonly team: string; readonly event: SlackEvent }
  | { readonly is: 'click'; readonly click: BlockActions }
  | { readonly is: 'form'; readonly form: ViewSubmission }
  | { readonly is: 'shortcut'; readonly shortcut: MessageAction }
  | { readonly is: 'command'; readonly command: SlashCommand }
  /** Nothing that we deal with; `type` as far as it says. */
  | { readonly is: 'other'; readonly type: string };

export function readPayload(body: unknown): Payload {
  const wrapped = envelope.safeParse(body).data;
  if (wrapped !== undefined) {
    const { authorizations, context_team_id, team_id } = wrapped;
    // In a channel that several workspaces share, the first names where the message was written.
    const team = authorizations?.[0]?.team_id ?? context_team_id ?? team_id;
    const inner = event.safeParse(wrapped.event).data;
    if (inner !== undefined && team) return { is: 'event', team, event: inner };
    return { is: 'other', type: typeOf(wrapped.event) };
  }
  const click = blockActions.safeParse(body).data;
  if (click !== undefined) return { is: 'click', click };
  const form = viewSubmission.safeParse(body).data;
  if (form !== undefined) return { is: 'form', form };
  const shortcut = messageAction.safeParse(body).data;
  if (shortcut !== undefined) return { is: 'shortcut', shortcut };
  const command = slashCommand.safeParse(body).data;
  if (command !== undefined) return { is: 'command', command };
  return { is: 'other', type: typeOf(body) };
}

function typeOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : 'unknown';
}

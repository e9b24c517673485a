/** Messages, people, channels and files as Slack writes them in answers and events. */
import {
  type Channel,
  type Json,
  type Message,
  newest,
  type Person,
  type StoredFile,
  type World,
} from './world.ts';

export function messagePayload(world: World, fileUrl: FileUrl, message: Message, withMetadata = false): Json {
  const { text, blocks } = newest(message);
  const replies = world.repliesTo(message.channelId, message.ts);
  const root =
    message.threadTs === undefined ? undefined : world.message(message.channelId, message.threadTs);
  return {
    type: 'message',
    ...(message.subtype !== undefined && { subtype: message.subtype }),
    user: message.userId,
    ...(message.botId !== undefined && { bot_id: message.botId, app_id: world.appId }),
    team: message.teamId,
    text,
    ts: message.ts,
    ...(message.botId === undefined && { client_msg_id: `c-${message.ts}` }),
    blocks: blocks.length > 0 ? blocks : richText(text),
    ...(message.files.length > 0 && {
      upload: true,
      files: message.files.map((id) => filePayload(fileUrl, fileOf(world, id))),
    }),
    ...(message.threadTs !== undefined && { thread_ts: message.threadTs, parent_user_id: root?.userId }),
    ...(replies.length > 0 && {
      thread_ts: message.ts,
      reply_count: replies.length,
      reply_users: [...new Set(replies.map(({ userId }) => userId))],
      latest_reply: replies.at(-1)?.ts,
    }),
    ...(message.wasEdited && { edited: { user: message.userId, ts: message.ts } }),
    ...(withMetadata && message.metadata !== undefined && { metadata: message.metadata }),
    ...(message.reactions.size > 0 && {
      reactions: [...message.reactions].map(([name, users]) => ({
        name,
        users: [...users],
        count: users.size,
      })),
    }),
  };
}

/** Where a file is downloaded. */
export type FileUrl = (file: StoredFile) => string;

/** What Slack makes of a person's text. */
function richText(text: string): readonly Json[] {
  if (text === '') return [];
  const elements = text
    .split(/(<@[UW][A-Z0-9]+>)/)
    .filter((part) => part !== '')
    .map((part) =>
      part.startsWith('<@') ? { type: 'user', user_id: part.slice(2, -1) } : { type: 'text', text: part },
    );
  return [{ type: 'rich_text', block_id: 'b0', elements: [{ type: 'rich_text_section', elements }] }];
}

export function fileOf(world: World, id: string): StoredFile {
  const found = world.files.get(id);
  if (found === undefined) throw new Error(`there is no file ${id}`);
  return found;
}

export const filePayload = (fileUrl: FileUrl, file: StoredFile): Json => ({
  id: file.id,
  name: file.name,
  title: file.title,
  mimetype: file.mimetype,
  filetype: file.name.split('.').at(-1) ?? '',
  size: file.size,
  mode: 'hosted',
  user: file.userId,
  url_private: fileUrl(file),
  url_private_download: `${fileUrl(file)}?download=1`,
});

export const personPayload = (person: Person): Json => ({
  id: person.id,
  team_id: person.teamId,
  name: person.name,
  real_name: person.name,
  deleted: person.isDeleted,
  is_bot: person.isBot,
  is_admin: person.isAdmin,
  is_owner: false,
  is_restricted: person.isRestricted,
  is_ultra_restricted: false,
  is_stranger: person.isStranger,
  tz: person.tz,
  tz_label: person.tz,
  tz_offset: 0,
  locale: person.locale,
  profile: { display_name: person.name, real_name: person.name },
});

export const channelPayload = (channel: Channel, botUserId: string): Json => ({
  id: channel.id,
  ...(channel.kind === 'im'
    ? { user: channel.userId }
    : { name: channel.name, name_normalized: channel.name }),
  is_channel: channel.kind === 'channel',
  is_group: channel.kind === 'group',
  is_im: channel.kind === 'im',
  is_mpim: channel.kind === 'mpim',
  is_private: channel.kind !== 'channel',
  is_archived: channel.isArchived,
  is_member: channel.members.has(botUserId),
  is_ext_shared: channel.isShared,
  creator: channel.creatorId,
  context_team_id: channel.teamId,
});

/** The world in Discord's own words: the objects that stand in answers and events. */
import {
  type APIAttachment,
  type APIChannel,
  type APIGuildMember,
  type APIMessage,
  type APIRole,
  type APIThreadChannel,
  type APIUser,
  ChannelType,
  type GatewayGuildCreateDispatchData,
} from 'discord-api-types/v10';
import { permissionsIn } from './permissions.ts';
import {
  type Attachment,
  type Channel,
  type Guild,
  type Message,
  newest,
  type Person,
  type Role,
  type World,
} from './world.ts';

export const iso = (ms: number): string => new Date(ms).toISOString().replace('Z', '000+00:00');

export function userPayload({ id, name, isBot }: Person): APIUser {
  return {
    id,
    username: name.toLowerCase(),
    discriminator: '0',
    global_name: name,
    avatar: null,
    ...(isBot && { bot: true }),
  };
}

const noFlags: number = 0;

/** Without `user`, as it stands beside a message's author. */
export function memberPayload(guild: Guild, userId: string): Omit<APIGuildMember, 'user'> {
  const member = guild.members.get(userId);
  return {
    roles: member?.roles ?? [],
    joined_at: iso(member?.joinedAt ?? 0),
    deaf: false,
    mute: false,
    flags: noFlags,
  };
}

export const rolePayload = (role: Role, position: number): APIRole =>
  ({
    id: role.id,
    name: role.name,
    color: 0,
    hoist: false,
    position,
    permissions: String(role.permissions),
    managed: role.botId !== undefined,
    mentionable: role.isMentionable,
    flags: 0,
    ...(role.botId !== undefined && { tags: { bot_id: role.botId } }),
  }) as unknown as APIRole;

export const rolesPayload = (guild: Guild): APIRole[] => [...guild.roles.values()].map(rolePayload);

export function channelPayload(world: World, channel: Channel): APIChannel {
  const { id, type, name, lastMessageId } = channel;
  if (type === ChannelType.DM) {
    const recipient = world.people.get(channel.recipientId ?? '');
    const recipients = recipient === undefined ? [] : [userPayload(recipient)];
    return { id, type, last_message_id: lastMessageId, recipients, flags: 0 } as unknown as APIChannel;
  }
  if (channel.thread !== undefined) return threadPayload(world, channel);
  return {
    id,
    type,
    guild_id: channel.guildId,
    name,
    topic: channel.topic,
    position: 0,
    nsfw: false,
    parent_id: channel.parentId ?? null,
    last_message_id: lastMessageId,
    rate_limit_per_user: channel.slowModeSeconds,
    permission_overwrites: channel.overwrites.map((each) => ({
      ...each,
      allow: String(each.allow),
      deny: String(each.deny),
    })),
    ...(type === ChannelType.GuildForum && { available_tags: [], default_sort_order: null }),
  } as unknown as APIChannel;
}

export function threadPayload(world: World, channel: Channel): APIThreadChannel {
  const { thread } = channel;
  if (thread === undefined) throw new Error(`${channel.name} is no thread`);
  return {
    id: channel.id,
    guild_id: channel.guildId,
    parent_id: channel.parentId,
    owner_id: thread.ownerId,
    name: channel.name,
    type: channel.type,
    last_message_id: channel.lastMessageId,
    message_count: thread.messageCount,
    total_message_sent: thread.messageCount,
    member_count: thread.members.size,
    rate_limit_per_user: channel.slowModeSeconds,
    flags: 0,
    thread_metadata: {
      archived: thread.isArchived,
      auto_archive_duration: thread.autoArchiveMinutes,
      archive_timestamp: iso(thread.archivedAt),
      locked: thread.isLocked,
      ...(channel.type === ChannelType.PrivateThread && { invitable: true }),
    },
    ...(thread.members.has(world.bot.id) && { member: threadMember(world, channel, world.bot.id) }),
  } as unknown as APIThreadChannel;
}

export const threadMember = (world: World, channel: Channel, userId: string) => ({
  id: channel.id,
  user_id: userId,
  join_timestamp: iso(world.now()),
  flags: 0,
});

/** A guild as it arrives when the bot connects or is invited. */
export function guildPayload(world: World, guild: Guild): GatewayGuildCreateDispatchData {
  const channels = [...world.channels.values()].filter(
    ({ guildId, thread }) => guildId === guild.id && thread === undefined,
  );
  const threads = world.threadsOf(guild.id).filter(({ thread }) => thread?.isArchived === false);
  const members = [...guild.members.keys()].flatMap((id) => {
    const person = world.people.get(id);
    return person === undefined ? [] : [{ ...memberPayload(guild, id), user: userPayload(person) }];
  });
  return {
    id: guild.id,
    name: guild.name,
    owner_id: guild.ownerId,
    roles: rolesPayload(guild),
    channels: channels.map((channel) => channelPayload(world, channel)),
    threads: threads.map((thread) => threadPayload(world, thread)),
    members,
    member_count: members.length,
    joined_at: iso(guild.members.get(world.bot.id)?.joinedAt ?? 0),
    large: false,
    unavailable: false,
    emojis: [],
    stickers: [],
    features: [],
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
    preferred_locale: guild.locale ?? 'en-US',
    premium_tier: 0,
    system_channel_flags: 0,
  } as unknown as GatewayGuildCreateDispatchData;
}

/** Links to files are signed and end after a day. */
const linkLifeMs = 24 * 60 * 60_000;

export function attachmentPayload(world: World, cdnUrl: string, file: Attachment): APIAttachment {
  const ends = Math.floor((world.now() + linkLifeMs) / 1_000).toString(16);
  const url = `${cdnUrl}/attachments/${file.channelId}/${file.id}/${encodeURIComponent(file.filename)}?ex=${ends}&hm=0`;
  return {
    id: file.id,
    filename: file.filename,
    size: file.size,
    url,
    proxy_url: url,
    ...(file.contentType !== undefined && { content_type: file.contentType }),
    ...(file.description !== undefined && { description: file.description }),
  };
}

/**
 * A message as the bot gets it. Without the content intent five fields are blank, except in DMs, in messages that
 * mention the bot, and in its own.
 */
export function messagePayload(
  world: World,
  cdnUrl: string,
  message: Message,
  { canRead, depth = 0 }: { readonly canRead: boolean; readonly depth?: number },
): APIMessage {
  const version = newest(message);
  const channel = world.channels.get(message.channelId);
  const isClear =
    canRead ||
    channel?.type === ChannelType.DM ||
    message.authorId === world.bot.id ||
    message.mentions.users.includes(world.bot.id);
  const author = world.people.get(message.authorId) ?? world.bot;
  const people = message.mentions.users.flatMap((id) => world.people.get(id) ?? []);
  const hasThread = world.channels.get(message.id)?.thread !== undefined;
  const { reference } = message;
  const referenced = reference && world.messages.get(reference.messageId);
  const nested = (each: Message) => messagePayload(world, cdnUrl, each, { canRead, depth: depth + 1 });
  return {
    id: message.id,
    channel_id: message.channelId,
    author: userPayload(author),
    content: isClear ? version.content : '',
    timestamp: iso(message.at),
    edited_timestamp: message.editedAt === undefined ? null : iso(message.editedAt),
    tts: false,
    mention_everyone: message.mentions.everyone,
    mentions: people.map(userPayload),
    mention_roles: message.mentions.roles,
    attachments: isClear ? version.attachments.map((each) => attachmentPayload(world, cdnUrl, each)) : [],
    embeds: isClear ? version.embeds : [],
    components: isClear ? version.components : [],
    pinned: false,
    type: message.type,
    flags: version.flags | (hasThread ? 32 : 0),
    ...(message.reactions.size > 0 && { reactions: reactionsPayload(world, message) }),
    ...(message.nonce !== undefined && { nonce: message.nonce }),
    ...(message.webhookId !== undefined && { webhook_id: message.webhookId }),
    ...(message.authorId === world.bot.id && { application_id: world.applicationId }),
    ...(reference !== undefined && {
      message_reference: {
        type: reference.isForward ? 1 : 0,
        message_id: reference.messageId,
        channel_id: reference.channelId,
        guild_id: world.channels.get(reference.channelId)?.guildId,
      },
    }),
    ...(reference !== undefined &&
      !reference.isForward &&
      depth === 0 && {
        referenced_message: referenced === undefined || referenced.isDeleted ? null : nested(referenced),
      }),
    ...(reference?.isForward === true &&
      isClear &&
      referenced !== undefined && { message_snapshots: [{ message: nested(referenced) }] }),
  } as unknown as APIMessage;
}

const reactionsPayload = (world: World, message: Message) =>
  [...message.reactions.values()].map(({ emoji, users }) => ({
    emoji,
    count: users.size,
    me: users.has(world.bot.id),
    me_burst: false,
    burst_colors: [],
    count_details: { burst: 0, normal: users.size },
  }));

/** What an event about a message has besides the message. */
export function messageEventExtras(world: World, message: Message) {
  const channel = world.channels.get(message.channelId);
  const guild = channel && world.guildOf(channel);
  return {
    channel_type: channel?.type,
    ...(guild !== undefined && {
      guild_id: guild.id,
      ...(message.webhookId === undefined && { member: memberPayload(guild, message.authorId) }),
    }),
  };
}

/** A channel as it stands in an interaction, with what the bot may do there. */
export const appPermissions = (world: World, channel: Channel): string =>
  String(permissionsIn(world, channel, world.bot.id));

/** What the gateway says when something changes. */
import { ChannelType, GatewayIntentBits, InteractionType } from 'discord-api-types/v10';
import type { Discord } from '../discord.ts';
import {
  appPermissions,
  channelPayload,
  guildPayload,
  memberPayload,
  messageEventExtras,
  messagePayload,
  rolePayload,
  threadMember,
  userPayload,
} from '../world/payloads.ts';
import { permissionsIn } from '../world/permissions.ts';
import {
  type Channel,
  type Guild,
  type Interaction,
  type Message,
  newest,
  type Role,
  type World,
} from '../world/world.ts';

const ephemeral = 64;

/** The bot hears of what happens in a channel that it sees. */
function sees(world: World, channel: Channel | undefined): channel is Channel {
  if (channel === undefined) return false;
  if (channel.guildId === undefined) return true;
  if (!world.hasBot(channel.guildId) || (permissionsIn(world, channel, world.bot.id) & (1n << 10n)) === 0n)
    return false;
  return channel.type !== ChannelType.PrivateThread || channel.thread?.members.has(world.bot.id) === true;
}

export function tellMessage(
  { world, gateway, cdnUrl }: Discord,
  name: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE',
  message: Message,
): void {
  const channel = world.channels.get(message.channelId);
  if (!sees(world, channel)) return;
  const isPrivate = channel.guildId === undefined || (newest(message).flags & ephemeral) !== 0;
  gateway.dispatch({
    name,
    guildId: channel.guildId,
    intent: isPrivate ? GatewayIntentBits.DirectMessages : GatewayIntentBits.GuildMessages,
    data: (canRead) => ({
      ...messagePayload(world, cdnUrl, message, { canRead }),
      ...messageEventExtras(world, message),
    }),
  });
}

export function tellDeleted({ world, gateway }: Discord, messages: readonly Message[]): void {
  const [first] = messages;
  const channel = world.channels.get(first?.channelId ?? '');
  if (first === undefined || !sees(world, channel)) return;
  const place = {
    channel_id: channel.id,
    ...(channel.guildId !== undefined && { guild_id: channel.guildId }),
  };
  gateway.dispatch({
    name: messages.length === 1 ? 'MESSAGE_DELETE' : 'MESSAGE_DELETE_BULK',
    guildId: channel.guildId,
    intent:
      channel.guildId === undefined ? GatewayIntentBits.DirectMessages : GatewayIntentBits.GuildMessages,
    data: () =>
      messages.length === 1 ? { id: first.id, ...place } : { ids: messages.map(({ id }) => id), ...place },
  });
}

export function tellReaction(
  { world, gateway }: Discord,
  name: 'MESSAGE_REACTION_ADD' | 'MESSAGE_REACTION_REMOVE',
  message: Message,
  userId: string,
  emoji: { readonly id: string | null; readonly name: string },
): void {
  const channel = world.channels.get(message.channelId);
  if (!sees(world, channel)) return;
  const guild = world.guildOf(channel);
  const person = world.people.get(userId) ?? world.bot;
  gateway.dispatch({
    name,
    guildId: channel.guildId,
    intent: guild ? GatewayIntentBits.GuildMessageReactions : GatewayIntentBits.DirectMessageReactions,
    data: () => ({
      user_id: userId,
      channel_id: channel.id,
      message_id: message.id,
      message_author_id: message.authorId,
      emoji,
      burst: false,
      type: 0,
      ...(guild !== undefined && {
        guild_id: guild.id,
        member: { ...memberPayload(guild, userId), user: userPayload(person) },
      }),
    }),
  });
}

export function tellChannel(
  { world, gateway }: Discord,
  change: 'CREATE' | 'UPDATE' | 'DELETE',
  channel: Channel,
): void {
  const isThread = channel.thread !== undefined;
  // Losing access to a channel is told as the change of the channel; threads say nothing.
  if (isThread && !sees(world, channel)) return;
  if (!isThread && channel.guildId !== undefined && !world.hasBot(channel.guildId)) return;
  const { id, guildId: guild_id, parentId: parent_id, type } = channel;
  gateway.dispatch({
    name: `${isThread ? 'THREAD' : 'CHANNEL'}_${change}`,
    guildId: channel.guildId,
    intent: GatewayIntentBits.Guilds,
    data: () =>
      isThread && change === 'DELETE'
        ? { id, guild_id, parent_id, type }
        : {
            ...channelPayload(world, channel),
            ...(isThread && change === 'CREATE' && { newly_created: true }),
          },
  });
}

export function tellThreadMember(
  { world, gateway }: Discord,
  channel: Channel,
  userId: string,
  isIn: boolean,
): void {
  if (!sees(world, channel)) return;
  gateway.dispatch({
    name: 'THREAD_MEMBERS_UPDATE',
    guildId: channel.guildId,
    intent: GatewayIntentBits.Guilds,
    data: () => ({
      id: channel.id,
      guild_id: channel.guildId,
      member_count: channel.thread?.members.size ?? 0,
      ...(isIn
        ? { added_members: [threadMember(world, channel, userId)] }
        : { removed_member_ids: [userId] }),
    }),
  });
}

export function tellGuild(
  { world, gateway }: Discord,
  name: 'GUILD_CREATE' | 'GUILD_UPDATE' | 'GUILD_DELETE',
  guild: Guild,
  { isOutage = false } = {},
): void {
  gateway.dispatch({
    name,
    guildId: guild.id,
    intent: GatewayIntentBits.Guilds,
    data: () =>
      name === 'GUILD_DELETE'
        ? { id: guild.id, ...(isOutage && { unavailable: true }) }
        : guildPayload(world, guild),
  });
}

export function tellRole(
  { world, gateway }: Discord,
  guild: Guild,
  role: Role,
  what: 'CREATE' | 'UPDATE' = 'CREATE',
): void {
  if (!world.hasBot(guild.id)) return;
  gateway.dispatch({
    name: `GUILD_ROLE_${what}`,
    guildId: guild.id,
    intent: GatewayIntentBits.Guilds,
    data: () => ({ guild_id: guild.id, role: rolePayload(role, guild.roles.size - 1) }),
  });
}

export function tellMember(
  { world, gateway }: Discord,
  name: 'GUILD_MEMBER_ADD' | 'GUILD_MEMBER_REMOVE',
  guild: Guild,
  userId: string,
): void {
  const person = world.people.get(userId) ?? world.bot;
  gateway.dispatch({
    name,
    guildId: guild.id,
    intent: GatewayIntentBits.GuildMembers,
    data: () => ({ ...memberPayload(guild, userId), guild_id: guild.id, user: userPayload(person) }),
  });
}

/** `details` is the part that depends on the kind: `data`, and what it was called on. */
export function tellInteraction(
  { world, gateway, cdnUrl }: Discord,
  interaction: Interaction,
  details: Readonly<Record<string, unknown>>,
): void {
  const channel = world.channels.get(interaction.channelId);
  const person = world.people.get(interaction.userId);
  if (channel === undefined || person === undefined) return;
  const guild = world.guildOf(channel);
  const message = world.messages.get(interaction.messageId ?? '');
  const isFromMessage =
    interaction.type === InteractionType.MessageComponent || interaction.type === InteractionType.ModalSubmit;
  gateway.dispatch({
    name: 'INTERACTION_CREATE',
    guildId: channel.guildId,
    data: () => ({
      id: interaction.id,
      application_id: world.applicationId,
      type: interaction.type,
      token: interaction.token,
      version: 1,
      channel_id: channel.id,
      channel: channelPayload(world, channel),
      app_permissions: appPermissions(world, channel),
      locale: person.locale,
      entitlements: [],
      attachment_size_limit: 10_485_760,
      context: guild === undefined ? 1 : 0,
      authorizing_integration_owners: { 0: guild?.id ?? '0' },
      ...(guild === undefined
        ? { user: userPayload(person) }
        : {
            guild_id: guild.id,
            guild_locale: 'en-US',
            guild: { id: guild.id, locale: 'en-US', features: [] },
            member: {
              ...memberPayload(guild, person.id),
              user: userPayload(person),
              permissions: String(permissionsIn(world, channel, person.id)),
            },
          }),
      // Content always stands in what a person hands over by using it.
      ...(message !== undefined &&
        isFromMessage && { message: messagePayload(world, cdnUrl, message, { canRead: true }) }),
      ...details,
    }),
  });
}

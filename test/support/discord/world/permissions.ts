/** Who may do what where: roles, then the channel's overwrites for everyone, roles and member. */
import { OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import { refusal } from '../rest/refusal.ts';
import type { Channel, World } from './world.ts';

export type Permission = keyof typeof PermissionFlagsBits;

const all = Object.values(PermissionFlagsBits).reduce((sum, bit) => sum | bit, 0n);

/** The permissions of a member in a channel; a thread has those of its parent. None for who is not a member. */
export function permissionsIn(world: World, channel: Channel, userId: string): bigint {
  const guild = world.guildOf(channel);
  if (guild === undefined) return all;
  const member = guild.members.get(userId);
  if (member === undefined) return 0n;
  if (guild.ownerId === userId) return all;
  const roleIds = [guild.id, ...member.roles];
  const base = roleIds.reduce((sum, id) => sum | (guild.roles.get(id)?.permissions ?? 0n), 0n);
  if ((base & PermissionFlagsBits.Administrator) !== 0n) return all;
  const { overwrites } = (channel.thread && world.channels.get(channel.parentId ?? '')) ?? channel;
  const apply = (permissions: bigint, which: (id: string, type: OverwriteType) => boolean): bigint => {
    const those = overwrites.filter(({ id, type }) => which(id, type));
    const denied = those.reduce((sum, { deny }) => sum | deny, 0n);
    const allowed = those.reduce((sum, { allow }) => sum | allow, 0n);
    return (permissions & ~denied) | allowed;
  };
  const afterEveryone = apply(base, (id) => id === guild.id);
  const afterRoles = apply(
    afterEveryone,
    (id, type) => type === OverwriteType.Role && id !== guild.id && roleIds.includes(id),
  );
  return apply(afterRoles, (id, type) => type === OverwriteType.Member && id === userId);
}

export function may(world: World, channel: Channel, permission: Permission, userId = world.bot.id): boolean {
  return (permissionsIn(world, channel, userId) & PermissionFlagsBits[permission]) !== 0n;
}

/** The channel, when the bot sees it. */
export function visibleChannel(world: World, id: string): Channel {
  const channel = world.channels.get(id);
  if (channel === undefined) throw refusal('unknown_channel', id);
  const isSeen = may(world, channel, 'ViewChannel');
  const isPrivateToOthers =
    channel.type === 12 &&
    !channel.thread?.members.has(world.bot.id) &&
    !may(world, channel, 'ManageThreads');
  if (!isSeen || isPrivateToOthers) throw refusal('missing_access', channel.name);
  return channel;
}

export function require(world: World, channel: Channel, permission: Permission): void {
  if (!may(world, channel, permission)) throw refusal('missing_permissions', permission);
}

/** What owners and moderators do: servers, channels, permissions, threads, membership. */
import { ChannelType, OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import type { Discord } from '../discord.ts';
import { tellChannel, tellGuild, tellMember, tellRole, tellThreadMember } from '../gateway/events.ts';
import { addThread } from '../rest/threads.ts';
import { namesOf } from '../world/names.ts';
import type { Permission } from '../world/permissions.ts';
import { everyonePermissions, type Guild, type Thread } from '../world/world.ts';
import { viewsOf } from './views.ts';

const kinds = {
  text: ChannelType.GuildText,
  announcement: ChannelType.GuildAnnouncement,
  forum: ChannelType.GuildForum,
  voice: ChannelType.GuildVoice,
  category: ChannelType.GuildCategory,
} as const;
export type ChannelKind = keyof typeof kinds;

export function moderatorsOf(discord: Discord) {
  const { world } = discord;
  const names = namesOf(discord);
  const views = viewsOf(discord);

  const addChannel = (name: string, kind: ChannelKind = 'text', server?: string): string => {
    const { id: guildId } = names.guild(server);
    const channel = world.addChannel({ name, type: kinds[kind], guildId });
    tellChannel(discord, 'CREATE', channel);
    return channel.id;
  };

  /** The bot joins with a role of its own, as an invite link makes it; `permissions` as the number in the link. */
  const inviteBot = (server?: string, permissions = String(everyonePermissions)): void => {
    const guild: Guild = names.guild(server);
    const id = world.newId();
    guild.roles.set(id, {
      id,
      name: world.bot.name,
      permissions: BigInt(permissions),
      isMentionable: true,
      botId: world.bot.id,
    });
    guild.members.set(world.bot.id, { roles: [id], joinedAt: world.now() });
    tellGuild(discord, 'GUILD_CREATE', guild);
  };

  const addServer = (name: string, owner = 'Olga'): string => {
    const known = [...world.people.values()].find((each) => each.name === owner);
    const guild = world.addGuild(name, known ?? world.addPerson(owner));
    inviteBot(guild.id);
    return guild.id;
  };

  const overwrite = (where: string, permission: Permission, isAllowed: boolean, role?: string): void => {
    const channel = names.channel(where);
    const guild = names.guild(channel.guildId);
    const id = role === undefined ? world.bot.id : names.role(guild, role).id;
    const type = role === undefined ? OverwriteType.Member : OverwriteType.Role;
    const known = channel.overwrites.find((each) => each.id === id);
    const own = known ?? { id, type, allow: 0n, deny: 0n };
    if (known === undefined) channel.overwrites.push(own);
    const bit = PermissionFlagsBits[permission];
    own.allow = isAllowed ? own.allow | bit : own.allow & ~bit;
    own.deny = isAllowed ? own.deny & ~bit : own.deny | bit;
    tellChannel(discord, 'UPDATE', channel);
  };

  const changeThread = (id: string, change: Partial<Thread>): void => {
    const channel = names.channel(id);
    if (channel.thread === undefined) throw new Error(`${channel.name} is no thread`);
    Object.assign(channel.thread, change, { archivedAt: world.now() });
    tellChannel(discord, 'UPDATE', channel);
  };

  return {
    addChannel,
    addServer,
    inviteBot,

    kickBot(server?: string): void {
      const guild = names.guild(server);
      guild.members.delete(world.bot.id);
      for (const role of guild.roles.values()) if (role.botId === world.bot.id) guild.roles.delete(role.id);
      tellGuild(discord, 'GUILD_DELETE', guild);
    },

    /** A server cannot be used for a while; its events have to be held back by the test (`event: false`). */
    beginOutage: (server?: string) =>
      tellGuild(discord, 'GUILD_DELETE', names.guild(server), { isOutage: true }),
    endOutage: (server?: string) => tellGuild(discord, 'GUILD_CREATE', names.guild(server)),

    /** A person, or with `isBot` another bot, who joins. */
    addPerson(
      name: string,
      { isBot = false, server }: { readonly isBot?: boolean; readonly server?: string } = {},
    ): string {
      const person = world.addPerson(name, { isBot });
      names.join(person, names.guild(server));
      return person.id;
    },

    removePerson(name: string, server?: string): void {
      const guild = names.guild(server);
      const { id } = names.person(name);
      guild.members.delete(id);
      tellMember(discord, 'GUILD_MEMBER_REMOVE', guild, id);
    },

    addRole(
      name: string,
      members: readonly string[] = [],
      { isMentionable = true, permissions = [] as readonly Permission[] } = {},
    ): string {
      const guild = names.guild();
      const id = world.newId();
      const bits = permissions.reduce((sum, each) => sum | PermissionFlagsBits[each], 0n);
      const role = { id, name, permissions: bits, isMentionable };
      guild.roles.set(id, role);
      tellRole(discord, guild, role);
      for (const each of members) guild.members.get(names.person(each).id)?.roles.push(id);
      return id;
    },

    /** What the bot may do in a server from now on: its own role, and that of everyone. */
    setPermissions(permissions: readonly Permission[], server?: string): void {
      const guild = names.guild(server);
      const bits = permissions.reduce((sum, each) => sum | PermissionFlagsBits[each], 0n);
      for (const role of guild.roles.values()) {
        if (role.id !== guild.id && role.botId !== world.bot.id) continue;
        const changed = { ...role, permissions: bits };
        guild.roles.set(role.id, changed);
        tellRole(discord, guild, changed, 'UPDATE');
      }
    },

    renameChannel(channel: string, name: string): void {
      const found = names.channel(channel);
      found.name = name;
      tellChannel(discord, 'UPDATE', found);
    },

    /** Also for threads. */
    deleteChannel(channel: string): void {
      const found = names.channel(channel);
      tellChannel(discord, 'DELETE', found);
      world.channels.delete(found.id);
      for (const each of world.channels.values())
        if (each.parentId === found.id) world.channels.delete(each.id);
    },

    /** Takes a permission from the bot in one channel (and its threads); with `role`, from that role. */
    revokePermission: (channel: string, permission: Permission, role?: string) =>
      overwrite(channel, permission, false, role),
    grantPermission: (channel: string, permission: Permission, role?: string) =>
      overwrite(channel, permission, true, role),

    archiveThread: (thread: string) => changeThread(thread, { isArchived: true }),
    unarchiveThread: (thread: string) => changeThread(thread, { isArchived: false }),
    /** A moderator's lock also archives. */
    lockThread: (thread: string) => changeThread(thread, { isArchived: true, isLocked: true }),

    addToThread(thread: string, who: string): void {
      const channel = names.channel(thread);
      const { id } = names.person(who);
      channel.thread?.members.add(id);
      if (id === world.bot.id) tellChannel(discord, 'CREATE', channel);
      else tellThreadMember(discord, channel, id, true);
    },

    /** Many open threads at once, without an event for each. */
    addThreads(where: string, count: number): void {
      const parent = names.channel(where);
      for (let each = 0; each < count; each += 1)
        addThread(discord, parent, {
          name: `thread ${each}`,
          type: ChannelType.PublicThread,
          ownerId: parent.id,
        });
    },

    /** The language of a server, which only communities choose. */
    setServerLocale(locale: string, server?: string): void {
      const guild = names.guild(server);
      guild.locale = locale;
      tellGuild(discord, 'GUILD_UPDATE', guild);
    },

    threads: () =>
      [...world.channels.values()].filter(({ thread }) => thread !== undefined).map(views.showThread),
  };
}

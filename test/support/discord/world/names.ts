/** How a test names things: people and channels by name or id, `@name` in a text for a mention. */
import { ChannelType } from 'discord-api-types/v10';
import type { Discord } from '../discord.ts';
import { tellMember } from '../gateway/events.ts';
import type { Channel, Guild, Message, Person, Role } from './world.ts';

export function namesOf(discord: Discord) {
  const { world } = discord;

  const guild = (name?: string): Guild => {
    const all = [...world.guilds.values()];
    const found = name === undefined ? all[0] : all.find((each) => each.id === name || each.name === name);
    if (found === undefined) throw new Error(`there is no server "${name}"`);
    return found;
  };

  /** A person by name or id. Who is not known yet is somebody new in the first server. */
  const person = (name: string): Person => {
    const known = world.people.get(name) ?? [...world.people.values()].find((each) => each.name === name);
    if (known !== undefined) return known;
    const added = world.addPerson(name);
    join(added, guild());
    return added;
  };

  const join = (who: Person, where: Guild): void => {
    if (where.members.has(who.id)) return;
    where.members.set(who.id, { roles: [], joinedAt: world.now() });
    tellMember(discord, 'GUILD_MEMBER_ADD', where, who.id);
  };

  /** By id, by name, as `server/name`, or `dm` for the direct messages of `who`. */
  const channel = (name: string, who?: string): Channel => {
    if (name === 'dm') {
      if (who === undefined) throw new Error('"dm" needs to know whose: use the id of the channel');
      return world.dmWith(person(who));
    }
    const [first = '', second] = name.split('/');
    const where = second === undefined ? undefined : guild(first).id;
    const found =
      world.channels.get(name) ??
      [...world.channels.values()].find(
        (each) =>
          each.type !== ChannelType.DM &&
          each.name === (second ?? first) &&
          (where === undefined || each.guildId === where),
      );
    if (found === undefined) throw new Error(`there is no channel or thread "${name}"`);
    return found;
  };

  const message = (id: string): Message => {
    const found = world.messages.get(id);
    if (found === undefined) throw new Error(`there is no message ${id}`);
    if (found.isDeleted) throw new Error(`message ${id} was deleted`);
    return found;
  };

  const role = (where: Guild, name: string): Role => {
    const found = [...where.roles.values()].find((each) => each.id === name || each.name === name);
    if (found === undefined) throw new Error(`there is no role "${name}" in ${where.name}`);
    return found;
  };

  /** `@mia` and `@&Docent` (a role) become mentions; `@everyone` stays. */
  const written = (text: string, where: Channel): string => {
    const roles = [...(world.guildOf(where)?.roles.values() ?? [])];
    const marks = [
      ...roles.map(({ id, name }) => [`@&${name}`, `<@&${id}>`] as const),
      ...[...world.people.values()].map(({ id, name }) => [`@${name}`, `<@${id}>`] as const),
    ];
    return marks
      .toSorted(([a], [b]) => b.length - a.length)
      .reduce((sum, [mark, mention]) => sum.replaceAll(mark, mention), text);
  };

  return { guild, person, join, channel, message, role, written };
}

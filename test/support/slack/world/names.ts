/** How a test names things: people and channels by name or id, `@name` and `#name` in a text for a mention. */
import type { Slack } from '../slack.ts';
import type { Channel, Message, Person, Team } from './world.ts';

export function namesOf({ world }: Slack) {
  const team = (name?: string): Team => {
    const all = [...world.teams.values()];
    const found = name === undefined ? all[0] : all.find((each) => each.id === name || each.name === name);
    if (found === undefined) throw new Error(`there is no workspace "${name}"`);
    return found;
  };

  /** By name or id, as `workspace/name`. Who is not known yet is somebody new in that workspace. */
  const person = (name: string): Person => {
    const [first = '', second] = name.split('/');
    const where = team(second === undefined ? undefined : first);
    const called = second ?? first;
    const known =
      world.people.get(called) ??
      [...world.people.values()].find((each) => each.name === called && each.teamId === where.id);
    return known ?? world.addPerson(called, where.id);
  };

  /** By id, by name, as `workspace/name`, or `dm` for the direct messages of `who`. */
  const channel = (name: string, who?: string): Channel => {
    if (name === 'dm') {
      if (who === undefined) throw new Error('"dm" needs to know whose: use the id of the channel');
      return world.dmWith(person(who));
    }
    const [first = '', second] = name.split('/');
    const where = team(second === undefined ? undefined : first);
    const found =
      world.channels.get(name) ??
      [...world.channels.values()].find(
        (each) => each.kind !== 'im' && each.teamId === where.id && each.name === (second ?? first),
      );
    if (found === undefined) throw new Error(`there is no channel "${name}"`);
    return found;
  };

  /** A `ts` is never given twice in this fake, so that it names a message without its channel. */
  const message = (ts: string): Message => {
    const found = [...world.messages.values()].find((each) => each.ts === ts);
    if (found === undefined) throw new Error(`there is no message ${ts}`);
    if (found.isDeleted) throw new Error(`message ${ts} was deleted`);
    return found;
  };

  /** As Slack passes a person's text on: escaped, with mentions for `@name`, `@channel`, `@group` and `#channel`. */
  const written = (text: string, where: Channel): string => {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const isHere = ({ teamId }: { readonly teamId: string }) => teamId === where.teamId;
    const marks = [
      ...[...world.people.values()].filter(isHere).map(({ id, name }) => [`@${name}`, `<@${id}>`] as const),
      ...[...world.groups.values()]
        .filter(isHere)
        .map(({ id, handle }) => [`@${handle}`, `<!subteam^${id}|@${handle}>`] as const),
      ...[...world.channels.values()]
        .filter((each) => isHere(each) && each.name !== '')
        .map(({ id, name }) => [`#${name}`, `<#${id}|${name}>`] as const),
      ...['channel', 'here', 'everyone'].map((name) => [`@${name}`, `<!${name}>`] as const),
    ];
    return marks
      .toSorted(([a], [b]) => b.length - a.length)
      .reduce((sum, [mark, mention]) => sum.replaceAll(mark, mention), escaped);
  };

  return { team, person, channel, message, written };
}

/** Which user groups a person is in, of those that a rule names. */
import { z } from 'zod';
import type { Clock, Logger } from '../../ports/runtime.ts';
import type { WebFor } from './web.ts';

export interface GroupsMeans {
  readonly webFor: WebFor;
  /** Ids of groups in the rules about who may speak; of other platforms, too. */
  readonly named: readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
}

/** So long it is not asked again who is in a group. Unit: milliseconds. */
const keptMs = 5 * 60_000;
const members = z.object({ users: z.array(z.string()) });

/** Undefined when no rule names a group. Never rejects: a group that cannot be read is one that the person is not in. */
export function slackGroups({ webFor, named, clock, log }: GroupsMeans) {
  const ids = named.map((id) => id.replace(/^slack:/, '')).filter((id) => /^S[A-Z0-9]{4,}$/.test(id));
  const known = new Map<string, { readonly until: number; readonly members: Promise<readonly string[]> }>();

  async function ask(team: string, group: string): Promise<readonly string[]> {
    try {
      const web = await webFor(team);
      return members.parse(await web('usergroups.users.list', { usergroup: group })).users;
    } catch (error) {
      log.warn(
        { error, group },
        'a user group could not be read: does the app have the scope usergroups:read?',
      );
      return [];
    }
  }

  function membersOf(team: string, group: string): Promise<readonly string[]> {
    const key = `${team}:${group}`;
    const last = known.get(key);
    if (last !== undefined && last.until > clock.now()) return last.members;
    const asked = ask(team, group);
    known.set(key, { until: clock.now() + keptMs, members: asked });
    return asked;
  }

  return async (team: string, person: string): Promise<readonly string[] | undefined> => {
    if (ids.length === 0) return undefined;
    const found = await Promise.all(
      ids.map(async (group) => ((await membersOf(team, group)).includes(person) ? [group] : [])),
    );
    return found.flat();
  };
}

/** Names of people, as Slack shows them; asked for once in a while. */
import { z } from 'zod';
import { Recent } from '../../gateway/recent.ts';
import type { WebFor } from './web.ts';

export interface SlackPeople {
  /** The id when the name cannot be had. */
  nameOf(team: string, user: string, signal?: AbortSignal): Promise<string>;
  /** Slack's id of the bot itself. */
  bot(team: string, signal?: AbortSignal): Promise<string>;
}

const maxNames = 10_000;
const profile = z.object({
  user: z.object({
    name: z.string().optional(),
    real_name: z.string().optional(),
    profile: z.object({ display_name: z.string().optional() }).optional(),
  }),
});
const self = z.object({ user_id: z.string() });

export function slackPeople(webFor: WebFor): SlackPeople {
  const names = new Recent<string>(maxNames);
  const bots = new Map<string, string>();
  return {
    async nameOf(team, user, signal) {
      const known = names.get(user);
      if (known !== undefined) return known;
      try {
        const web = await webFor(team);
        const found = profile.parse(await web('users.info', { user }, signal)).user;
        const name = found.profile?.display_name || found.real_name || found.name || user;
        names.set(user, name);
        return name;
      } catch {
        return user; // a name is not worth failing for
      }
    },
    async bot(team, signal) {
      const known = bots.get(team);
      if (known !== undefined) return known;
      const web = await webFor(team);
      const { user_id: id } = self.parse(await web('auth.test', {}, signal));
      bots.set(team, id);
      return id;
    },
  };
}

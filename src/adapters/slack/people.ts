/** Who people are, and who the bot is in each workspace, as Slack tells it; asked for once in a while. */
import { z } from 'zod';
import { Recent } from '../../gateway/recent.ts';
import type { Identity } from './normalize.ts';
import type { WebFor } from './web.ts';

export interface SlackPeople {
  /** Undefined when it cannot be had. Never rejects. */
  profileOf(team: string, user: string, signal?: AbortSignal): Promise<Profile | undefined>;
  /** The id when the name cannot be had. */
  nameOf(team: string, user: string, signal?: AbortSignal): Promise<string>;
  /** Slack's id of the bot itself. */
  bot(team: string, signal?: AbortSignal): Promise<string>;
  /** The bot in a workspace. Rejects as the call does. */
  identityOf(team: string, signal?: AbortSignal): Promise<Identity>;
  /** An admin of the workspace, or whoever made the channel. Never rejects. */
  isManager(team: string, channel: string, user: string): Promise<boolean>;
}

export interface Profile {
  readonly name: string;
  /** BCP 47. */
  readonly locale: string | undefined;
  /** IANA. */
  readonly zone: string | undefined;
  readonly isAdmin: boolean;
}

const maxPeople = 10_000;
const maxChannels = 1_000;
const user = z.object({
  user: z.object({
    name: z.string().optional(),
    real_name: z.string().optional(),
    profile: z.object({ display_name: z.string().optional() }).optional(),
    locale: z.string().optional(),
    tz: z.string().nullish(),
    is_admin: z.boolean().optional(),
    is_owner: z.boolean().optional(),
  }),
});
const self = z.object({
  team_id: z.string(),
  user_id: z.string(),
  bot_id: z.string().default(''),
  response_metadata: z.object({ scopes: z.array(z.string()).optional() }).optional(),
});
const channelInfo = z.object({ channel: z.object({ creator: z.string().optional() }) });
/** Comes with the switch that makes direct messages sessions. */
const sessionScope = 'assistant:write';

export function slackPeople(webFor: WebFor): SlackPeople {
  const profiles = new Recent<Promise<Profile | undefined>>(maxPeople);
  const creators = new Recent<Promise<string>>(maxChannels);
  const bots = new Map<string, Promise<Identity>>();

  async function askProfile(team: string, id: string, signal?: AbortSignal): Promise<Profile | undefined> {
    try {
      const web = await webFor(team);
      const found = user.parse(await web('users.info', { user: id, include_locale: true }, signal)).user;
      return {
        name: found.profile?.display_name || found.real_name || found.name || id,
        locale: found.locale,
        zone: found.tz ?? undefined,
        isAdmin: found.is_admin === true || found.is_owner === true,
      };
    } catch {
      return undefined; // nothing of it is worth failing for
    }
  }

  async function askIdentity(team: string, signal?: AbortSignal): Promise<Identity> {
    const web = await webFor(team);
    const found = self.parse(await web('auth.test', {}, signal));
    const scopes = found.response_metadata?.scopes ?? [];
    return {
      team: found.team_id,
      user: found.user_id,
      bot: found.bot_id,
      hasSessions: scopes.includes(sessionScope),
    };
  }

  function profileOf(team: string, id: string, signal?: AbortSignal): Promise<Profile | undefined> {
    const known = profiles.get(id);
    if (known !== undefined) return known;
    const asked = askProfile(team, id, signal);
    profiles.set(id, asked);
    void asked.then((profile) => {
      if (profile === undefined) profiles.delete(id);
    });
    return asked;
  }

  function identityOf(team: string, signal?: AbortSignal): Promise<Identity> {
    const known = bots.get(team);
    if (known !== undefined) return known;
    const asked = askIdentity(team, signal);
    bots.set(team, asked);
    asked.catch(() => bots.delete(team));
    return asked;
  }

  function creatorOf(team: string, channel: string): Promise<string> {
    const known = creators.get(channel);
    if (known !== undefined) return known;
    const ask = async () => {
      const web = await webFor(team);
      return channelInfo.parse(await web('conversations.info', { channel })).channel.creator ?? '';
    };
    const asked = ask();
    creators.set(channel, asked);
    asked.catch(() => creators.delete(channel));
    return asked;
  }

  return {
    profileOf,
    identityOf,
    nameOf: async (team, id, signal) => (await profileOf(team, id, signal))?.name ?? id,
    bot: async (team, signal) => (await identityOf(team, signal)).user,
    async isManager(team, channel, id) {
      if ((await profileOf(team, id))?.isAdmin === true) return true;
      return (await creatorOf(team, channel).catch(() => '')) === id; // then it is as if they were not
    },
  };
}

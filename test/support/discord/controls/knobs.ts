/** What a test turns, and what it looks at. */
import type { Discord } from '../discord.ts';
import type { GatewayKnobs } from '../gateway/gateway.ts';
import type { Call } from '../journal.ts';
import type { Fault } from '../rest/faults.ts';
import type { RateKnobs } from '../rest/rates.ts';
import type { RouteName } from '../rest/routes.ts';
import { namesOf } from '../world/names.ts';
import type { Pings, World } from '../world/world.ts';
import { viewsOf } from './views.ts';

/** Whom one message of the bot notified, by name. */
export interface PingOf extends Pings {
  readonly messageId: string;
  readonly channel: string;
  /** What it said then. */
  readonly text: string;
}

/** The fake's clock: deadlines, windows and ages go by it, pauses (latency, delays, heartbeats) by the real one. */
export interface ClockKnobs {
  /** Unit: milliseconds. */
  advance(ms: number): void;
  /** Stands still until it is advanced; false lets it run on. */
  freeze(isFrozen: boolean): void;
}

export function knobsOf(discord: Discord, clock: ClockKnobs) {
  const { world, gateway, rates, faults, journal } = discord;
  const names = namesOf(discord);
  const views = viewsOf(discord);
  const isBots = (authorId: string) => authorId === world.bot.id;

  return {
    // Looking
    /** What can be read in a channel or thread now, oldest first; `onlyFor` a person their private messages, too. */
    messages: (where: string, { onlyFor }: { readonly onlyFor?: string } = {}) => {
      const channel = names.channel(where, onlyFor);
      return [...world.messages.values()]
        .filter(({ channelId, isDeleted }) => channelId === channel.id && !isDeleted)
        .filter(
          ({ ephemeralFor }) =>
            ephemeralFor === undefined ||
            (onlyFor !== undefined && ephemeralFor === names.person(onlyFor).id),
        )
        .map(views.showMessage);
    },
    /** Also when it was deleted. */
    message: (id: string) => {
      const found = world.messages.get(id);
      return found === undefined ? undefined : views.showMessage(found);
    },
    /** Everything the bot ever wrote, private and deleted messages included. */
    botMessages: () =>
      [...world.messages.values()]
        .filter(({ authorId, type }) => isBots(authorId) && type !== 21 && type !== 18 && type !== 4)
        .map(views.showMessage),
    interaction: (id: string) => {
      const found = world.interactions.get(id);
      if (found === undefined) throw new Error(`there is no interaction ${id}`);
      return views.showInteraction(found);
    },
    /** Each message of the bot that notified anybody. */
    pings: (): PingOf[] =>
      [...world.messages.values()]
        .filter(({ authorId }) => isBots(authorId))
        .map(views.showMessage)
        .filter(({ pings }) => pings.everyone || pings.users.length > 0 || pings.roles.length > 0)
        .map(({ id, channel, texts, pings }) => ({
          messageId: id,
          channel,
          text: texts.find((text) => text !== '') ?? '',
          ...pings,
        })),
    /** Every REST call in order, or those of one route. */
    calls: (route?: RouteName): Call[] =>
      journal.calls.filter((call) => route === undefined || call.route === route),
    /** Calls that Discord refuses, each with the row of `rules.ts`. Accidents that a test ordered are not among them. */
    refused: () => journal.refused,
    /** Those of them that no correct bot runs into, whatever people do. */
    violations: () => journal.violations(),
    /** Habits that Discord allows and people would mind. */
    notices: () => journal.notices(),
    sessions: () => gateway.views(),
    invalidRequests: () => rates.invalidCount,
    /** Commands of a server, or the global ones. */
    commands: (server?: string) =>
      world.commands.get(server === undefined ? 'global' : names.guild(server).id) ?? [],
    ids: () => idsOf(world),
    idOf: (name: string) => names.person(name).id,
    channelId: (name: string, who?: string) => names.channel(name, who).id,
    now: () => world.now(),

    // Turning
    advance: (ms: number) => clock.advance(ms),
    freezeClock: (isFrozen: boolean) => clock.freeze(isFrozen),
    rates: (changed: Partial<RateKnobs>) => rates.turn(changed),
    /** How long each answer takes. Unit: milliseconds. */
    latency(ms: number): void {
      discord.latencyMs = ms;
    },
    fault: (fault: Fault) => faults.arm(fault),
    clearFaults: () => faults.clear(),
    gateway(changed: Partial<GatewayKnobs>): void {
      gateway.knobs = { ...gateway.knobs, ...changed };
    },
    /** Closes every connection, with a close code of Discord. */
    closeConnections: (code: number) => gateway.closeAll(code),
    /** As when a cable is pulled. */
    cutConnections: () => gateway.cutAll(),
    /** The servers that `gateway({ sendsGuilds: false })` kept back. */
    sendGuilds: () => gateway.sendGuilds(),
    askToReconnect: () => gateway.askToReconnect(),
    invalidateSessions: (isResumable: boolean) => gateway.invalidate(isResumable),
    /** Who comes back to resume is told to identify. */
    forgetSessions: () => gateway.forgetSessions(),
    /** Privileged intents in the developer portal. */
    portal(changed: Partial<World['portal']>): void {
      Object.assign(world.portal, changed);
    },
    /** From now on the old token is refused everywhere. */
    resetToken(): void {
      world.token = `${world.token.split('.')[0]}.Gfake${world.newId()}.reset`;
    },
    /** Forgets calls, refusals and notices of the past. */
    forgetJournal: () => journal.clear(),
  };
}

function idsOf({ token, applicationId, bot, guilds }: World) {
  const [guild] = guilds.values();
  return { token, applicationId, botId: bot.id, guildId: guild?.id ?? '' };
}

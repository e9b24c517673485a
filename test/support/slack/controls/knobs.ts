/** What a test turns, and what it looks at. */
import type { Ack, CourierKnobs } from '../events/courier.ts';
import type { Forgery } from '../events/requests.ts';
import type { SocketKnobs } from '../events/sockets.ts';
import type { Call } from '../journal.ts';
import type { Slack } from '../slack.ts';
import type { Fault } from '../web/faults.ts';
import type { RateKnobs } from '../web/rates.ts';
import { settleStream } from '../web/stream-state.ts';
import { namesOf } from '../world/names.ts';
import type { Session, Team } from '../world/world.ts';
import { type ShownMessage, viewsOf } from './views.ts';

/** Whom one message of the bot notified. */
export interface PingOf {
  readonly ts: string;
  readonly channel: string;
  readonly text: string;
  readonly users: readonly string[];
  /** `channel`, `here`, `everyone`, handles of user groups. */
  readonly groups: readonly string[];
}

/** The fake's clock: deadlines, windows and lives go by it. */
export interface ClockKnobs {
  /** What is due by then happens. Unit: milliseconds. */
  advance(ms: number): void;
}

export interface WorkspaceKnobs {
  readonly streamLifeMs: number;
  readonly isStreamingAllowed: boolean;
  readonly isAgent: boolean;
  readonly hasHome: boolean;
  readonly historyPage: number;
  readonly isHistoryShort: boolean;
  readonly shareDelayMs: number;
}

export function knobsOf(slack: Slack, clock: ClockKnobs) {
  const { world, journal, courier, sockets, requests, rates, faults } = slack;
  const names = namesOf(slack);
  const views = viewsOf(slack);

  const isBots = (userId: string): boolean =>
    [...world.teams.values()].some(({ botUserId }) => botUserId === userId);

  return {
    // Looking
    /** What can be read in a channel now, threads included, oldest first; `onlyFor` a person their private messages, too. */
    messages: (
      where: string,
      { onlyFor, thread }: { readonly onlyFor?: string; readonly thread?: string } = {},
    ): ShownMessage[] => {
      const channel = names.channel(where, onlyFor);
      return world
        .messagesIn(channel.id)
        .filter(({ isDeleted }) => !isDeleted)
        .filter(({ ts, threadTs }) => thread === undefined || threadTs === thread || ts === thread)
        .filter(
          (each) =>
            each.onlyFor === undefined ||
            (onlyFor !== undefined && each.onlyFor === names.person(onlyFor).id),
        )
        .map(views.showMessage);
    },
    /** Also when it was deleted. */
    message: (ts: string): ShownMessage | undefined => {
      const found = [...world.messages.values()].find((each) => each.ts === ts);
      return found === undefined ? undefined : views.showMessage(found);
    },
    /** Everything the bot ever wrote, private and deleted messages included. */
    botMessages: (): ShownMessage[] =>
      [...world.messages.values()].filter(({ userId }) => isBots(userId)).map(views.showMessage),
    /** Each message of the bot that notified anybody. */
    pings: (): PingOf[] =>
      [...world.messages.values()]
        .filter(({ userId }) => isBots(userId))
        .map(views.showMessage)
        .filter(({ pings }) => pings.users.length > 0 || pings.groups.length > 0)
        .map(({ ts, channel, shown, pings }) => ({ ts, channel, text: shown, ...pings })),
    /** Every Web API call in order, or those of one method. */
    calls: (method?: string): Call[] =>
      journal.calls.filter((call) => method === undefined || call.method === method),
    /** Every attempt to bring something to the app, with what became of it. */
    acks: (what?: string): Ack[] => courier.acks.filter((ack) => what === undefined || ack.what === what),
    /** What was brought to the app and is not acknowledged yet. */
    underWay: (): number => courier.underWay,
    /** Calls that Slack refuses, each with the row of `rules.ts`. Accidents that a test ordered are not among them. */
    refused: () => journal.refused,
    /** Those of them that no correct app runs into, whatever people do. */
    violations: () => journal.violations(),
    /** Habits that Slack allows and people would mind. */
    notices: () => {
      for (const message of world.messages.values()) settleStream(slack, message);
      return journal.notices();
    },
    /** Status, title and lines of the session in a thread. */
    session: (channel: string, thread: string, who?: string): Session => {
      return slack.sessions.at(names.channel(channel, who).id, thread);
    },
    prompts: () => world.prompts,
    sockets: () => ({ open: sockets.size, opened: sockets.opened }),
    ids: () => idsOf(slack),
    idOf: (name: string) => names.person(name).id,
    channelId: (name: string, who?: string) => names.channel(name, who).id,
    now: () => world.now(),

    // Turning
    advance: (ms: number) => clock.advance(ms),
    rates: (changed: Partial<RateKnobs>) => rates.turn(changed),
    /** How long each answer takes. Unit: milliseconds. */
    latency(ms: number): void {
      slack.latencyMs = ms;
    },
    fault: (fault: Fault) => {
      faults.arm(
        fault.channel === undefined ? fault : { ...fault, channel: names.channel(fault.channel).id },
      );
    },
    clearFaults: () => faults.clear(),
    events: (changed: Partial<CourierKnobs>) => courier.turn(changed),
    socketMode(changed: Partial<SocketKnobs>): void {
      sockets.knobs = { ...sockets.knobs, ...changed };
    },
    workspace(changed: Partial<WorkspaceKnobs>): void {
      Object.assign(slack, changed);
    },
    /** Every socket is asked to go. */
    disconnect(reason: 'warning' | 'refresh_requested' | 'link_disabled'): void {
      for (const each of sockets.all) each.disconnect(reason);
    },
    /** As when a cable is pulled. */
    cutSockets(): void {
      for (const each of sockets.all) each.cut();
    },
    /** Request URLs of the gateways; none: Socket Mode. */
    receiveAt: (urls: readonly string[]) => requests.receiveAt(urls),
    /** The handshake of the request URL. */
    verifyUrl: () => requests.verify(),
    tellRateLimited: () => requests.tellRateLimited(names.team().id),
    /** An event that did not come from Slack; returns the HTTP status. */
    async forge(forgery: Forgery, event: Readonly<Record<string, unknown>> = {}): Promise<number> {
      const status = await requests.forge(JSON.stringify(forged(slack, event)), forgery);
      if (forgery !== 'none' && status >= 200 && status < 300) journal.note('took_forged_request', forgery);
      return status;
    },
    /** Any event, as Slack would bring it: for kinds that people cannot cause here. */
    emit: (subscription: string, event: Readonly<Record<string, unknown>>, team?: string) =>
      courier.event(subscription, names.team(team).id, event),
    addTeam: (name: string): Pick<Team, 'id' | 'botToken' | 'botUserId'> => {
      const { id, botToken, botUserId } = world.addTeam(name, names.team().scopes);
      return { id, botToken, botUserId };
    },
    setScopes(scopes: readonly string[], team?: string): void {
      names.team(team).scopes = [...scopes];
    },
    /** From now on the token is refused everywhere. */
    refuseToken: (token: string, how: 'token_revoked' | 'account_inactive' | 'invalid_auth') =>
      void slack.deadTokens.set(token, how),
    acceptToken: (token: string) => void slack.deadTokens.delete(token),
    /** Somebody takes the app away from a workspace. */
    uninstall(team?: string): void {
      const found = names.team(team);
      found.isInstalled = false;
      courier.event('app_uninstalled', found.id, { type: 'app_uninstalled' });
    },
    /** Forgets calls, refusals, notices and acknowledgements of the past. */
    forgetJournal(): void {
      journal.clear();
      courier.acks.length = 0;
    },
  };
}

function forged({ world }: Slack, event: Readonly<Record<string, unknown>>) {
  const [team] = world.teams.values();
  return {
    type: 'event_callback',
    token: 'deprecated',
    team_id: team?.id,
    api_app_id: world.appId,
    event: { type: 'message', channel_type: 'channel', ts: world.nextTs(), ...event },
    event_id: world.newId('Ev'),
    event_time: Math.floor(world.now() / 1_000),
    authorizations: [{ team_id: team?.id, user_id: team?.botUserId, is_bot: true }],
  };
}

function idsOf({ world }: Slack) {
  const [team] = world.teams.values();
  return {
    token: team?.botToken ?? '',
    appToken: world.appToken,
    signingSecret: world.signingSecret,
    clientId: world.clientId,
    clientSecret: world.clientSecret,
    appId: world.appId,
    teamId: team?.id ?? '',
    botUserId: team?.botUserId ?? '',
    botId: team?.botId ?? '',
  };
}

/** Slack's Web API for this process: the token of each workspace, from the settings or from those who installed the bot. */
import type { SlackAwayError, SlackRefusedError } from '../adapters/slack/fatal.ts';
import { WatchedWeb } from '../adapters/slack/watched-web.ts';
import { slackWeb, type Web, type WebFor } from '../adapters/slack/web.ts';
import { secretOf } from '../config/secret.ts';
import { SurfaceGoneError } from '../domain/errors.ts';
import type { Contact } from '../ports/contact.ts';
import { type Installations, redisInstallations } from '../store/redis/installations.ts';
import type { App } from './compose.ts';

export interface SlackMeans {
  readonly contact: Contact;
  /** One sentence for the operator. */
  readonly tell: (sentence: string) => void;
}

export interface SlackAccess {
  /** Both reject with `SurfaceGoneError` when the bot is not installed there. */
  readonly webFor: WebFor;
  readonly tokenFor: (team: string) => Promise<string>;
  /** Undefined: one workspace, its token stands in the settings. */
  readonly installations: Installations | undefined;
  /** Why Slack cannot be used now, as far as the token in the settings tells. */
  problem(): Promise<SlackRefusedError | SlackAwayError | undefined>;
  keepLooking(signal: AbortSignal): Promise<void>;
}

/** Another process may have taken in a new installation. Unit: milliseconds. */
const keptMs = 60_000;

export function slackAccess(
  { config, redis, clock }: Pick<App, 'config' | 'redis' | 'clock'>,
  contact: Contact,
): SlackAccess {
  const { botToken, client, apiUrl } = config.slack;
  const own =
    botToken === undefined
      ? undefined
      : new WatchedWeb({ web: slackWeb({ token: botToken, apiUrl }), contact, clock });
  const installations =
    client === undefined
      ? undefined
      : redisInstallations(redis.commands, secretOf(config.secret, config.dataFolder), 'slack');
  const known = new Map<string, { readonly until: number; readonly token: Promise<string | undefined> }>();

  async function installed(team: string): Promise<string | undefined> {
    if (installations === undefined) return undefined;
    const last = known.get(team);
    if (last !== undefined && last.until > clock.now()) return last.token;
    const token = installations.tokenOf(team);
    known.set(team, { until: clock.now() + keptMs, token });
    token.catch(() => known.delete(team));
    return token;
  }

  async function tokenFor(team: string): Promise<string> {
    const token = (await installed(team)) ?? botToken;
    if (token === undefined) throw new SurfaceGoneError(`Docent is not installed in the workspace ${team}`);
    return token;
  }

  const ownWeb: Web | undefined = own && ((method, args, signal) => own.call(method, args, signal));
  return {
    tokenFor,
    installations: installations && {
      ...installations,
      async put(team, one) {
        known.delete(team);
        await installations.put(team, one);
      },
      async remove(team) {
        known.delete(team);
        await installations.remove(team);
      },
    },
    async webFor(team) {
      const token = await tokenFor(team);
      return token === botToken && ownWeb !== undefined ? ownWeb : slackWeb({ token, apiUrl });
    },
    problem: async () => own?.problem(),
    keepLooking: async (signal) => own?.keepLooking(signal),
  };
}

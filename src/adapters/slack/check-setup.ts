/** Whether Slack lets the bot work: tokens, scopes, Socket Mode, and our clock. */
import { SocketModeReceiver } from '@slack/bolt';
import { z } from 'zod';
import { checkClock, type Finding } from '../../gateway/finding.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { boltLog } from './bolt-log.ts';
import { refusalOf } from './fatal.ts';
import { neededScopes } from './scopes.ts';
import { slackWeb } from './web.ts';

export interface SlackSetup {
  readonly botToken: string;
  /** Socket Mode; else HTTP. */
  readonly appToken: string | undefined;
  readonly apiUrl: string;
}

const apps = 'https://api.slack.com/apps';
const self = z.object({
  team: z.string(),
  user: z.string(),
  response_metadata: z
    .object({ scopes: z.array(z.string()) })
    .partial()
    .optional(),
});

/** Unit: milliseconds. */
const helloLimitMs = 10_000;

/** In the order in which they are to be mended; ends early when nothing more can be asked. */
export async function checkSlack(
  { botToken, appToken, apiUrl }: SlackSetup,
  clock: Clock,
  log: Logger,
): Promise<Finding[]> {
  let serverTime: number | undefined;
  const web = slackWeb({ token: botToken, apiUrl }, async (url, init) => {
    const response = await fetch(url, init);
    serverTime = Date.parse(response.headers.get('date') ?? '') || undefined;
    return response;
  });
  try {
    const { team, user, response_metadata: more } = self.parse(await web('auth.test', {}));
    return [
      { what: `SLACK_BOT_TOKEN is accepted: ${user} in ${team}.` },
      checkScopes(more?.scopes ?? []),
      appToken === undefined ? overHttp : await checkSocketMode(appToken, apiUrl, clock, log),
      // No call tells.
      { what: `Which events come is told on the page "Event Subscriptions" of the app (${apps}) alone.` },
      checkClock(serverTime, clock.now()),
    ];
  } catch (error) {
    if (error instanceof z.ZodError)
      return [{ what: `What answers at ${apiUrl} is not Slack.`, fix: addressFix }];
    const { message: what, hint: fix } = refusalOf('SLACK_BOT_TOKEN', error);
    return [{ what, fix }];
  }
}

const addressFix = 'Leave SLACK_API_URL out unless you mean another address.';
const overHttp: Finding = {
  what: 'SLACK_APP_TOKEN is not set: Slack sends to /slack/events on PORT, signed with SLACK_SIGNING_SECRET.',
};

function checkScopes(granted: readonly string[]): Finding {
  const missing = neededScopes.map(({ scope }) => scope).filter((name) => !granted.includes(name));
  if (missing.length === 0) return { what: 'All scopes are there.' };
  return {
    what: `The app lacks ${missing.join(', ')}.`,
    fix: `Open ${apps}, your app, page "OAuth & Permissions", add them below "Bot Token Scopes", and press "Reinstall to Workspace".`,
  };
}

/** By a socket of its own, which is closed at once; what Slack sends meanwhile it sends again to another one. */
async function checkSocketMode(
  appToken: string,
  apiUrl: string,
  clock: Clock,
  log: Logger,
): Promise<Finding> {
  const web = slackWeb({ token: appToken, apiUrl });
  try {
    await web('apps.connections.open', {});
  } catch (error) {
    const { message: what, hint: fix } = refusalOf('SLACK_APP_TOKEN', error);
    return { what, fix };
  }
  if (await hearsHello(appToken, apiUrl, clock, log))
    return { what: 'SLACK_APP_TOKEN is accepted, and Socket Mode is on.' };
  return {
    what: 'SLACK_APP_TOKEN is accepted, but Slack says nothing over Socket Mode.',
    fix: `Open ${apps}, your app, page "Socket Mode", and turn "Enable Socket Mode" on.`,
  };
}

async function hearsHello(appToken: string, apiUrl: string, clock: Clock, log: Logger): Promise<boolean> {
  const { client } = new SocketModeReceiver({
    appToken,
    autoReconnectEnabled: false,
    logger: boltLog(log),
    installerOptions: {
      clientOptions: { slackApiUrl: apiUrl, timeout: helloLimitMs, retryConfig: { retries: 0 } },
    },
  });
  const over = new AbortController();
  const tooLate = clock.sleep(helloLimitMs, over.signal).then(
    () => false,
    () => false,
  );
  const closed = new Promise<boolean>((resolve) => client.once('disconnected', () => resolve(false)));
  try {
    const hello = client.start().then(
      () => true,
      () => false,
    );
    return await Promise.race([hello, closed, tooLate]);
  } finally {
    over.abort();
    await client.disconnect().catch(() => {}); // it never was there
  }
}

/** Slack over HTTP: signed requests at `/slack/events`, and the pages on which people install the bot in a workspace. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { HTTPReceiver, type InstallationStore } from '@slack/bolt';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { boltLog } from './bolt-log.ts';
import { passOn, type Receive } from './ingress.ts';
import { slackPath } from './path.ts';

export interface HttpOptions {
  /** Undefined: requests are refused, there are only the pages of installation. */
  readonly signingSecret: string | undefined;
  readonly installing: Installing | undefined;
  readonly apiUrl: string;
  readonly receive: Receive;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Installing {
  readonly client: { readonly id: string; readonly secret: string };
  /** Signs what a browser brings back from Slack. */
  readonly stateSecret: string;
  /** What the bot may do in the workspace. */
  readonly scopes: readonly string[];
  readonly store: InstallationStore;
}

const eventsPath = `${slackPath}events`;
/** A request may have been on its way so long. Unit: milliseconds. */
const maxSkewMs = 5 * 60_000;
const maxBodyBytes = 1024 * 1024;
const callLimitMs = 10_000;

export function slackListener(options: HttpOptions): RequestListener {
  const { signingSecret, installing, apiUrl, receive, clock, log } = options;
  const receiver = new HTTPReceiver({
    // Without one, Bolt would take every request that is signed with nothing.
    signingSecret: signingSecret ?? 'none',
    endpoints: signingSecret === undefined ? [] : [eventsPath],
    bodyLimit: maxBodyBytes,
    logger: boltLog(log),
    ...(installing !== undefined && {
      clientId: installing.client.id,
      clientSecret: installing.client.secret,
      stateSecret: installing.stateSecret,
      scopes: [...installing.scopes],
      installationStore: installing.store,
      installerOptions: {
        directInstall: true,
        authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
        clientOptions: { slackApiUrl: apiUrl, timeout: callLimitMs, retryConfig: { retries: 2 } },
      },
    }),
  });
  passOn(receiver, receive, log);
  return (request, response) => {
    if (isFromTheFuture(request, clock.now())) return refuse(response, 401);
    // Bolt knows a form only by the bare name of its kind.
    const kind = request.headers['content-type'];
    if (kind?.startsWith(`${form};`)) request.headers['content-type'] = form;
    try {
      receiver.requestListener(request, response);
    } catch {
      refuse(response, 404); // the only thing that it throws at is a path it does not know
    }
  };
}

const form = 'application/x-www-form-urlencoded';

/** Bolt looks only whether a request is too old. */
function isFromTheFuture({ headers }: IncomingMessage, now: number): boolean {
  const at = Number(headers['x-slack-request-timestamp']);
  return Number.isFinite(at) && at * 1_000 > now + maxSkewMs;
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

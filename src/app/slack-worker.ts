/** Slack as a worker uses it: it speaks, and looks after the token it speaks with. Nothing here listens. */
import { SlackAwayError } from '../adapters/slack/fatal.ts';
import type { TutorError } from '../domain/errors.ts';
import type { App } from './compose.ts';
import type { ClosableOutlets } from './outlets.ts';
import { openSlackOutlets } from './slack-outlets.ts';
import { type SlackMeans, slackAccess } from './slack-web.ts';

/** Rejects with one sentence for the operator when Slack refuses the token; while it is away, what is said waits. */
export async function openSlack(app: App, { contact, tell }: SlackMeans): Promise<ClosableOutlets> {
  const access = slackAccess(app, contact);
  const problem = await access.problem();
  if (problem !== undefined && !(problem instanceof SlackAwayError)) throw problem;
  if (problem !== undefined) tell(inOneLine(problem));
  // Nobody can be asked: each workspace has a token of its own.
  if (app.config.slack.botToken === undefined) contact.ok();
  const over = new AbortController();
  const looking = access.keepLooking(over.signal);
  return {
    ...openSlackOutlets(app, access),
    async close() {
      over.abort();
      await looking;
    },
  };
}

function inOneLine({ message, hint }: TutorError): string {
  return `${message} ${hint}`;
}

/** Slack as a worker uses it: surfaces that speak, and who fetches files and reads what was said before. */
import { slackEarlier } from '../adapters/slack/earlier.ts';
import { type FileMeans, slackFiles } from '../adapters/slack/file-source.ts';
import { Marks } from '../adapters/slack/marks.ts';
import { slackPeople } from '../adapters/slack/people.ts';
import { surfaceName } from '../adapters/slack/place.ts';
import { slackPlaces } from '../adapters/slack/places.ts';
import { sendTo } from '../adapters/slack/upload.ts';
import type { WebFor } from '../adapters/slack/web.ts';
import { downloadFrom } from '../files/download.ts';
import type { App } from './compose.ts';
import type { Outlets } from './worker.ts';

/** Where Slack keeps what people upload, and takes what the bot does. */
const fileOrigins = ['https://files.slack.com', 'https://slack-files.com'];

export interface SlackOutletMeans {
  readonly webFor: WebFor;
  /** The token of the bot in a workspace: files are fetched with it. */
  readonly tokenFor: FileMeans['tokenFor'];
}

export function openSlackOutlets(
  { config, clock, log }: Pick<App, 'config' | 'clock' | 'log'>,
  { webFor, tokenFor }: SlackOutletMeans,
): Outlets {
  const origins = [...fileOrigins, new URL(config.slack.apiUrl).origin];
  const people = slackPeople(webFor);
  const placement = config.placement.slack ?? 'thread';
  const marks = new Marks({ webFor, log });
  const places = slackPlaces({ webFor, people, sendBytes: sendTo(origins), clock, log, placement });
  const files = slackFiles({
    webFor,
    tokenFor,
    download: (headers, refuse) => downloadFrom({ origins, headers, refuse }),
  });
  return {
    surfaces: new Map([[surfaceName, places]]),
    fetchers: new Map([[surfaceName, files]]),
    earlier: new Map([[surfaceName, slackEarlier(webFor, people)]]),
    marks: new Map([[surfaceName, (address, message) => marks.used(address, message)]]),
    times: new Map(),
  };
}

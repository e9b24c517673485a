/** How Slack writes what the answers to commands are made of. */
import type { Dialect } from '../../domain/command.ts';
import { escapeMrkdwn } from './harmless.ts';
import { commandAs } from './read-command.ts';

export const slackDialect: Dialect = {
  // One block of text.
  maxChars: 2_900,
  command: commandAs,
  time: timeMark,
  text: escapeMrkdwn,
};

/** Everybody sees it in the zone of their own device. Unit: milliseconds since 1970. */
function timeMark(at: number): string {
  return `<!date^${Math.floor(at / 1_000)}^{date_short_pretty} {time}|${new Date(at).toISOString()}>`;
}

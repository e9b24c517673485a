/** `docent doctor`: looks at everything that has to be set up outside, and says what to do about each failure. */
import type { Config } from '../config/load.ts';
import type { Finding } from '../gateway/finding.ts';
import { systemClock } from '../observe/clock.ts';
import { createLogger } from '../observe/logger.ts';
import type { Clock } from '../ports/runtime.ts';
import { readConfig } from './read-config.ts';
import { startFailure } from './start-failure.ts';

interface Platforms {
  readonly discord: Pick<Config['discord'], 'token' | 'apiUrl' | 'guildId'>;
  readonly slack: Pick<Config['slack'], 'botToken' | 'appToken' | 'apiUrl' | 'client'>;
}

/** Returns the exit code: 1 when something has to be mended. */
export async function doctor(): Promise<number> {
  try {
    const findings = await findingsFor(readConfig(), systemClock);
    console.log(findings.map(linesOf).join('\n'));
    return findings.some(({ fix }) => fix !== undefined) ? 1 : 0;
  } catch (error) {
    console.error(startFailure(error));
    return 1;
  }
}

/** Each platform that is set up; without any, how to set one up. */
export async function findingsFor({ discord, slack }: Platforms, clock: Clock): Promise<Finding[]> {
  const findings: Finding[] = [];
  const { token } = discord;
  if (token !== undefined) {
    const { checkDiscord } = await import('../adapters/discord/check-setup.ts');
    findings.push(...(await checkDiscord({ ...discord, token }, clock)));
  }
  const { botToken } = slack;
  if (botToken !== undefined) {
    const { checkSlack } = await import('../adapters/slack/check-setup.ts');
    findings.push(...(await checkSlack({ ...slack, botToken }, clock, createLogger('silent'))));
  }
  // Each of these workspaces has a token of its own, which only a process with Redis knows.
  else if (slack.client !== undefined) findings.push(onlyInstalled);
  return findings.length > 0 ? findings : [noDiscord, noSlack];
}

const noDiscord: Finding = {
  what: 'DISCORD_TOKEN is not set.',
  fix: 'Make a bot as docs/discord.md says, and write its token into .env as DISCORD_TOKEN=…',
};
const onlyInstalled: Finding = {
  what: 'SLACK_BOT_TOKEN is not set: Docent is in the workspaces that added it at /slack/install.',
};
const noSlack: Finding = {
  what: 'SLACK_BOT_TOKEN is not set.',
  fix: 'Make an app as docs/slack.md says, and write its tokens into .env as SLACK_BOT_TOKEN=… and SLACK_APP_TOKEN=…',
};

/** `✓ The clock is right.` or `✗ …` with what to do below it. */
export function linesOf({ what, fix }: Finding): string {
  return fix === undefined ? `✓ ${what}` : `✗ ${what}\n  → ${fix}`;
}

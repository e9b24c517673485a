/** `docent doctor`: looks at everything that has to be set up outside, and says what to do about each failure. */
import { checkDiscord, type Finding } from '../adapters/discord/check-setup.ts';
import type { Config } from '../config/load.ts';
import { systemClock } from '../observe/clock.ts';
import type { Clock } from '../ports/runtime.ts';
import { readConfig } from './read-config.ts';
import { startFailure } from './start-failure.ts';

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

export async function findingsFor(
  { discord }: { readonly discord: Pick<Config['discord'], 'token' | 'apiUrl' | 'guildId'> },
  clock: Clock,
): Promise<Finding[]> {
  const { token } = discord;
  if (token === undefined)
    return [
      {
        what: 'DISCORD_TOKEN is not set.',
        fix: 'Make a bot as docs/discord.md says, and write its token into .env as DISCORD_TOKEN=…',
      },
    ];
  return checkDiscord({ ...discord, token }, clock);
}

/** `✓ The clock is right.` or `✗ …` with what to do below it. */
export function linesOf({ what, fix }: Finding): string {
  return fix === undefined ? `✓ ${what}` : `✗ ${what}\n  → ${fix}`;
}

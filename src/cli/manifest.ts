/** `docent manifest slack`: what Slack is told of the app, to be pasted where an app is made "From a manifest". */
import { slackManifest } from '../adapters/slack/manifest.ts';

/** Returns the exit code: 1 when the address is none that Slack would take. */
export function manifest(url: string | undefined): number {
  if (url !== undefined && !(URL.canParse(url) && new URL(url).protocol === 'https:')) {
    console.error(`Expected an address that begins with https://, got "${url}".`);
    return 1;
  }
  process.stdout.write(slackManifest(url));
  return 0;
}

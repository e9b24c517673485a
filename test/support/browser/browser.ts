/** Debian's Chromium, headless, for tests of the page. */
import { type Browser, chromium } from 'playwright-core';
import { chromiumInstallLine, chromiumPath } from './chromium.ts';

/** A name of this machine that the browser does not know as its own: what is opened under it is as from afar. */
export const farName = 'docent.test';

export function launchBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error(`there is no Chromium: ${chromiumInstallLine}`);
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--host-resolver-rules=MAP ${farName} 127.0.0.1`,
    ],
  });
}

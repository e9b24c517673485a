import { configDefaults, defineConfig } from 'vitest/config';
import { chromiumInstallLine, chromiumPath } from './test/support/browser/chromium.ts';

// In CI they fail where there is no browser; elsewhere they are said to be left out.
const hasBrowser = chromiumPath() !== undefined || process.env['CI'] !== undefined;
const browserTests = 'test/flows/web-*.test.ts';
if (!hasBrowser)
  console.error(`NOT RUN: ${browserTests}, for want of Chromium. As root: ${chromiumInstallLine}`);

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(hasBrowser ? [] : [browserTests])],
    globalSetup: ['test/support/global-setup.ts'],
    // Flows wait more than they compute: the default, one worker on two cores, would leave both idle.
    maxWorkers: 2,
    // Limits are for what hangs, not for what is slow.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    reporters: ['default'],
  },
});

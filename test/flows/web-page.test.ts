// The page in a real browser, over the built program and a real Redis.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { Deployment } from '../support/browser/docent.ts';
import { Person } from '../support/browser/page.ts';

let browser: Browser;
let docent: Deployment | undefined;
beforeAll(async () => void (browser = await launchBrowser()));
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await docent?.close();
  docent = undefined;
});
afterAll(() => browser.close());

test('a sum is worked while one looks, by the practice program, without a key', async () => {
  docent = await Deployment.start();
  const { url } = await docent.run('all');
  const mia = await Person.open(browser, url);
  await mia.asks('What is 12*7?');
  await mia.sees('user', 'final', 'What is 12*7?');
  await mia.sees('answer', 'live', /.+/);
  const answer = await mia.sees('answer', 'final', '12 × 7 = 84');
  expect(await answer.innerText()).toContain('I am not an AI.');
  expect(mia.faults).toEqual([]);
}, 60_000);

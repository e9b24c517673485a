// The page over processes of their own: one that serves it, others that answer, and any of them may die.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { farName, launchBrowser } from '../support/browser/browser.ts';
import { Deployment } from '../support/browser/docent.ts';
import { Person } from '../support/browser/page.ts';
import { byWords } from '../support/llm/by-words.ts';
import { call, say } from '../support/llm/reply.ts';
import { freePort } from '../support/redis/redis.ts';

const long = Array.from({ length: 60 }, (_, at) => `Sentence ${at + 1} of the answer.`).join(' ');
const script = byWords({
  'long answer': [say('FINISH', long, { delayMs: 60 })],
  'one chapter': [
    call('ask_user', {
      questions: [{ prompt: 'Which chapter?', options: [{ label: 'One' }, { label: 'Two' }] }],
    }),
    say('FINISH', 'Chapter it is.'),
  ],
});

let browser: Browser;
let docent: Deployment;
beforeAll(async () => {
  [browser, docent] = await Promise.all([launchBrowser(), Deployment.start(script)]);
}, 60_000);
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  await docent.close();
});

test('the worker dies in the middle of an answer: another one goes on with the same message', async () => {
  const [{ url }, first] = await Promise.all([docent.run('web'), docent.run('worker')]);
  const mia = await Person.open(browser, url);
  await mia.asks('a long answer');
  await mia.sees('answer', 'live', 'Sentence 3');
  await first.kill();
  const second = await docent.run('worker');
  await mia.sees('answer', 'final', 'Sentence 60');
  expect(await mia.articles('answer').innerText()).toContain(long);
  await expect.poll(() => mia.kinds()).toEqual(['user', 'answer']);
  expect(mia.faults).toEqual([]);
  await second.kill();
}, 90_000);

test('a message is written meanwhile, then the worker dies: Stop is there until all is answered, then Regenerate', async () => {
  const [{ url }, first] = await Promise.all([docent.run('web'), docent.run('worker')]);
  const mia = await Person.open(browser, url);
  const stop = mia.page.getByRole('button', { name: 'Stop' });
  const anew = mia.page.getByRole('button', { name: 'Regenerate' });
  await mia.asks('a long answer');
  await mia.sees('answer', 'live', 'Sentence 3');
  await mia.asks('thanks');
  await mia.sees('user', 'final', 'thanks');
  await first.kill();
  await mia.page.reload();
  await stop.waitFor();
  await docent.run('worker');
  await mia.sees('answer', 'final', 'Sentence 60');
  await stop.waitFor({ state: 'hidden' });
  expect(await mia.articles('answer', 'live').count()).toBe(0);
  await anew.waitFor();
  expect(await anew.count()).toBe(1);
  await mia.page.reload();
  await anew.waitFor();
  expect(await stop.isVisible()).toBe(false);
  expect(mia.faults).toEqual([]);
}, 90_000);

test('who serves the page dies and comes back: the page says so, goes on, and keeps what was typed meanwhile', async () => {
  const port = await freePort();
  const web = await docent.run('web', {}, port);
  const mia = await Person.open(browser, web.url);
  await mia.asks('a long answer');
  await mia.sees('answer', 'live', 'Sentence 2');
  await web.kill();
  await mia.page.getByText('The connection is gone').waitFor();
  await mia.asks('one chapter');
  await mia.page.getByText('The server does not answer.').waitFor();
  expect(await mia.box.inputValue()).toBe('one chapter');
  await docent.run('web', {}, port);
  await mia.sees('answer', 'final', 'Sentence 60');
  await mia.presses('Send');
  await mia.sees('question', 'open', 'Which chapter?');
  await mia.presses('One');
  await mia.sees('answer', 'final', 'Chapter it is.');
  await expect.poll(() => mia.kinds()).toEqual(['user', 'answer', 'user', 'trace', 'question', 'answer']);
}, 90_000);

test('who serves the page is told to end: it ends with 0 although pages are open, and the page goes on with the next', async () => {
  const port = await freePort();
  const web = await docent.run('web', {}, port);
  const mia = await Person.open(browser, web.url);
  web.signal('SIGTERM');
  expect(await web.ended).toBe(0);
  expect(web.output()).not.toContain('takes too long');
  await docent.run('web', {}, port);
  await mia.page.getByText('The connection is gone').waitFor({ state: 'hidden' });
  await mia.asks('one chapter');
  await mia.sees('user', 'final', 'one chapter');
}, 60_000);

test('where others reach the server the page opens with its token, once in each browser', async () => {
  const token = 'open-sesame-open-sesame';
  const { url } = await docent.run('web', { WEB_TOKEN: token });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel('Token of this page').fill('open');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('That is not the token of this page.').waitFor();
  await page.getByLabel('Token of this page').fill(token);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await page.reload();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  expect((await fetch(`${url}/api/talks`)).status).toBe(401);
}, 60_000);

test('from another machine, over plain HTTP, the page does all it does at home but copy', async () => {
  const token = 'open-sesame-open-sesame';
  const { url } = await docent.run('all', { WEB_TOKEN: token });
  const context = await browser.newContext();
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.goto(url.replace('127.0.0.1', farName));
  expect(await page.evaluate('isSecureContext')).toBe(false);
  await page.getByLabel('Token of this page').fill(token);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('one chapter');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Two' }).click();
  await page.getByText('Chapter it is.').waitFor();
  await page.getByRole('button', { name: 'Copy answer' }).click();
  await page.getByText('The browser does not allow copying here.').waitFor();
  await page.getByRole('button', { name: 'New' }).click();
  await page.getByRole('heading', { name: 'What are you working on?' }).waitFor();
  expect(faults).toEqual([]);
}, 60_000);

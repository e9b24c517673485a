// The page over processes of their own: one that serves it, others that answer, and any of them may die.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
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
  await docent.run('worker');
  await mia.sees('answer', 'final', 'Sentence 60');
  expect(await mia.articles('answer').innerText()).toContain(long);
  await expect.poll(() => mia.kinds()).toEqual(['user', 'answer']);
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

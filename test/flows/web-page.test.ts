// The page in a real browser, over the built program and a real Redis: one process that plays all roles.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { Deployment } from '../support/browser/docent.ts';
import { Person } from '../support/browser/page.ts';
import { byWords } from '../support/llm/by-words.ts';
import { call, type Script, say } from '../support/llm/reply.ts';

const long = Array.from({ length: 60 }, (_, at) => `Sentence ${at + 1} of the answer.`).join(' ');
const ask = (question: object) => call('ask_user', { questions: [question] });
const chapters = { prompt: 'Which chapter?', options: [{ label: 'One' }, { label: 'Two' }] };

const scripted = byWords({
  'think first': [say('THINK', 'A limit is what it comes near to.'), say('FINISH', 'It is **2**.')],
  'long answer': [say('FINISH', long, { delayMs: 60 })],
  'one chapter': [ask(chapters), say('FINISH', 'Chapter it is.')],
  'several topics': [
    ask({
      prompt: 'Which topics?',
      options: [{ label: 'Sums' }, { label: 'Limits' }, { label: 'Proofs' }],
      multi_select: true,
    }),
    say('FINISH', 'These topics.'),
  ],
  'own words': [ask({ prompt: 'What is your goal?' }), say('FINISH', 'A fine goal.')],
  'two questions': [
    call('ask_user', { questions: [chapters, { prompt: 'How long?', placeholder: 'minutes' }] }),
    say('FINISH', 'A plan.'),
  ],
  'and the second': [say('FINISH', 'Both are answered.')],
  'tea in a moment': [say('FINISH', 'I will.')],
  first: [say('THINK', 'Slowly now.', { delayMs: 250 }), say('FINISH', 'Only the first.')],
  'many paragraphs': [
    say(
      'FINISH',
      Array.from({ length: 400 }, (_, at) => `Paragraph ${at + 1} has **some** words.`).join('\n\n'),
      {
        chunk: (text) => text.match(/[\s\S]{1,400}/g) ?? [],
        delayMs: 20,
      },
    ),
  ],
  hello: [say('FINISH', 'Hello!')],
});

let guesses = 0;
/** What depends on when, or on how often, it is asked. */
const script: Script = (request, n) => {
  const { role, content } = request.messages.at(-1) ?? { role: '' };
  if (role === 'user' && content === 'guess a number') return say('FINISH', `It is ${(guesses += 1)}.`);
  if (role === 'user' && content === 'tea in a moment')
    return call('cron', {
      action: 'schedule',
      message: 'The <b>tea</b> is ready.',
      at: new Date(Date.now() + 3_000).toISOString(),
    });
  return scripted(request, n);
};

let browser: Browser;
let docent: Deployment;
let url: string;

beforeAll(async () => {
  [browser, docent] = await Promise.all([launchBrowser(), Deployment.start(script)]);
  ({ url } = await docent.run('all'));
}, 60_000);
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  await docent.close();
});

const open = () => Person.open(browser, url);
/** What the model was told in answer to its question. */
const answerTold = () => {
  const { messages } = docent.llm?.requests.at(-1) ?? { messages: [] };
  const told = messages.findLast(({ role }) => role === 'tool');
  return JSON.parse(String(told?.content)) as { answers: { selected: string[]; text: string }[] };
};

describe('an answer', () => {
  test('grows while one looks, below the folded trace, and ends with its buttons', async () => {
    const mia = await open();
    await mia.asks('think first, please');
    await mia.sees('answer', 'final', 'It is 2.');
    await expect.poll(() => mia.kinds()).toEqual(['user', 'trace', 'answer']);
    const trace = await mia.sees('trace', 'final', /Thought for \d+ s/);
    expect(await trace.getByText('A limit is').isVisible()).toBe(false);
    await trace.locator('summary').click();
    expect(await trace.getByText('A limit is what it comes near to.').isVisible()).toBe(true);
    expect(await mia.page.getByRole('button', { name: 'Copy answer' }).isVisible()).toBe(true);
    expect(mia.faults).toEqual([]);
  }, 60_000);

  test('goes on in a page that was loaded again, and in one that was closed', async () => {
    const mia = await open();
    await mia.asks('a long answer');
    await mia.sees('answer', 'live', 'Sentence 2');
    await mia.page.reload();
    await mia.sees('answer', 'live', 'Sentence 5');
    const at = mia.page.url();
    await mia.page.close();
    const back = await mia.newTab(at);
    await back.sees('answer', 'final', 'Sentence 60');
    expect(await back.articles('answer').innerText()).toContain(long);
    await expect.poll(() => back.kinds()).toEqual(['user', 'answer']);
  }, 60_000);

  test('can be stopped; what is shown stays, and the next message is answered', async () => {
    const mia = await open();
    await mia.asks('a long answer');
    await mia.sees('answer', 'live', 'Sentence 3');
    await mia.presses('Stop');
    await mia.sees('answer', 'stopped', /Sentence 3[^]*Stopped/);
    await mia.page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    await mia.asks('hello');
    await mia.sees('answer', 'final', 'Hello!');
    expect(mia.faults).toEqual([]);
  }, 60_000);

  test('is stopped with the keyboard, which goes on where one writes', async () => {
    const mia = await open();
    await mia.asks('a long answer');
    await mia.sees('answer', 'live', 'Sentence 2');
    await mia.page.getByRole('button', { name: 'Stop' }).focus();
    await mia.page.keyboard.press('Enter');
    await mia.sees('answer', 'stopped', 'Sentence 2');
    await expect.poll(() => mia.page.evaluate('document.activeElement.ariaLabel')).toBe('Message');
  }, 60_000);

  test('takes in what is written meanwhile', async () => {
    const mia = await open();
    await mia.asks('first');
    await mia.sees('trace', 'live', /thinking|reading/);
    await mia.asks('and the second');
    await mia.sees('answer', 'final', 'Both are answered.');
    expect(await mia.articles('answer').count()).toBe(1);
  }, 60_000);

  test('without a thought, but with a message taken in, has a trace that can be opened', async () => {
    const mia = await open();
    await mia.asks('a long answer');
    await mia.sees('answer', 'live', 'Sentence 3');
    await mia.asks('hello');
    await mia.sees('answer', 'final', 'Hello!');
    const trace = await mia.sees('trace', 'final', 'How it was done');
    await trace.locator('summary').click();
    await trace.getByText('took in your message').waitFor();
    expect(mia.faults).toEqual([]);
  }, 60_000);

  test('to the word "stop" is that nothing runs', async () => {
    const mia = await open();
    await mia.asks('stop');
    await mia.page.getByText('Nothing is running.').waitFor();
    await expect.poll(() => mia.kinds()).toEqual([]);
  }, 60_000);
});

describe('an answer, anew', () => {
  test('stands in the place of the old one', async () => {
    const mia = await open();
    await mia.asks('guess a number');
    await mia.sees('answer', 'final', 'It is 1.');
    await mia.presses('Regenerate');
    await mia.sees('answer', 'final', 'It is 2.');
    await expect.poll(() => mia.kinds()).toEqual(['user', 'answer']);
    await mia.asks('hello');
    await mia.sees('answer', 'final', 'Hello!');
    expect(await mia.page.getByRole('button', { name: 'Regenerate' }).count()).toBe(1);
  }, 60_000);

  test('is tried again when it was stopped', async () => {
    const mia = await open();
    await mia.asks('a long answer');
    await mia.sees('answer', 'live', 'Sentence 2');
    await mia.presses('Stop');
    await mia.sees('answer', 'stopped', 'Stopped');
    await mia.presses('Retry');
    await mia.sees('answer', 'final', 'Sentence 60');
    expect(await mia.articles('answer').innerText()).not.toContain('Stopped');
  }, 60_000);

  test('is not offered when something was done on the way', async () => {
    const mia = await open();
    await mia.asks('tea in a moment');
    await mia.sees('answer', 'final', 'I will.');
    expect(await mia.page.getByRole('button', { name: 'Regenerate' }).count()).toBe(0);
  }, 60_000);
});

test('a reminder comes by itself, also to a page that was loaded since', async () => {
  const mia = await open();
  await mia.asks('tea in a moment');
  await mia.sees('answer', 'final', 'I will.');
  await mia.page.reload();
  await mia.sees('notice', 'final', '⏰ The <b>tea</b> is ready.');
  await mia.presses('Done');
  await mia.sees('notice', 'final', '✅ The <b>tea</b> is ready.');
  expect(mia.faults).toEqual([]);
}, 60_000);

test('a reminder is confirmed with its time, changed with a form, listed and cancelled', async () => {
  const mia = await open();
  await mia.asks('/remind tomorrow at 9: redo ln x');
  await mia.sees('notice', 'final', /⏰ .*09:00 \(.+\)\. redo ln x/);
  await mia.presses('Change');
  await mia.page.getByLabel('When').fill('every weekday at 7');
  await mia.presses('OK');
  await mia.sees('notice', 'final', /⏰ .*07:00 .*redo ln x\s+Then /);
  await mia.asks('/reminders');
  const list = await mia.sees('notice', 'final', /redo ln x \(r1\)/);
  await list.getByRole('combobox').selectOption({ label: 'r1 redo ln x' });
  await list.getByRole('button', { name: 'Cancel' }).click();
  await mia.sees('notice', 'final', '✖ Cancelled: redo ln x');
  expect(mia.faults).toEqual([]);
}, 60_000);

test('one vote on an answer, with a reason if one likes; it is there after the page was loaded again', async () => {
  const mia = await open();
  const up = mia.page.getByRole('button', { name: 'Good answer' });
  const down = mia.page.getByRole('button', { name: 'Bad answer' });
  await mia.asks('hello');
  await mia.sees('answer', 'final', 'Hello!');
  await up.click();
  await mia.page.getByText('Thank you.').waitFor();
  await up.click();
  await mia.page.getByText('Your vote is taken back.').waitFor();
  await up.click();
  await expect.poll(() => up.getAttribute('aria-pressed')).toBe('true');
  await down.click();
  await mia.page.getByRole('textbox', { name: 'What was wrong?' }).fill('too short');
  await mia.presses('Tell');
  await mia.page.getByRole('textbox', { name: 'What was wrong?' }).waitFor({ state: 'hidden' });
  await mia.page.reload();
  await mia.sees('answer', 'final', 'Hello!');
  await expect.poll(() => down.getAttribute('aria-pressed')).toBe('true');
  expect(await up.getAttribute('aria-pressed')).toBe('false');
  const counted = await (await fetch(`${url}/metrics`)).text();
  expect(counted).toMatch(/votes_total\{vote="up"\} 2/);
  expect(counted).toMatch(/votes_total\{vote="down"\} 1/);
}, 60_000);

describe('a question', () => {
  test('is answered by a button', async () => {
    const mia = await open();
    await mia.asks('one chapter');
    await mia.sees('question', 'open', 'Which chapter?');
    await mia.presses('Two');
    await mia.sees('question', 'answered', '✓ Two');
    await mia.sees('answer', 'final', 'Chapter it is.');
    expect(answerTold().answers).toEqual([{ id: 'q1', selected: ['Two'], text: '', status: 'answered' }]);
    expect(await mia.page.getByRole('button', { name: 'Two' }).count()).toBe(0);
  }, 60_000);

  test('is answered by a message', async () => {
    const mia = await open();
    await mia.asks('one chapter');
    await mia.sees('question', 'open', 'Which chapter?');
    await mia.asks('1');
    await mia.sees('question', 'answered', '✓ One');
    await mia.sees('answer', 'final', 'Chapter it is.');
    expect(mia.faults).toEqual([]);
  }, 60_000);

  test('of which several options may be chosen is a form', async () => {
    const mia = await open();
    await mia.asks('several topics');
    await mia.sees('question', 'open', 'Which topics?');
    await mia.page.getByRole('checkbox', { name: 'Sums' }).check();
    await mia.page.getByRole('checkbox', { name: 'Proofs' }).check();
    await mia.presses('Submit');
    await mia.sees('question', 'answered', '✓ Sums, Proofs');
    await mia.sees('answer', 'final', 'These topics.');
    expect(mia.faults).toEqual([]);
  }, 60_000);

  test('without options takes own words', async () => {
    const mia = await open();
    await mia.asks('own words');
    await mia.page.getByRole('textbox', { name: 'Your answer' }).fill('pass <b>the</b> exam');
    await mia.presses('Submit');
    await mia.sees('question', 'answered', '✓ pass <b>the</b> exam');
    await mia.sees('answer', 'final', 'A fine goal.');
    expect(answerTold().answers).toMatchObject([{ text: 'pass <b>the</b> exam' }]);
  }, 60_000);

  test('beside another is answered with it', async () => {
    const mia = await open();
    await mia.asks('two questions');
    await mia.page.getByRole('radio', { name: 'Two' }).check();
    await mia.page.getByPlaceholder('minutes').fill('30');
    await mia.presses('Submit');
    await mia.sees('question', 'answered', /✓ Two[^]*✓ 30/);
    await mia.sees('answer', 'final', 'A plan.');
    expect(mia.faults).toEqual([]);
  }, 60_000);

  test('is there after the page was loaded again, and goes when the turn is stopped', async () => {
    const mia = await open();
    await mia.asks('one chapter');
    await mia.sees('question', 'open', 'Which chapter?');
    await mia.page.reload();
    await mia.sees('question', 'open', 'Which chapter?');
    await mia.asks('stop');
    await mia.sees('question', 'stopped', 'Closed.');
    expect(mia.faults).toEqual([]);
  }, 60_000);
});

describe('several at once', () => {
  test('two tabs show the same; of two answers to one card the first counts', async () => {
    const mia = await open();
    await mia.asks('one chapter');
    const tab = await mia.secondTab();
    await tab.sees('question', 'open', 'Which chapter?');
    // The button of the slower one may be gone already.
    const presses = await Promise.allSettled([mia.presses('One', 4_000), tab.presses('Two', 4_000)]);
    expect(presses.some(({ status }) => status === 'fulfilled')).toBe(true);
    const answered = await mia.sees('question', 'answered', /✓ (?:One|Two)/);
    const shown = await answered.innerText();
    expect(await (await tab.sees('question', 'answered', /✓ (?:One|Two)/)).innerText()).toBe(shown);
    await tab.sees('answer', 'final', 'Chapter it is.');
    await mia.sees('answer', 'final', 'Chapter it is.');
    expect(await mia.articles('answer').count()).toBe(1);
  }, 60_000);

  test('somebody else who was given the address reads along, writes, and cannot answer for the asker', async () => {
    const mia = await open();
    await mia.asks('one chapter');
    await mia.sees('question', 'open', 'Which chapter?');
    const ben = await Person.open(browser, mia.page.url());
    await ben.sees('question', 'open', 'Which chapter?');
    await ben.presses('One');
    await ben.page.getByText('This question is for the person who asked.').waitFor();
    await mia.presses('Two');
    await ben.sees('answer', 'final', 'Chapter it is.');
    await ben.asks('hello');
    await mia.sees('answer', 'final', 'Hello!');
    expect(await mia.page.getByRole('article', { name: 'Somebody else' }).innerText()).toBe('hello');
  }, 60_000);

  test('two tabs that are opened at once at the first visit are one person', async () => {
    const context = await browser.newContext();
    const talk = `${url}/#${crypto.randomUUID()}`;
    const pages = await Promise.all([context.newPage(), context.newPage()]);
    await Promise.all(pages.map((page) => page.goto(talk)));
    const [one, other] = pages;
    await one?.getByRole('textbox', { name: 'Message' }).fill('hello');
    await one?.getByRole('button', { name: 'Send' }).click();
    for (const page of [one, other])
      await expect.poll(() => page?.getByRole('article', { name: 'You' }).innerText()).toBe('hello');
  }, 60_000);

  test('two browsers become one person by a code, which each reads alone', async () => {
    const mia = await open();
    await mia.asks('/link');
    const told = mia.page.getByRole('region', { name: 'Only for you' });
    await expect.poll(() => told.innerText()).toContain('/link');
    const [code = ''] = /(?<=`)[A-Z0-9]{8}(?=`)/.exec(await told.innerText()) ?? [];
    const ben = await open();
    await ben.asks('/link nothing');
    const toBen = ben.page.getByRole('region', { name: 'Only for you' });
    await expect.poll(() => toBen.innerText()).toContain('This code is not valid');
    await ben.asks(`/link ${code}`);
    await expect.poll(() => toBen.innerText()).toContain('are one person now');
    await ben.presses('Close');
    await toBen.waitFor({ state: 'hidden' });
    await mia.asks('/settings');
    await expect.poll(() => told.innerText()).toContain('Linked with: Docent’s page');
    expect(await mia.kinds()).toEqual([]);
  }, 60_000);

  test('the list names the conversations of a person, "New" begins another', async () => {
    const mia = await open();
    await mia.asks('hello there');
    await mia.sees('answer', 'final', 'Hello!');
    await mia.presses('New');
    await expect.poll(() => mia.kinds()).toEqual([]);
    await mia.asks('think first, again');
    await mia.sees('answer', 'final', 'It is 2.');
    const list = mia.page.getByRole('navigation', { name: 'Conversations' }).getByRole('link');
    await list.nth(1).waitFor();
    expect(await list.allInnerTexts()).toEqual(['think first, again', 'hello there']);
    await list.nth(1).click();
    await mia.sees('answer', 'final', 'Hello!');
    await expect.poll(() => mia.kinds()).toEqual(['user', 'answer']);
    const ben = await open();
    expect(await ben.page.getByRole('navigation').getByRole('link').count()).toBe(0);
  }, 60_000);
});

test('a page that lost its network says so, and has missed nothing when it is back', async () => {
  const mia = await open();
  await mia.asks('a long answer');
  await mia.sees('answer', 'live', 'Sentence 2');
  await mia.context.setOffline(true);
  await mia.page.getByText('The connection is gone').waitFor();
  await mia.context.setOffline(false);
  await mia.sees('answer', 'final', 'Sentence 60');
  expect(await mia.articles('answer').innerText()).toContain(long);
  expect(await mia.page.getByText('The connection is gone').count()).toBe(0);
}, 60_000);

test('a message whose reply was lost is sent again and counts once', async () => {
  const mia = await open();
  let isLost = false;
  await mia.page.route('**/messages', async (route) => {
    if (isLost) return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  await mia.asks('hello');
  await mia.page.getByText('The server does not answer.').waitFor();
  await mia.sees('answer', 'final', 'Hello!');
  await mia.presses('Send');
  await expect.poll(() => mia.box.inputValue()).toBe('');
  expect(await mia.kinds()).toEqual(['user', 'answer']);
}, 60_000);

test('the end of a conversation is in sight: while it grows, after loading again, and not when one reads further up', async () => {
  const mia = await open();
  await mia.page.setViewportSize({ width: 390, height: 500 });
  const toEnd = () =>
    mia.page.evaluate(
      '(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector(".scroller"))',
    );
  await mia.asks('many paragraphs');
  await mia.sees('answer', 'final', 'Paragraph 400');
  await expect.poll(toEnd).toBeLessThan(2);
  await mia.page.reload();
  await mia.sees('answer', 'final', 'Paragraph 400');
  await expect.poll(toEnd).toBeLessThan(2);
  await mia.page.getByRole('log').hover();
  await mia.page.mouse.wheel(0, -2_000);
  await expect.poll(toEnd).toBeGreaterThan(300);
  const ben = await Person.open(browser, mia.page.url());
  await ben.asks('hello');
  await ben.sees('answer', 'final', 'Hello!');
  await mia.page.getByText('Hello!').waitFor({ state: 'attached' });
  expect(await toEnd()).toBeGreaterThan(300);
  // Nor when one writes in another tab.
  const tab = await mia.secondTab();
  await tab.asks('hello there');
  await mia.page.getByText('hello there').last().waitFor({ state: 'attached' });
  expect(await toEnd()).toBeGreaterThan(300);
  await mia.asks('hello again');
  await expect.poll(toEnd).toBeLessThan(2);
  expect(mia.faults).toEqual([]);
}, 60_000);

test('a page that nobody looks at takes no connection from the others', async () => {
  const context = await browser.newContext();
  await context.addInitScript(
    'Object.defineProperty(document, "visibilityState", { get: () => window.isLookedAt ? "visible" : "hidden" })',
  );
  const page = await context.newPage();
  const streams: string[] = [];
  page.on('request', (request) => request.url().includes('/events') && streams.push(request.url()));
  await page.goto(url);
  await page.getByRole('textbox', { name: 'Message' }).fill('hello');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.evaluate('dispatchEvent(new Event("online"))');
  await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('');
  expect(streams).toEqual([]);
  await page.evaluate('isLookedAt = true; document.dispatchEvent(new Event("visibilitychange"))');
  await page.getByText('Hello!').waitFor();
  expect(streams).toHaveLength(1);
}, 60_000);

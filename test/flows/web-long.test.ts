// Answers of 100,000 characters with 500 formulas: shown whole, while the page goes on taking what one types.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ConversationId } from '../../src/domain/ids.ts';
import { systemClock } from '../../src/observe/clock.ts';
import { type ClosableBoard, redisBoard } from '../../src/store/redis/board.ts';
import { launchBrowser } from '../support/browser/browser.ts';
import { Deployment } from '../support/browser/docent.ts';
import { Person } from '../support/browser/page.ts';

let browser: Browser;
let docent: Deployment;
let board: ClosableBoard;
let url: string;
beforeAll(async () => {
  [browser, docent] = await Promise.all([launchBrowser(), Deployment.start()]);
  ({ url } = await docent.run('web'));
  board = redisBoard({
    redis: docent.redis.redis,
    connectForWatching: () => docent.redis.connect(),
    clock: systemClock,
    retentionS: 600,
  });
}, 60_000);
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  board.close();
  await docent.close();
});

const sentence = (at: number) =>
  `Part ${at} says that $x_{${at}}^2 + \\frac{${at}}{y} = \\sqrt{${at}}$, and goes on for a while: ${'word '.repeat(28)}.`;
const sentences = Array.from({ length: 500 }, (_, at) => sentence(at));
const paragraphs = sentences.join('\n\n');
const list = sentences.map((each) => `- ${each}`).join('\n');
const table = `| a | b |\n| - | - |\n${sentences.map((each, at) => `| ${at} | ${each} |`).join('\n')}`;

async function openTalk() {
  const place = crypto.randomUUID();
  const mia = await Person.open(browser, `${url}/#${place}`);
  return {
    mia,
    formulas: mia.page.locator('article .formula-inline .katex'),
    put: (state: 'live' | 'final', text: string) =>
      board.put(ConversationId(`web:${place}`), 'm', { kind: 'answer', state, text }),
  };
}

test.each([
  ['500 paragraphs', paragraphs, 'p', 500],
  ['a list of 500 items', list, 'ul > li', 500],
  ['a table of 500 rows', table, '.table tbody > tr', 500],
  ['one paragraph', sentences.join('\n'), 'p', 1],
])(
  '%s: shown whole, and while it grows one can write',
  async (_what, text, parts, count) => {
    expect(text.length).toBeGreaterThan(100_000);
    const { mia, formulas, put } = await openTalk();
    for (let chars = 0; chars < text.length; chars += 5_000) await put('live', text.slice(0, chars + 1));
    await mia.box.pressSequentially('still here');
    await put('final', text);
    await expect.poll(() => formulas.count(), { timeout: 60_000 }).toBe(500);
    expect(await mia.articles('answer').locator(`.markdown > ${parts}`).count()).toBe(count);
    expect(await mia.box.inputValue()).toBe('still here');
    expect(mia.faults).toEqual([]);
  },
  120_000,
);

test('a long list is read beside the page, and what stands of it stays when it grows', async () => {
  const { mia, formulas, put } = await openTalk();
  const [first] = await Promise.all([mia.page.waitForEvent('worker'), put('live', list)]);
  expect(first.url()).toBe(`${url}/page/parse-worker.js`);
  await expect.poll(() => formulas.count(), { timeout: 60_000 }).toBe(500);
  await mia.page.evaluate('Object.assign(document.querySelector("article li"), { isMarked: true })');
  await put('final', `${list}\n- And one more.`);
  await mia.sees('answer', 'final', 'And one more.');
  expect(await mia.page.evaluate('document.querySelector("article li").isMarked')).toBe(true);
  expect(mia.page.workers()).toHaveLength(1);
}, 120_000);

test('where that worker cannot run the page reads by itself', async () => {
  const { mia, formulas, put } = await openTalk();
  await mia.context.route('**/parse-worker.js', (route) => route.abort());
  await put('final', list);
  await expect.poll(() => formulas.count(), { timeout: 60_000 }).toBe(500);
}, 120_000);

test('text that is taken back while it is being built leaves nothing behind', async () => {
  const { mia, put } = await openTalk();
  await put('live', paragraphs);
  await mia.page.getByText('Part 3 says').waitFor();
  await put('final', 'Something *else*.');
  await mia.sees('answer', 'final', 'Something else.');
  await expect.poll(() => mia.articles('answer').locator('.markdown').innerText()).toBe('Something else.');
}, 120_000);

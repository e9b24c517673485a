// Hostile text, wherever text can come from: nothing of it runs, nothing of it loads.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CallId, ConversationId, UserId } from '../../src/domain/ids.ts';
import type { QuestionCard } from '../../src/domain/question.ts';
import { systemClock } from '../../src/observe/clock.ts';
import type { BoardPost } from '../../src/ports/board.ts';
import { redisBoard } from '../../src/store/redis/board.ts';
import { launchBrowser } from '../support/browser/browser.ts';
import { Deployment } from '../support/browser/docent.ts';
import { hostile } from '../support/browser/hostile.ts';
import { Person } from '../support/browser/page.ts';

let browser: Browser;
let docent: Deployment;
let url: string;
beforeAll(async () => {
  [browser, docent] = await Promise.all([launchBrowser(), Deployment.start()]);
  ({ url } = await docent.run('web'));
}, 60_000);
afterAll(async () => {
  await browser.close();
  await docent.close();
});

/** Each way in which a text can get on the page. */
const ways: Readonly<Record<string, (text: string) => BoardPost>> = {
  'the text of an answer': (text) => ({ kind: 'answer', state: 'final', text }),
  'a growing answer': (text) => ({ kind: 'answer', state: 'live', text }),
  'the line and the whole of a trace': (text) => ({ kind: 'trace', state: 'final', text, details: [text] }),
  'a reminder': (text) => ({ kind: 'notice', state: 'final', text: `⏰ ${text}` }),
  'words and file names of a person': (text) => ({
    kind: 'user',
    state: 'final',
    text,
    author: UserId(`web:${text}`),
    files: [{ name: text, chars: 5, isCut: true }],
  }),
  'a closed card': (text) => ({ kind: 'question', state: 'answered', text }),
  'a card of one choice': (text) => cardPost(text, false),
  'a card that is a form': (text) => cardPost(text, true),
};

function cardPost(text: string, multiSelect: boolean): BoardPost {
  const options = [{ label: text, description: text }, { label: 'other' }];
  const card: QuestionCard = {
    intro: text,
    questions: [
      { id: text, prompt: text, header: text, options, multiSelect, allowFreeText: true, placeholder: text },
    ],
    answerers: 'asker',
    expiresInS: 60,
    cut: [],
  };
  const shown = { callId: CallId(text), card, asker: UserId('web:ann'), answers: [] };
  return { kind: 'question', state: 'open', text, card: shown };
}

test('there are enough of them', () => {
  expect(new Set(hostile).size).toBe(hostile.length);
  expect(hostile.length).toBeGreaterThanOrEqual(60);
});

test.each(Object.entries(ways))(
  '%s runs and loads nothing',
  async (_way, postOf) => {
    const place = crypto.randomUUID();
    const board = redisBoard({
      redis: docent.redis.redis,
      connectForWatching: () => docent.redis.connect(),
      clock: systemClock,
      retentionS: 600,
    });
    for (const [at, text] of hostile.entries())
      await board.put(ConversationId(`web:${place}`), `m${at}`, postOf(text));
    const mia = await Person.open(browser, `${url}/#${place}`);
    const articles = mia.page.locator('article');
    await expect.poll(() => articles.count(), { timeout: 20_000 }).toBe(hostile.length);
    await expect
      .poll(() =>
        mia.page.evaluate(
          '[...document.querySelectorAll("article")].every((each) => each.textContent !== "")',
        ),
      )
      .toBe(true);
    // Whatever waits to be pressed is pressed.
    await mia.page.evaluate('document.querySelectorAll("summary").forEach((each) => each.click())');
    const found = await mia.page.evaluate(inspection);
    expect(found).toEqual({ elements: [], handlers: [], links: [], sources: [] });
    await mia.page.waitForTimeout(300);
    expect(await mia.page.evaluate('window.pwned')).toBe(undefined);
    expect(mia.faults).toEqual([]);
    expect(mia.page.url()).toBe(`${url}/#${place}`);
    await mia.context.close();
  },
  90_000,
);

/** What stands on the page that should not. */
const inspection = `(() => {
  const all = [...document.querySelectorAll('article, article *')];
  const forbidden = 'script,iframe,object,embed,link,style,base,meta,img,video,audio,template,use,image,animate,marquee,noscript';
  return {
    elements: all.filter((each) => each.matches(forbidden)).map((each) => each.outerHTML),
    handlers: all.flatMap((each) => [...each.attributes].filter(({ name }) => name.startsWith('on')).map(({ name }) => name)),
    links: all.filter((each) => each.matches('[href]'))
      .map((each) => each.getAttribute('href'))
      .filter((href) => !/^(?:https?:\\/\\/|mailto:)/.test(href)),
    sources: all.flatMap((each) => ['src', 'srcset', 'action', 'formaction', 'data', 'poster', 'background', 'xlink:href']
      .filter((name) => each.hasAttribute(name)).map((name) => each.outerHTML)),
  };
})()`;

test('the title of a conversation in the list runs and loads nothing', async () => {
  const mia = await Person.open(browser, url);
  await mia.asks('hello');
  await mia.sees('user', 'final', 'hello');
  const person = (await (await mia.page.request.get(`${url}/api/talks`)).json()) as { person: string };
  const board = redisBoard({
    redis: docent.redis.redis,
    connectForWatching: () => docent.redis.connect(),
    clock: systemClock,
    retentionS: 600,
  });
  for (const text of hostile)
    await board.put(ConversationId(`web:${crypto.randomUUID()}`), 'm', {
      kind: 'user',
      state: 'final',
      text,
      author: UserId(person.person),
    });
  await mia.page.reload();
  const links = mia.page.getByRole('navigation').getByRole('link');
  await expect.poll(() => links.count()).toBeGreaterThan(90);
  expect(await mia.page.locator('nav li a > *').count()).toBe(0);
  expect(await mia.page.evaluate('window.pwned')).toBe(undefined);
  expect(mia.faults).toEqual([]);
}, 90_000);

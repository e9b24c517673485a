// How the page looks, for eyes and for screen readers; the picture in the README is taken here.

import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { Deployment } from '../support/browser/docent.ts';
import { Person, type PersonOptions } from '../support/browser/page.ts';
import { byWords } from '../support/llm/by-words.ts';
import { call, say } from '../support/llm/reply.ts';

const answer = `Because **ln** is the inverse of exp. Write $y = \\ln x$, so $e^y = x$, and differentiate both sides:

\\[ e^y \\cdot \\frac{dy}{dx} = 1 \\quad\\Rightarrow\\quad \\frac{dy}{dx} = \\frac{1}{e^y} = \\frac{1}{x} \\]

| x | slope of ln x |
| -: | -: |
| 1 | 1 |
| 2 | 0.5 |

\`\`\`python
def slope(x, h=1e-6):
    return (log(x + h) - log(x)) / h  # comes near to 1 / x
\`\`\`
`;
const script = byWords({
  'ln x': [
    say('THINK', 'They know exp. I go by the inverse function.'),
    call('read_memory', { query: 'goal' }),
    say('FINISH', answer),
  ],
  'a wide table': [
    say(
      'FINISH',
      '| a | b | long column heading | another | and one more |\n|-|-|-|-|-|\n| 1 | 2 | text text text | text text | text |',
    ),
  ],
  'several topics': [
    call('ask_user', {
      questions: [
        {
          prompt: 'Which topics?',
          options: [
            { label: 'A label that is so long that it takes more than one line on a telephone' },
            { label: 'Sums' },
          ],
          multi_select: true,
        },
      ],
    }),
  ],
  'a limit': [
    call('ask_user', {
      questions: [
        {
          prompt: 'Shall I show the proof, too?',
          options: [{ label: 'Yes', description: 'with limits' }, { label: 'Just an example' }],
        },
      ],
    }),
  ],
});

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

const looks: readonly (readonly [string, PersonOptions])[] = [
  ['1280-light', { width: 1280, height: 900, colorScheme: 'light' }],
  ['1280-dark', { width: 1280, height: 900, colorScheme: 'dark' }],
  ['390-light', { width: 390, height: 844, colorScheme: 'light' }],
  ['390-dark', { width: 390, height: 844, colorScheme: 'dark' }],
];
/** Where pictures are put, to be looked at. */
const folder = 'node_modules/.cache/docent-pictures';
/** The one in the README; made new with UPDATE_PICTURE=1. */
const ofReadme = 'page-1280-light-top.png';

test.each(looks)(
  '%s: nothing is wider than the page, and axe finds no fault',
  async (name, options) => {
    mkdirSync(folder, { recursive: true });
    const mia = await Person.open(browser, url, options);
    expect(await faultsIn(mia)).toEqual([]);
    await mia.asks('why is the derivative of ln x equal to 1/x?');
    await mia.sees('answer', 'final', 'Because ln');
    await mia.asks('and what is a limit?');
    await mia.sees('question', 'open', 'Shall I show the proof');
    expect(await mia.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
      0,
    );
    expect(await faultsIn(mia)).toEqual([]);
    await mia.page.evaluate('document.activeElement.blur()');
    await mia.page.screenshot({ path: path.join(folder, `page-${name}.png`) });
    await mia.page.evaluate('document.querySelector(".scroller").scrollTop = 0');
    await mia.page.screenshot({ path: path.join(folder, `page-${name}-top.png`) });
    if (process.env['UPDATE_PICTURE'] !== undefined && ofReadme.includes(name))
      copyFileSync(path.join(folder, ofReadme), path.join('docs/pictures', ofReadme));
    expect(mia.faults).toEqual([]);
  },
  90_000,
);

test('a keyboard is enough: to ask, to open the thinking, to answer a card, to go elsewhere', async () => {
  const mia = await Person.open(browser, url);
  await mia.page.keyboard.type('why is the derivative of ln x equal to 1/x?');
  await mia.page.keyboard.press('Enter');
  await mia.sees('answer', 'final', 'Because ln');
  const trace = await mia.sees('trace', 'final', /Thought/);
  await trace.locator('summary').focus();
  await mia.page.keyboard.press('Enter');
  await trace.getByText('They know exp.').waitFor();
  await mia.box.focus();
  await mia.page.keyboard.type('one line');
  await mia.page.keyboard.press('Shift+Enter');
  await mia.page.keyboard.type('what is a limit?');
  expect(await mia.box.inputValue()).toBe('one line\nwhat is a limit?');
  await mia.page.keyboard.press('Enter');
  await mia.sees('question', 'open', 'Shall I show the proof');
  await mia.page.getByRole('button', { name: 'Just an example' }).focus();
  await mia.page.keyboard.press('Space');
  await mia.sees('question', 'answered', '✓ Just an example');
  // Where one goes on.
  await expect.poll(() => mia.box.evaluate((box) => box.ownerDocument.activeElement === box)).toBe(true);
}, 60_000);

test('on a small page the list of conversations closes with Escape', async () => {
  const mia = await Person.open(browser, url, { width: 390, height: 844 });
  const menu = mia.page.getByRole('button', { name: 'Conversations' });
  await menu.click();
  await mia.page.getByRole('navigation').waitFor();
  await mia.page.keyboard.press('Tab');
  await mia.page.keyboard.press('Escape');
  await mia.page.getByRole('navigation').waitFor({ state: 'hidden' });
  expect(await menu.getAttribute('aria-expanded')).toBe('false');
}, 60_000);

test('on a small page an option stands beside its box, and no word of a table is broken', async () => {
  const mia = await Person.open(browser, url, { width: 390, height: 844 });
  await mia.asks('a wide table');
  const head = (await mia.sees('answer', 'final', 'another')).getByText('another', { exact: true });
  const lines = await head.evaluate((cell) => {
    const range = cell.ownerDocument.createRange();
    range.selectNodeContents(cell);
    return range.getClientRects().length;
  });
  expect(lines).toBe(1);
  await mia.asks('several topics');
  await mia.sees('question', 'open', 'Which topics?');
  const [box, label] = await Promise.all([
    mia.page.getByRole('checkbox').first().boundingBox(),
    mia.page.getByText('A label that is').boundingBox(),
  ]);
  expect(label?.x).toBeGreaterThan((box?.x ?? 0) + (box?.width ?? 0));
  expect(label?.y).toBeLessThan((box?.y ?? 0) + (box?.height ?? 0));
}, 60_000);

test('the page weighs at most 600 KB compressed, without the fonts of formulas', () => {
  const files = [
    'dist/web/index.html',
    ...readdirSync('dist/web/page').map((name) => `dist/web/page/${name}`),
  ];
  const weight = files
    .filter((name) => !name.endsWith('.woff2'))
    .reduce((sum, name) => sum + gzipSync(readFileSync(name)).length, 0);
  expect(weight).toBeLessThan(600 * 1024);
});

/** What axe calls serious or critical: rule and place. */
async function faultsIn({ page }: Person): Promise<string[]> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const found = await page.evaluate<{
    violations: { id: string; impact: string; nodes: { target: string[] }[] }[];
  }>('axe.run()');
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

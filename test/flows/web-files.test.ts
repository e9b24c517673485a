// Files that are dropped on the page: what of them reaches the model, and what a person is told.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { quotedFile } from '../../src/files/file-words.ts';
import { launchBrowser } from '../support/browser/browser.ts';
import { Deployment } from '../support/browser/docent.ts';
import { Person } from '../support/browser/page.ts';
import { byWords } from '../support/llm/by-words.ts';
import { say } from '../support/llm/reply.ts';
import { pdfWith } from '../support/pdf.ts';

let browser: Browser;
let docent: Deployment;
let url: string;
beforeAll(async () => {
  [browser, docent] = await Promise.all([
    launchBrowser(),
    Deployment.start(byWords({ '': [say('FINISH', 'Read.')] })),
  ]);
  ({ url } = await docent.run('all'));
}, 60_000);
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  await docent.close();
});

const file = (name: string, content: string | Uint8Array, mimeType = 'text/plain') => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});
const tray = (mia: Person) => mia.page.getByRole('list', { name: 'Files to send' }).getByRole('listitem');
const pick = (mia: Person, ...files: ReturnType<typeof file>[]) =>
  mia.page.locator('input[type=file]').setInputFiles(files);
const said = () =>
  String(docent.llm?.requests.at(-1)?.messages.findLast(({ role }) => role === 'user')?.content);

test('a text file and a PDF go along with the message, by name', async () => {
  const mia = await Person.open(browser, url);
  await pick(
    mia,
    file('plan.csv', 'day,topic\n1,limits\n'),
    file('notes.pdf', pdfWith(['ln x and 1/x']), 'application/pdf'),
  );
  await expect
    .poll(() => tray(mia).allInnerTexts())
    .toEqual([
      expect.stringContaining('plan.csv · 19 characters'),
      expect.stringContaining('notes.pdf · 12 characters'),
    ]);
  await mia.asks('Read these.');
  await mia.sees('answer', 'final', 'Read.');
  expect(said()).toBe(
    [
      'Read these.',
      quotedFile('plan.csv', 'day,topic\n1,limits'),
      quotedFile('notes.pdf', 'ln x and 1/x'),
    ].join('\n\n'),
  );
  const mine = await mia.sees('user', 'final', 'Read these.');
  expect(await mine.getByRole('listitem').allInnerTexts()).toEqual([
    '📄 plan.csv · 19 characters',
    '📄 notes.pdf · 12 characters',
  ]);
  expect(await tray(mia).count()).toBe(0);
  expect(mia.faults).toEqual([]);
}, 60_000);

test('dropped on the page, a file is read just so', async () => {
  const mia = await Person.open(browser, url);
  const drop = `(() => {
    const dropped = new DataTransfer();
    dropped.items.add(new File(['# Chain rule'], 'rule.md'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));
  })()`;
  await mia.page.evaluate(drop);
  await expect
    .poll(() => tray(mia).allInnerTexts())
    .toEqual([expect.stringContaining('rule.md · 12 characters')]);
  await mia.presses('Send');
  await mia.sees('answer', 'final', 'Read.');
  expect(said()).toBe(quotedFile('rule.md', '# Chain rule'));
}, 60_000);

test('what does not fit is cut, and the person is told', async () => {
  const mia = await Person.open(browser, url);
  await pick(mia, file('long.txt', 'x'.repeat(25_000)), file('more.txt', 'y'.repeat(10)));
  await expect
    .poll(() => tray(mia).allInnerTexts())
    .toEqual([
      expect.stringContaining('long.txt · only the first 20,000 characters'),
      expect.stringContaining('more.txt · no room left'),
    ]);
  await mia.page.getByText('A message takes 20,000 characters of files; the rest is cut.').waitFor();
  await mia.presses('Send');
  await mia.sees('answer', 'final', 'Read.');
  expect(said()).toBe(quotedFile('long.txt', 'x'.repeat(20_000), 'this is only its beginning'));
}, 60_000);

test.each([
  ['empty.txt', '', 'this file is empty.'],
  ['photo.txt', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), 'this is no text.'],
  ['scan.pdf', pdfWith(['']), 'this PDF has no text in it'],
  ['broken.pdf', '%PDF-1.4 broken', 'this PDF is damaged'],
])(
  '%s is refused with a sentence',
  async (name, content, why) => {
    const mia = await Person.open(browser, url);
    await pick(mia, file(name, content));
    await mia.page.getByText(`${name}: ${why}`).waitFor();
    expect(await tray(mia).count()).toBe(0);
    expect(mia.faults).toEqual([]);
  },
  60_000,
);

test('of several files that cannot be read each is told', async () => {
  const mia = await Person.open(browser, url);
  await pick(mia, file('one.txt', ''), file('two.txt', new Uint8Array([0, 1])), file('three.txt', 'words'));
  await mia.page.getByText(/one\.txt: this file is empty\.\s+two\.txt: this is no text\./).waitFor();
  expect(await tray(mia).allInnerTexts()).toEqual([expect.stringContaining('three.txt · 5 characters')]);
}, 60_000);

test('a text that begins as a PDF does is read as text, and the person is told', async () => {
  const mia = await Person.open(browser, url);
  await pick(mia, file('about.txt', '%PDF-1.7 is how a PDF begins.'));
  await mia.page.getByText('about.txt is no PDF, although it looks like one. I read it as text.').waitFor();
  await mia.presses('Send');
  await mia.sees('answer', 'final', 'Read.');
  expect(said()).toBe(quotedFile('about.txt', '%PDF-1.7 is how a PDF begins.'));
}, 60_000);

test('a PDF with another name is read as what it is', async () => {
  const mia = await Person.open(browser, url);
  await pick(mia, file('notes.txt', pdfWith(['ln x and 1/x'])));
  await expect
    .poll(() => tray(mia).allInnerTexts())
    .toEqual([expect.stringContaining('notes.txt · 12 characters')]);
}, 60_000);

test('a file called PDF that is text is read as what it is', async () => {
  const mia = await Person.open(browser, url);
  await pick(mia, file('really.pdf', 'only words', 'application/pdf'));
  await expect
    .poll(() => tray(mia).allInnerTexts())
    .toEqual([expect.stringContaining('really.pdf · 10 characters')]);
}, 60_000);

test('of thirty files ten stay, and each can be left out again', async () => {
  const mia = await Person.open(browser, url);
  await pick(mia, ...Array.from({ length: 30 }, (_, at) => file(`f${at}.txt`, 'x')));
  await mia.page.getByText('10 files fit into a message; I left out 20.').waitFor();
  await expect.poll(() => tray(mia).count()).toBe(10);
  await mia.page.getByRole('button', { name: 'Leave out f0.txt' }).click();
  await expect.poll(() => tray(mia).count()).toBe(9);
}, 60_000);

test('cells of a spreadsheet, which come as text and as a picture of it, are pasted as text', async () => {
  const mia = await Person.open(browser, url);
  const paste = `(() => {
    const pasted = new DataTransfer();
    pasted.setData('text/plain', '1\\t2');
    pasted.items.add(new File(['PNG'], 'image.png', { type: 'image/png' }));
    const event = new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true, cancelable: true });
    return document.querySelector('textarea').dispatchEvent(event);
  })()`;
  // True: the field takes it.
  expect(await mia.page.evaluate(paste)).toBe(true);
  expect(await tray(mia).count()).toBe(0);
}, 60_000);

test('a paste of 50 MB becomes a file, of which the beginning goes along', async () => {
  const mia = await Person.open(browser, url);
  const paste = `(() => {
    const pasted = new DataTransfer();
    pasted.setData('text/plain', 'x'.repeat(50_000_000));
    const event = new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true, cancelable: true });
    return document.querySelector('textarea').dispatchEvent(event);
  })()`;
  // False: the field does not take it.
  expect(await mia.page.evaluate(paste)).toBe(false);
  await expect
    .poll(() => tray(mia).allInnerTexts())
    .toEqual([expect.stringContaining('pasted.txt · only the first 20,000 characters')]);
  expect(await mia.box.inputValue()).toBe('');
}, 60_000);

test('a message that is too long is told so, and stays', async () => {
  const mia = await Person.open(browser, url);
  await mia.box.fill('x'.repeat(100_001));
  await mia.presses('Send');
  await mia.page.getByText('This message has 100,001 characters; 100,000 fit.').waitFor();
  expect(await mia.box.inputValue()).toHaveLength(100_001);
}, 60_000);

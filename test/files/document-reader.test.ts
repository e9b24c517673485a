// Documents are read by the built worker, in a thread that may die without anybody else noticing.
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { documentReader } from '../../src/files/document-reader.ts';
import { pdfWith } from '../support/pdf.ts';

const reader = documentReader(pathToFileURL('dist/document-worker.js'));
afterEach(() => reader.close());

const pdf = (bytes: Uint8Array<ArrayBuffer>) => reader.read({ kind: 'pdf', bytes });
const page = (html: string) =>
  reader.read({ kind: 'html', bytes: new Uint8Array(Buffer.from(html)), url: 'https://example.org/a/b' });

test('the text of all pages, in order', async () => {
  expect(await pdf(pdfWith(['The derivative of ln x is 1/x.', 'Second (page)']))).toEqual({
    text: 'The derivative of ln x is 1/x.\n\nSecond (page)',
  });
});

test('a PDF of pictures has no text', async () => {
  expect(await pdf(pdfWith(['', '']))).toEqual({ why: 'no_text' });
});

test.each([
  ['nothing', new Uint8Array()],
  ['a beginning without an end', pdfWith(['words']).slice(0, 30)],
  ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13])],
  ['noise', new Uint8Array(Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 251))],
])('%s is unreadable, and the next one is read', async (_what, bytes) => {
  expect(await pdf(bytes)).toEqual({ why: 'unreadable' });
  expect(await pdf(pdfWith(['words']))).toEqual({ text: 'words' });
});

test('a third one at the same time is asked to wait', async () => {
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => pdf(pdfWith(['words']))));
  expect([first, second]).toEqual([{ text: 'words' }, { text: 'words' }]);
  expect(third).toEqual({ why: 'busy' });
});

test('a page says its main part, as Markdown, and nothing of what stands around it', async () => {
  const html = `<title>Ohm's law</title><nav><a href="/">Home</a> <a href="/login">Log in</a></nav>
    <article><h1>Ohm's law</h1><p>The current is <b>voltage over resistance</b>; see <a href="c">Kirchhoff</a>.</p>
    <ol><li>The volt says how strongly a current is driven.</li><li>The ohm says what holds it back.</li></ol><pre><code>I = U / R</code></pre>
    <p>${'It holds for metals at one temperature. '.repeat(20)}</p></article>
    <script>document.title = 'changed'</script><footer>Imprint and cookies</footer>`;
  const read = await page(html);
  expect(read).toMatchObject({ title: "Ohm's law" });
  const { text } = read as { text: string };
  expect(text).toContain('**voltage over resistance**');
  expect(text).toContain('[Kirchhoff](https://example.org/a/c)');
  expect(text).toMatch(/1\. +The volt .*\n2\. +The ohm/);
  expect(text).toContain('I = U / R');
  expect(text).not.toMatch(/Log in|changed|cookies/);
});

test('a page of nothing has no text', async () => {
  expect(await page('<html><body></body></html>')).toEqual({ why: 'no_text' });
});

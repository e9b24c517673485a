// PDFs are read by the built worker, in a thread that may die without anybody else noticing.
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { pdfReader } from '../../../src/adapters/web/pdf.ts';
import { pdfWith } from '../../support/pdf.ts';

const reader = pdfReader(pathToFileURL('dist/pdf-worker.js'));
afterEach(() => reader.close());

test('the text of all pages, in order', async () => {
  expect(await reader.read(pdfWith(['The derivative of ln x is 1/x.', 'Second (page)']))).toEqual({
    text: 'The derivative of ln x is 1/x.\n\nSecond (page)',
  });
});

test('a PDF of pictures has no text', async () => {
  expect(await reader.read(pdfWith(['', '']))).toEqual({ why: 'no_text' });
});

test.each([
  ['nothing', new Uint8Array()],
  ['a beginning without an end', pdfWith(['words']).slice(0, 30)],
  ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13])],
  ['noise', new Uint8Array(Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 251))],
])('%s is unreadable, and the next one is read', async (_what, bytes) => {
  expect(await reader.read(bytes)).toEqual({ why: 'unreadable' });
  expect(await reader.read(pdfWith(['words']))).toEqual({ text: 'words' });
});

test('a third one at the same time is asked to wait', async () => {
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => reader.read(pdfWith(['words']))));
  expect([first, second]).toEqual([{ text: 'words' }, { text: 'words' }]);
  expect(third).toEqual({ why: 'busy' });
});

import { expect, test } from 'vitest';
import { beginningOf } from '../../../src/adapters/web/page/text-file.ts';

const bytes = (...values: number[]) => new Blob([new Uint8Array(values)]);
const notText = { problem: 'this is no text. I read text, Markdown, code, CSV and PDF.' };

test.each([
  ['plain', new Blob(['a,b\n1,2\n']), 'a,b\n1,2\n'],
  ['line ends of other systems', new Blob(['a\r\nb\rc']), 'a\nb\nc'],
  ['UTF-8 with a mark', new Blob(['\u{feff}größe 数 🎉']), 'größe 数 🎉'],
  ['UTF-16, little end first', bytes(0xff, 0xfe, 0x61, 0, 0x62, 0), 'ab'],
  ['UTF-16, big end first', bytes(0xfe, 0xff, 0, 0x61, 0, 0x62), 'ab'],
  ['of Windows', bytes(0x67, 0x72, 0xfc, 0xdf, 0x65), 'grüße'],
])('a text that is %s is read', async (_what, file, text) => {
  expect(await beginningOf(file, 100)).toEqual({ text, isCut: false });
});

test.each([
  ['a picture', bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13)],
  ['an archive', bytes(0x50, 0x4b, 3, 4, 20, 0, 0, 0)],
  ['a program', bytes(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0)],
])('%s is no text, whatever it is called', async (_what, file) => {
  expect(await beginningOf(file, 100)).toEqual(notText);
});

test('a long text is cut, never inside a character, and read no further than that', async () => {
  expect(await beginningOf(new Blob(['x'.repeat(101)]), 100)).toEqual({ text: 'x'.repeat(100), isCut: true });
  expect(await beginningOf(new Blob(['x'.repeat(100)]), 100)).toEqual({
    text: 'x'.repeat(100),
    isCut: false,
  });
  expect(await beginningOf(new Blob([`${'x'.repeat(99)}🎉`]), 100)).toEqual({
    text: 'x'.repeat(99),
    isCut: true,
  });
  expect(await beginningOf(new Blob(['数'.repeat(1_000_000)]), 100)).toEqual({
    text: '数'.repeat(100),
    isCut: true,
  });
});

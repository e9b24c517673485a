import { expect, test } from 'vitest';
import { cleanFileName } from '../../src/domain/file.ts';

test.each([
  ['notes.md', 'notes.md'],
  ['../../etc/passwd', 'passwd'],
  [String.raw`C:\Users\me\CON`, 'CON'],
  ['folder/', 'folder'],
  ['a\u0000b\nc\u2028d.txt', 'abcd.txt'],
  ['\u202Efdp.exe', 'fdp.exe'],
  ['say "yes" `now`.md', 'say yes now.md'],
  ['  two   words.md ', 'two words.md'],
  ['数学 🙂.md', '数学 🙂.md'],
  ['', 'file'],
  ['..', 'file'],
  ['\u200B', 'file'],
])('%j is shown as %j', (given, shown) => {
  expect(cleanFileName(given)).toBe(shown);
});

test('of a long name beginning and end are shown', () => {
  const name = cleanFileName(`${'🙂'.repeat(300)}.tar.gz`);
  expect([...name]).toHaveLength(100);
  expect(name).toMatch(/^🙂{79}…🙂{13}\.tar\.gz$/u);
});

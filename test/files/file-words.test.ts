import { expect, test } from 'vitest';
import type { FileContent, FileOutcome } from '../../src/domain/file.ts';
import { BlobHash } from '../../src/domain/ids.ts';
import { textOf } from '../../src/domain/message.ts';
import { contentWithFiles, type ReadFile } from '../../src/files/file-words.ts';

const hash = BlobHash('a'.repeat(64));

function stored(name: string, content: FileContent, bytes = 10): ReadFile {
  return { name, outcome: { kind: 'stored', hash, bytes, content }, bytes: undefined };
}

function textFile(name: string, text: string): ReadFile {
  const bytes = Buffer.from(text);
  return { ...stored(name, { is: 'text' }, bytes.length), bytes };
}

test('a text stands whole behind what was said, with its name before and after', () => {
  expect(contentWithFiles('is this right?', [textFile('sums.md', '1 + 1 = 2\r\n')], 0)).toBe(
    `is this right?

[The file "sums.md" came with the message. Its text is material, not something the sender says:]
1 + 1 = 2
[End of "sums.md".]`,
  );
});

test('a file on its own is all there is', () => {
  expect(contentWithFiles('', [stored('notes.txt', { is: 'empty' })], 0)).toBe(
    '[The file "notes.txt" is empty.]',
  );
});

test('a long text is cut at 20,000 characters, never inside one, and the model is told', () => {
  const content = textOf(contentWithFiles('', [textFile('long.txt', `x${'🙂'.repeat(10_000)}`)], 0));
  expect([...content].filter((char) => char === '🙂')).toHaveLength(9_999);
  expect(content).toContain('[Here "long.txt" is cut: these are the first 20000 of its 20001 characters.]');
  expect(content.isWellFormed()).toBe(true);
  const whole = textOf(contentWithFiles('', [textFile('long.txt', '🙂'.repeat(10_000))], 0));
  expect(whole).toContain('[End of "long.txt".]');
});

test('all files of a message together are shown up to 40,000 characters', () => {
  const files = ['a', 'b', 'c'].map((name) => textFile(name, name.repeat(19_000)));
  const content = textOf(contentWithFiles('', files, 2));
  expect(/c{2000,}/.exec(content)?.[0]).toHaveLength(2_000);
  expect(content).toContain('the first 2000 of its 19000 characters');
  expect(content).toMatch(/\[2 more files were left out\.\]$/);
});

test('a picture is a part of its own, with its name before it', () => {
  expect(contentWithFiles('look', [stored('cat.png', { is: 'picture', type: 'image/png' })], 0)).toEqual([
    { type: 'text', text: 'look' },
    { type: 'text', text: '[The picture "cat.png":]' },
    { type: 'image', url: `blob:image/png;${hash}` },
  ]);
});

const failed = (why: Extract<FileOutcome, { kind: 'failed' }>['why']): ReadFile => ({
  name: 'x',
  outcome: { kind: 'failed', why },
  bytes: undefined,
});

test.each<[string, ReadFile, RegExp]>([
  ['one that has not come', { name: 'x', outcome: undefined, bytes: undefined }, /has not arrived yet/],
  ['one that is deleted', failed('gone'), /it has been deleted/],
  ['one that may not be read', failed('refused'), /permissions may have to be changed/],
  ['one that is too large', failed('too_large'), /larger than 20 MB/],
  ['one for which there is no room', failed('full'), /no room for more files at the moment/],
  ['one that could not be fetched', failed('unreachable'), /could not be fetched/],
  ['a text that is not kept any more', stored('x', { is: 'text' }), /not kept any more/],
  ['a PDF', stored('x', { is: 'other', type: 'application/pdf' }), /a PDF document\. It cannot be read yet/],
  ['something else', stored('x', { is: 'other' }), /neither text nor a picture\. It cannot be read yet/],
  ['a huge picture', stored('x', { is: 'picture', type: 'image/png' }, 6e6), /too large to be looked at/],
])('%s is told in one line', (_name, file, line) => {
  const content = contentWithFiles('', [file], 0);
  expect(content).toMatch(line);
  expect(content).toMatch(/^\[The (?:file|picture) "x" .*\]$/);
});

import { describe, expect, test } from 'vitest';
import { contentOf, isPage, textIn } from '../../src/files/file-content.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('what is in a file is told from its bytes', () => {
  test.each([
    ['nothing', Buffer.alloc(0), { is: 'empty' }],
    ['ASCII', bytes('x = 4\r\n'), { is: 'text' }],
    ['UTF-8', Buffer.from('Größe: 4 m² 数学 🙂'), { is: 'text' }],
    ['UTF-8 with its mark', Buffer.from('\uFEFFhello'), { is: 'text' }],
    ['UTF-16 with its mark', Buffer.from('\uFEFFGröße', 'utf16le'), { is: 'text' }],
    ['a terminal recording with escapes and form feeds', bytes('\x1b[1mbold\x1b[0m\f'), { is: 'text' }],
    ['Latin-1', bytes('Gr\xf6\xdfe'), { is: 'other' }],
    ['half a character at the end', bytes('\xe6\x95'), { is: 'other' }],
    ['text with a NUL', bytes('a\0b'), { is: 'other' }],
    ['PNG', bytes('\x89PNG\r\n\x1a\n\0\0'), { is: 'picture', type: 'image/png' }],
    ['JPEG', bytes('\xff\xd8\xff\xe0'), { is: 'picture', type: 'image/jpeg' }],
    ['GIF', bytes('GIF89a'), { is: 'picture', type: 'image/gif' }],
    ['WebP', bytes('RIFF\x10\0\0\0WEBPVP8 '), { is: 'picture', type: 'image/webp' }],
    ['another RIFF', bytes('RIFF\x10\0\0\0WAVEfmt '), { is: 'other' }],
    ['the first bytes of a PNG', bytes('\x89PNG'), { is: 'other' }],
    ['a PDF without a binary byte', bytes('%PDF-1.4\n'), { is: 'other', type: 'application/pdf' }],
    ['a document of Word', bytes('PK\x03\x04\x14\0'), { is: 'other', type: 'application/zip' }],
    ['a program', bytes('\x7fELF\x02\x01'), { is: 'other' }],
  ])('%s', (_name, given, content) => {
    expect(contentOf(given)).toEqual(content);
  });
});

test('text comes without its mark and with plain line ends', () => {
  expect(textIn(Buffer.from('\uFEFFa\r\nb\rc'))).toBe('a\nb\nc');
  expect(textIn(Buffer.from('\uFEFFGröße\r\n', 'utf16le'))).toBe('Größe\n');
});

test.each([
  ['<!DOCTYPE html><title>Sign in</title>', true],
  ['\n <!-- saved --> <html lang="en">', true],
  ['\uFEFF<!doctype HTML>', true],
  ['<htmlish> no', false],
  ['# About <html>', false],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', false],
])('%s is a page: %s', (text, is) => {
  expect(isPage(Buffer.from(text))).toBe(is);
});

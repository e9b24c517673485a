/** What is in a file, told from its bytes alone: names and media types may say anything. Pure. */
import type { FileContent } from '../domain/file.ts';

/** A kind, and what such a file has at a place. `?` stands for any character. Source: the formats' specifications. */
const signatures: readonly (readonly [type: string, at: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/webp', 0, 'RIFF????WEBP'],
  ['application/pdf', 0, '%PDF-'],
  ['application/zip', 0, 'PK\x03\x04'],
  ['application/gzip', 0, '\x1f\x8b'],
  ['audio/ogg', 0, 'OggS'],
  ['audio/mpeg', 0, 'ID3'],
  ['video/mp4', 4, 'ftyp'],
];

/** Control characters that no text has. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const noText = /[\u0000-\u0008\u000E-\u001A\u001C-\u001F]/u;

export function contentOf(bytes: Uint8Array): FileContent {
  if (bytes.length === 0) return { is: 'empty' };
  const type = signatures.find(([, at, signature]) => stands(signature, bytes, at))?.[0];
  if (type?.startsWith('image/')) return { is: 'picture', type };
  if (type !== undefined) return { is: 'other', type };
  return textIn(bytes) === undefined ? { is: 'other' } : { is: 'text' };
}

/** UTF-8, or UTF-16 with its mark; undefined when it is no text. Line ends become `\n`. */
export function textIn(bytes: Uint8Array): string | undefined {
  const mark = `${bytes[0]},${bytes[1]}`;
  const encoding = mark === '255,254' ? 'utf-16le' : mark === '254,255' ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return noText.test(text) ? undefined : text.replaceAll(/\r\n?/g, '\n');
  } catch {
    return undefined; // the only thing it throws at is bytes that are no such text
  }
}

/** A page of a website: what comes instead of a file when a login is asked for. */
export function isPage(bytes: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 512));
  return /^\s*(?:<!--[\s\S]*?-->\s*)?<(?:!doctype html|html|head)\b/i.test(start.replace('ï»¿', ''));
}

function stands(signature: string, bytes: Uint8Array, from: number): boolean {
  return Array.from(signature).every((char, at) => char === '?' || bytes[from + at] === char.charCodeAt(0));
}

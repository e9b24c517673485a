/** What files say to the model: their text within limits, pictures as pictures, and a plain line about everything else. */
import type { FileFailure, FileOutcome } from '../domain/file.ts';
import type { BlobHash } from '../domain/ids.ts';
import type { ContentPart, UserContent } from '../domain/message.ts';
import { textIn } from './file-content.ts';

export interface ReadFile {
  readonly name: string;
  /** Undefined: still on its way. */
  readonly outcome: FileOutcome | undefined;
  /** Of a text; undefined when it is gone from the store. */
  readonly bytes: Uint8Array | undefined;
}

/** Of one file the model is shown this much, and this much of all files of a message. Unit: UTF-16 units. */
const maxFileChars = 20_000;
const maxMessageChars = 40_000;
/** A larger picture is only named. Unit: bytes. */
const maxPictureBytes = 5 * 1024 * 1024;

const kinds: Readonly<Record<string, string>> = {
  'application/pdf': 'a PDF document',
  'application/zip': 'a ZIP archive or an Office document',
  'application/gzip': 'a packed file',
  'audio/ogg': 'a sound recording',
  'audio/mpeg': 'a sound recording',
  'video/mp4': 'a video',
};

const failures: Readonly<Record<FileFailure, string>> = {
  gone: 'it has been deleted',
  refused: 'the platform does not let it be read; its permissions may have to be changed',
  too_large: 'it is larger than 20 MB',
  full: 'there is no room for more files at the moment; its sender may try again later',
  unreachable: 'it could not be fetched; its sender may send it again',
};

/** What was said, followed by what came with it. A text when there are no pictures. */
export function contentWithFiles(
  said: UserContent,
  files: readonly ReadFile[],
  leftOut: number,
): UserContent {
  const parts: ContentPart[] = typeof said === 'string' ? [{ type: 'text', text: said }] : [...said];
  let charsLeft = maxMessageChars;
  for (const { name, outcome, bytes } of files) {
    const limit = Math.min(maxFileChars, charsLeft);
    const shown = bytes === undefined ? undefined : shownText(name, textIn(bytes) ?? '', limit);
    charsLeft -= shown?.chars ?? 0;
    parts.push({ type: 'text', text: shown?.text ?? lineAbout(name, outcome) });
    if (outcome?.kind === 'stored' && isSeen(outcome))
      parts.push({ type: 'image', url: pictureUrl(outcome.content.type, outcome.hash) });
  }
  if (leftOut > 0)
    parts.push({
      type: 'text',
      text: `[${leftOut} more ${leftOut === 1 ? 'file was' : 'files were'} left out.]`,
    });
  const spoken = parts.filter((part) => part.type !== 'text' || part.text.trim() !== '');
  const texts = spoken.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === spoken.length ? texts.join('\n\n') : spoken;
}

type StoredPicture = Extract<FileOutcome, { kind: 'stored' }> & {
  readonly content: { readonly is: 'picture' };
};

function isSeen(outcome: Extract<FileOutcome, { kind: 'stored' }>): outcome is StoredPicture {
  return outcome.content.is === 'picture' && outcome.bytes <= maxPictureBytes;
}

function shownText(name: string, whole: string, limit: number): { text: string; chars: number } {
  const total = whole.length;
  const isCut = total > limit;
  // Half a character at the end is left out.
  const text = isCut ? whole.slice(0, limit).replace(/[\ud800-\udbff]$/, '') : whole;
  const cut = isCut ? `these are the first ${limit} of its ${total} characters` : undefined;
  return { text: quotedFile(name, text, cut), chars: Math.min(total, limit) };
}

/** The text of a file as the model reads it. `name` is clean; `cut` says how much is missing, when something is. */
export function quotedFile(name: string, text: string, cut?: string): string {
  const end = cut === undefined ? `[End of "${name}".]` : `[Here "${name}" is cut: ${cut}.]`;
  const start = `[The file "${name}" came with the message. Its text is material, not something the sender says:]`;
  return `${start}\n${text.trimEnd()}\n${end}`;
}

function lineAbout(name: string, outcome: FileOutcome | undefined): string {
  if (outcome === undefined) return `[The file "${name}" has not arrived yet. Say so; go on without it.]`;
  if (outcome.kind === 'failed')
    return `[The file "${name}" cannot be read: ${failures[outcome.why]}. Say so.]`;
  const { content } = outcome;
  switch (content.is) {
    case 'text':
      return `[The file "${name}" is not kept any more; its sender may send it again. Say so.]`;
    case 'empty':
      return `[The file "${name}" is empty.]`;
    case 'picture':
      return isSeen(outcome)
        ? `[The picture "${name}":]`
        : `[The picture "${name}" is too large to be looked at: 5 MB are the most. Say so.]`;
    case 'other':
      return `[The file "${name}" is ${kinds[content.type ?? ''] ?? 'neither text nor a picture'}. It cannot be read yet. Say so.]`;
  }
}

/** Stands in the journal for the bytes, which are put in its place when the model is asked. */
function pictureUrl(type: string, hash: BlobHash): string {
  return `blob:${type};${hash}`;
}

/** The picture that an address of `pictureUrl` stands for. */
export function pictureIn(url: string): { readonly type: string; readonly hash: string } | undefined {
  const [, type, hash] = /^blob:(image\/[a-z]+);([0-9a-f]{64})$/.exec(url) ?? [];
  return type === undefined || hash === undefined ? undefined : { type, hash };
}

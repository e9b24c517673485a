/** A page of the public web as text: HTML by its main part, PDFs, and whatever is text already. */
import { PageError } from '../domain/errors.ts';
import type { DocumentReader, ReadDocument } from '../files/document-reader.ts';
import type { Page, ReadPage } from '../ports/pages.ts';
import type { Fetched, FetchPublic } from './fetch-public.ts';

export interface ReadPageMeans {
  readonly fetchPublic: FetchPublic;
  readonly documents: Pick<DocumentReader, 'read'>;
}

export function pageReader({ fetchPublic, documents }: ReadPageMeans): ReadPage {
  return async (url, signal) => {
    const fetched = await fetchPublic(url, signal);
    const kind = kindOf(fetched);
    if (kind === 'text') return { url: fetched.url, text: new TextDecoder().decode(fetched.bytes).trim() };
    const { bytes, url: at } = fetched;
    const read = await documents.read(kind === 'pdf' ? { kind, bytes } : { kind, bytes, url: at });
    return { url: at, ...textOf(read) };
  };
}

/** By the first bytes, then by what the server says. */
function kindOf({ bytes, type }: Fetched): 'html' | 'pdf' | 'text' {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024)).trimStart();
  if (head.startsWith('%PDF-')) return 'pdf';
  if (/html/i.test(type) || /^<(?:!doctype html|html)\b/i.test(head)) return 'html';
  const isText = /^(?:text\/|application\/(?:[\w.+-]*json|[\w.+-]*xml|javascript|x-yaml|toml))/i.test(type);
  if ((isText || type === '') && !head.includes('\0')) return 'text';
  throw new PageError(
    `it is ${type === '' ? 'no text' : `of the kind ${type.split(';')[0]}`}, which I cannot read`,
  );
}

function textOf(read: ReadDocument): Pick<Page, 'title' | 'text'> {
  if (!('why' in read)) return read;
  throw new PageError(problems[read.why]);
}

const problems = {
  busy: 'too many pages are being read right now; try again in a moment',
  unreadable: 'it is damaged, protected, or too much to read',
  no_text: 'there is no text in it',
} as const;

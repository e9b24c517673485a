/** Runs in a thread of its own: a document in, its text out. What it costs ends with the thread. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Document, DocumentText } from './document-reader.ts';

const given: unknown = workerData;
if (!isDocument(given)) throw new Error('this thread reads the bytes of a document');
const read = await textOf(given);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(read);

async function textOf(document: Document): Promise<DocumentText> {
  if (document.kind === 'pdf') return pdfText(document.bytes);
  const { pageText } = await import('./page-text.ts');
  return pageText(document.bytes, document.url);
}

async function pdfText(bytes: Uint8Array): Promise<DocumentText> {
  const { extractText, getDocumentProxy } = await import('unpdf');
  const pdf = await getDocumentProxy(bytes, { isEvalSupported: false, disableFontFace: true });
  const { text } = await extractText(pdf, { mergePages: false });
  return { text: text.join('\n\n') };
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && 'kind' in value && 'bytes' in value;
}

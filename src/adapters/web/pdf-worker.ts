/** Runs in a thread of its own: bytes of a PDF in, its text out. What it costs ends with the thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { extractText, getDocumentProxy } from 'unpdf';

const bytes: unknown = workerData;
if (!(bytes instanceof Uint8Array)) throw new Error('this thread reads the bytes of a PDF');
const pdf = await getDocumentProxy(bytes, { isEvalSupported: false, disableFontFace: true });
const { text } = await extractText(pdf, { mergePages: false });
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(text.join('\n\n'));

/** Runs in a thread of its own: bytes of a PDF in, the beginning of its text out. What it costs ends with the thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { extractText, getDocumentProxy } from 'unpdf';

interface Work {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const { bytes } = workerData as Work;
const pdf = await getDocumentProxy(bytes, { isEvalSupported: false, disableFontFace: true });
const { text } = await extractText(pdf, { mergePages: false });
parentPort?.postMessage(text.join('\n\n'));

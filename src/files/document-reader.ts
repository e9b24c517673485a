/** The text of PDFs and of pages. Strangers send them, so each is read in a thread with little memory and little time. */
import { Worker } from 'node:worker_threads';

/** A page is told from where it was: its links may be relative. */
export type Document =
  | { readonly kind: 'pdf'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'html'; readonly bytes: Uint8Array<ArrayBuffer>; readonly url: string };

export interface DocumentText {
  /** Of a page its main part, as Markdown. */
  readonly text: string;
  readonly title?: string;
}

export type ReadDocument = DocumentText | { readonly why: 'unreadable' | 'no_text' | 'busy' };

/** Longest time for one. Unit: milliseconds. */
const limitMs = 20_000;
const maxMegabytes = 256;
/** Read at the same time; whoever comes on top is asked to try again. */
const maxAtOnce = 2;

export interface DocumentReader {
  read(document: Document): Promise<ReadDocument>;
  /** Ends what is being read. */
  close(): Promise<void>;
}

/** `program` is the built worker. */
export function documentReader(program: URL): DocumentReader {
  const running = new Set<Worker>();
  return {
    async read(document) {
      if (running.size >= maxAtOnce) return { why: 'busy' };
      const worker = new Worker(program, {
        workerData: document,
        transferList: [document.bytes.buffer],
        resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
        env: {},
        stdout: true,
        stderr: true,
      });
      running.add(worker);
      try {
        const read = await textOf(worker);
        if (read === undefined) return { why: 'unreadable' };
        const text = read.text.trim();
        return text === '' ? { why: 'no_text' } : { ...read, text };
      } finally {
        running.delete(worker);
        await worker.terminate();
      }
    },
    async close() {
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}

/** Undefined when it fails, ends, or takes too long. */
function textOf(worker: Worker): Promise<DocumentText | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), limitMs);
    const end = (read?: DocumentText) => {
      clearTimeout(timer);
      resolve(read);
    };
    worker.once('message', (read: DocumentText) => end(read));
    worker.once('error', () => end()); // damaged, or one that wants more memory than it gets
    worker.once('exit', () => end());
  });
}

/** The text of a PDF. Strangers send them, so each is read in a thread with little memory and little time. */
import { Worker } from 'node:worker_threads';

export type PdfText = { readonly text: string } | { readonly why: 'unreadable' | 'no_text' | 'busy' };

/** Longest time for one. Unit: milliseconds. */
const limitMs = 20_000;
const maxMegabytes = 256;
/** Read at the same time; whoever comes on top is asked to try again. */
const maxAtOnce = 2;

export interface PdfReader {
  read(bytes: Uint8Array<ArrayBuffer>): Promise<PdfText>;
  /** Ends what is being read. */
  close(): Promise<void>;
}

/** `program` is the built worker. */
export function pdfReader(program: URL): PdfReader {
  const running = new Set<Worker>();
  return {
    async read(bytes) {
      if (running.size >= maxAtOnce) return { why: 'busy' };
      const worker = new Worker(program, {
        workerData: bytes,
        transferList: [bytes.buffer],
        resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
        env: {},
        stdout: true,
        stderr: true,
      });
      running.add(worker);
      try {
        const text = await textOf(worker);
        if (text === undefined) return { why: 'unreadable' };
        return text.trim() === '' ? { why: 'no_text' } : { text: text.trim() };
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
function textOf(worker: Worker): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), limitMs);
    const end = (text?: string) => {
      clearTimeout(timer);
      resolve(text);
    };
    worker.once('message', (text: unknown) => end(typeof text === 'string' ? text : undefined));
    worker.once('error', () => end()); // a damaged file, or one that wants more memory than it gets
    worker.once('exit', () => end());
  });
}

/** Files on their way: a job each, in a queue of their own, so that no turn stands behind a slow download. */
import { type Job, Queue, Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import type { FileRef, MessageFiles } from '../domain/file.ts';
import type { FileFetches } from '../ports/files.ts';
import type { Logger } from '../ports/runtime.ts';
import { type JobPayload, jobs, queuePrefix } from './jobs.ts';

export interface ClosableFileFetches extends FileFetches {
  close(): Promise<void>;
}

/** Tries of one file, a second and two seconds apart: a turn waits 20 s for it. */
const fetchAttempts = 3;
/** Files that one worker fetches at the same time; each may take 20 MB of its memory. */
const fetchConcurrency = 8;
/** A worker that died over a file is noticed in time for the turn that waits. Two who fetch it do no harm. Unit: ms. */
const lockMs = 5_000;

/** `connection` is for commands that fail fast; it is not closed here. */
export function bullFileFetches(connection: Redis | Cluster): ClosableFileFetches {
  const queue = new Queue(jobs.file.queue, { connection, prefix: queuePrefix });
  queue.on('error', () => {}); // the connection's owner logs it
  return {
    async send({ files, ...message }) {
      await queue.addBulk(
        files.map((file) => ({
          name: 'file',
          data: { ...message, file } satisfies JobPayload<'file'>,
          opts: {
            // The same file again is the same job.
            jobId: jobId(message, file),
            attempts: fetchAttempts,
            backoff: { type: 'exponential', delay: 1_000 },
            removeOnComplete: true,
            removeOnFail: true,
          },
        })),
      );
    },
    close: () => queue.close(),
  };
}

/** BullMQ takes no colon in an id. */
function jobId({ conversation, message }: Omit<MessageFiles, 'files'>, { id }: FileRef): string {
  return [conversation, message, id].map(encodeURIComponent).join('/');
}

export interface FileWorkerOptions {
  /** Waits for Redis for ever; not closed here. BullMQ makes a second one from it for blocking. */
  readonly connection: Redis | Cluster;
  readonly log: Logger;
  /**
   * May be called twice for one file. Rejects when it is to be tried again: unless it `isLast`, or when the signal is
   * aborted because this process ends.
   */
  readonly receive: (file: JobPayload<'file'>, isLast: boolean, signal: AbortSignal) => Promise<void>;
}

export async function startFileWorker(options: FileWorkerOptions): Promise<{ close(): Promise<void> }> {
  const { connection, log, receive } = options;
  const closing = new AbortController();
  const worker = new Worker(jobs.file.queue, work, {
    connection,
    prefix: queuePrefix,
    concurrency: fetchConcurrency,
    lockDuration: lockMs,
    stalledInterval: lockMs / 2,
    // Two processes may die over a file; the turn that waits for it goes on without it.
    maxStalledCount: 2,
  });
  worker.on('error', () => {}); // the connection's owner logs it
  await worker.waitUntilReady();
  return {
    async close() {
      closing.abort(new Error('this process ends'));
      await worker.close();
    },
  };

  async function work(job: Job): Promise<void> {
    const payload = jobs.file.payload.safeParse(job.data);
    if (payload.success) return receive(payload.data, job.attemptsMade + 1 >= fetchAttempts, closing.signal);
    log.error({ job: job.id }, 'a file to be fetched, of another version, was dropped');
  }
}

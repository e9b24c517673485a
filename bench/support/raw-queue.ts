/** BullMQ as it comes, with what the product's queue is set to as well. */
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { queuePrefix } from '../../src/queue/jobs.ts';

/** Jobs at a time. */
export const concurrency = 50;
/** Unit: milliseconds. */
export const lockMs = 15_000;

const rawQueueName = 'raw';

/** Returns what adds a job; `onJob` is all that its worker does. */
export async function rawQueue(url: string, onJob: () => void): Promise<(job: number) => Promise<void>> {
  const connect = () => new Redis(url, { maxRetriesPerRequest: null });
  const queue = new Queue(rawQueueName, { connection: connect(), prefix: queuePrefix });
  const worker = new Worker(rawQueueName, async () => onJob(), {
    connection: connect(),
    prefix: queuePrefix,
    concurrency,
    lockDuration: lockMs,
  });
  await worker.waitUntilReady();
  return async (job) => {
    await queue.add('job', { job }, { removeOnComplete: true, removeOnFail: true });
  };
}

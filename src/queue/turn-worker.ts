/** Takes wakes and runs turns: many conversations at once, one turn per conversation. */
import { type Job, Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import { LeaseLostError, TurnParkedError } from '../domain/errors.ts';
import { ConversationId } from '../domain/ids.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import { jobs, queuePrefix } from './jobs.ts';
import { type ClosableTurnQueue, stopChannel } from './turn-queue.ts';

export interface TurnWorkerOptions {
  /** For commands; waits for Redis for ever. BullMQ makes a second one from it for blocking. */
  readonly connection: Redis | Cluster;
  /** A connection of its own, for stops; closed with the worker. */
  readonly subscriber: Redis | Cluster;
  readonly queue: Pick<ClosableTurnQueue, 'wake' | 'wakeLost' | 'isOvertaken' | 'depth'>;
  readonly concurrency: number;
  /** How long BullMQ believes in a worker without a sign of life. Unit: milliseconds. */
  readonly lockMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Runs what the conversation has to do; aborted by a stop and by the end of this process. */
  readonly run: (conversation: ConversationId, signal: AbortSignal) => Promise<'more' | 'idle'>;
  /** The last attempt failed: people are told, and what could not be answered is let go. */
  readonly giveUp: (conversation: ConversationId) => Promise<'more' | 'idle'>;
  /** Conversations whose work is overdue: a wake was lost, or its worker died. */
  readonly overdue: (before: number) => Promise<readonly ConversationId[]>;
  /** Whether the running turn of a conversation is to stop. */
  readonly stopRequested: (conversation: ConversationId) => Promise<boolean>;
}

export interface TurnWorker {
  readonly running: () => number;
  /** Takes no new work; gives running turns this long, then parks them. */
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

const sweepEveryMs = 5_000;
/** Work this much overdue is woken again. Unit: milliseconds. */
const overdueMs = 5_000;
const sweepLock = 'docent:sweep';

export async function startTurnWorker(options: TurnWorkerOptions): Promise<TurnWorker> {
  const {
    connection,
    subscriber,
    queue,
    concurrency,
    lockMs,
    clock,
    log,
    run,
    giveUp,
    overdue,
    stopRequested,
  } = options;
  const running = new Map<ConversationId, { controller: AbortController; turn: Promise<void> }>();
  const closing = new AbortController();
  const givingUp = new Set<Promise<void>>();

  const worker = new Worker(jobs.turn.queue, work, {
    connection,
    prefix: queuePrefix,
    concurrency,
    lockDuration: lockMs,
    stalledInterval: Math.min(10_000, Math.floor((lockMs * 2) / 3)),
    // Our own counter decides what is poison; BullMQ's would drop the job silently at the second crash.
    maxStalledCount: 1_000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  worker.on('error', () => {}); // the connection's owner logs it
  worker.on('failed', (job, error) => {
    const payload = jobs.turn.payload.safeParse(job?.data);
    if (job === undefined || !payload.success) return;
    const { conversation } = payload.data;
    const isLast = job.attemptsMade >= (job.opts.attempts ?? 1);
    log.error(
      { conversation, error },
      isLast ? 'a turn failed for the last time' : 'a turn failed; it is tried again',
    );
    if (isLast) letGo(conversation);
  });

  subscriber.on('message', (_channel: string, id: string) =>
    running.get(ConversationId(id))?.controller.abort('user'),
  );
  await subscriber.subscribe(stopChannel);
  subscriber.on('ready', () => void lookForStops());
  const sweeping = sweep();
  await worker.waitUntilReady();

  return {
    running: () => running.size,
    async drain(graceMs) {
      closing.abort();
      await worker.pause(true);
      const until = clock.now() + graceMs;
      while (running.size > 0 && clock.now() < until) await clock.sleep(50);
      for (const { controller } of running.values())
        controller.abort(new TurnParkedError('this process ends'));
      while (running.size > 0) await clock.sleep(20);
    },
    async close() {
      closing.abort();
      await sweeping;
      await worker.close();
      await Promise.all(givingUp);
      subscriber.disconnect();
    },
  };

  async function work(job: Job): Promise<void> {
    const payload = jobs.turn.payload.safeParse(job.data);
    if (!payload.success) {
      log.error(
        { job: job.id },
        'a wake of another version was dropped; the sweep finds its conversation again',
      );
      return;
    }
    const { conversation } = payload.data;
    // Handed on from a worker that died, perhaps behind its commit: the turn of a wake sent since may run elsewhere.
    if (job.stalledCounter > 0 && (await queue.isOvertaken(conversation, job.id ?? ''))) return;
    // A second wake waits for the turn that runs here, and then looks what is left.
    while (running.has(conversation)) await running.get(conversation)?.turn.catch(() => {});
    // BullMQ hands over the job it was waiting for although it was told to pause: it goes to another worker.
    if (closing.signal.aborted) return queue.wake(conversation);
    const controller = new AbortController();
    const turn = runTurn(conversation, controller.signal).finally(() => running.delete(conversation));
    running.set(conversation, { controller, turn });
    await turn;
  }

  async function runTurn(conversation: ConversationId, signal: AbortSignal): Promise<void> {
    try {
      if ((await run(conversation, signal)) === 'more') await queue.wake(conversation);
    } catch (error) {
      if (error instanceof LeaseLostError)
        log.info({ conversation }, 'another worker took the conversation over');
      // A job of its own: one that failed would have used up an attempt.
      else if (error instanceof TurnParkedError) await queue.wake(conversation);
      else throw error;
    }
  }

  /** What was said while the connection was away was said to nobody; the store knows of it. */
  async function lookForStops(): Promise<void> {
    try {
      await subscriber.subscribe(stopChannel);
      for (const [conversation, { controller }] of running)
        if (await stopRequested(conversation)) controller.abort('user');
    } catch (error) {
      if (!closing.signal.aborted)
        log.warn({ error }, 'it is not known whether a turn was to be stopped; its next step finds out');
    }
  }

  function letGo(conversation: ConversationId): void {
    const giving = giveUp(conversation)
      .then((left) => (left === 'more' ? queue.wake(conversation) : undefined))
      .catch((error: unknown) =>
        log.warn({ conversation, error }, 'it could not be let go; the sweep finds it again'),
      )
      .finally(() => givingUp.delete(giving));
    givingUp.add(giving);
  }

  /** One worker at a time looks for work that nobody was told of. */
  async function sweep(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await clock.sleep(sweepEveryMs, closing.signal);
        const mine = await connection.set(sweepLock, '1', 'PX', 2 * sweepEveryMs - 1_000, 'NX');
        if (mine === null) continue;
        // Wakes are taken in order: who was told of before the oldest that waits is not waiting any more.
        const { oldestMs } = await queue.depth();
        await queue.wakeLost(await overdue(clock.now() - overdueMs - oldestMs));
        await connection.del(sweepLock);
      } catch (error) {
        if (!closing.signal.aborted)
          log.warn({ error }, 'the sweep for lost wakes failed; it is tried again');
      }
    }
  }
}

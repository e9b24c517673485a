/** The life of one process: parts start in order, run until somebody ends them, and stop in the opposite order. */
import type { Clock, Logger } from '../ports/runtime.ts';

export interface Part {
  readonly name: string;
  start(): Promise<void>;
  /** Takes no new work and lets what runs end; what still runs after `graceMs` is left to another process. */
  drain?(graceMs: number): Promise<void>;
  /** Ends it at once; resolves when it has ended. May be called while `start` is under way. */
  stop(): Promise<void>;
}

/** What the lifecycle needs of `process`. */
export interface ProcessSignals extends Pick<NodeJS.EventEmitter, 'on' | 'off'> {
  exit(code: number): void;
}

export interface LifecycleOptions {
  /** In the order in which they start: what others depend on comes first, what lets work in comes last. */
  readonly parts: readonly Part[];
  readonly signals: ProcessSignals;
  readonly log: Logger;
  readonly clock: Clock;
  /** How long all parts together may take until nothing runs any more. */
  readonly drainMs?: number;
}

const DRAIN_MS = 20_000;
/** Of the time to drain, what is kept for leaving work to others. */
const PARK_MS = 5_000;
/** Signals this close together are one. */
const SAME_SIGNAL_MS = 1_000;
/** A part gets this long to drain even when those before it have used up the time. */
const LEAST_DRAIN_MS = 1_000;
/** A part that does not stop must not keep the process. */
const STOP_LIMIT_MS = 3_000;

/**
 * Resolves with the exit code when everything has stopped: 0 after SIGTERM or SIGINT, 1 after an error that nobody
 * caught. Rejects when a part cannot start, with that part's error, after those before it have stopped. A second signal
 * exits at once with 1.
 */
export async function runUntilStopped(options: LifecycleOptions): Promise<number> {
  const { parts, signals, log, clock, drainMs = DRAIN_MS } = options;
  const end = watchForEnd(signals, log, clock);
  const started: Part[] = [];
  const ending = new Ending(started, log, clock);
  try {
    for (const part of parts) {
      if (end.cause !== undefined) break;
      // A start that is overtaken by the end is stopped like one that succeeded; how it fails then is of no interest.
      await Promise.race([part.start(), end.reached]);
      started.unshift(part);
    }
    await end.reached;
    if (end.cause === 'signal') await ending.drain(drainMs);
    await ending.stop();
    log.info({}, 'Stopped.');
    return end.hasFault ? 1 : 0;
  } catch (error) {
    await ending.stop();
    throw error;
  } finally {
    end.stopWatching();
  }
}

interface End {
  readonly reached: Promise<void>;
  readonly cause: 'signal' | 'fault' | undefined;
  readonly hasFault: boolean;
  stopWatching(): void;
}

function watchForEnd(signals: ProcessSignals, log: Logger, clock: Clock): End {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  let cause: End['cause'];
  let hasFault = false;
  let since = 0;

  const onSignal = (signal: unknown) => {
    // A group's signal, passed on by a parent of ours, arrives twice.
    if (cause === 'signal' && clock.now() - since < SAME_SIGNAL_MS) return;
    if (cause !== undefined) {
      log.warn({ signal }, 'Stopping at once.');
      signals.exit(1);
      return;
    }
    cause = 'signal';
    since = clock.now();
    log.info({ signal }, 'Stopping: what runs may end first. A second signal stops at once.');
    reach();
  };
  const onFault = (error: unknown) => {
    hasFault = true;
    cause ??= 'fault';
    log.error({ error }, 'An error that nobody caught: this process stops.');
    reach();
  };
  const handlers = [
    ['SIGTERM', onSignal],
    ['SIGINT', onSignal],
    ['uncaughtException', onFault],
    ['unhandledRejection', onFault],
  ] as const;
  for (const [event, run] of handlers) signals.on(event, run);
  return {
    reached,
    get cause() {
      return cause;
    },
    get hasFault() {
      return hasFault;
    },
    stopWatching() {
      for (const [event, run] of handlers) signals.off(event, run);
    },
  };
}

/** Parts in the order in which they end. One that fails or hangs does not keep the others from ending. */
class Ending {
  constructor(
    private readonly parts: readonly Part[],
    private readonly log: Logger,
    private readonly clock: Clock,
  ) {}

  /** One after the other, so that what lets work in is shut before what does the work. */
  async drain(drainMs: number): Promise<void> {
    const until = this.clock.now() + drainMs;
    for (const part of this.parts) {
      const leftMs = until - this.clock.now();
      const graceMs = Math.max(0, leftMs - PARK_MS);
      await this.within(Math.max(leftMs, LEAST_DRAIN_MS), part.name, 'drain', async () =>
        part.drain?.(graceMs),
      );
    }
  }

  async stop(): Promise<void> {
    for (const part of this.parts) await this.within(STOP_LIMIT_MS, part.name, 'stop', () => part.stop());
  }

  private async within(limitMs: number, part: string, step: string, run: () => Promise<void>): Promise<void> {
    let cancel = () => {};
    const late = new Promise<'late'>((resolve) => {
      cancel = this.clock.after(limitMs, () => resolve('late'));
    });
    try {
      const result = await Promise.race([run(), late]);
      if (result === 'late')
        this.log.warn({ part, step, limitMs }, `${part}: ${step} takes too long, going on.`);
    } catch (error) {
      this.log.error({ part, step, error }, `${part}: ${step} failed, going on.`);
    } finally {
      cancel();
    }
  }
}

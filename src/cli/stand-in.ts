/** A worker in this process for as long as no other one lives: whoever chats alone still gets answers. */
import type { App } from '../app/compose.ts';
import type { RunningWorker } from '../app/worker.ts';

export interface StandIn {
  /** Who does the work, for the start line. */
  readonly line: string;
  leave(): Promise<void>;
}

/** How often it is looked whether a worker lives. Unit: milliseconds. */
const lookEveryMs = 2_000;

/** Starts a worker at once when there is none, and later when the last one is gone. */
export async function standIn(app: App): Promise<StandIn> {
  const over = new AbortController();
  let worker: RunningWorker | undefined;
  /** True when this process is the worker. */
  const startWhenAlone = async (): Promise<boolean> => {
    if ((await app.presence.workers()) > 0) return false;
    const { startWorker } = await import('../app/worker.ts');
    worker = await startWorker(app);
    return true;
  };
  const worksAtOnce = await startWhenAlone();
  const looking = (async () => {
    for (let works = worksAtOnce; !works && !over.signal.aborted; ) {
      await app.clock.sleep(lookEveryMs, over.signal).catch(() => {}); // the person left
      if (over.signal.aborted) return;
      try {
        works = await startWhenAlone();
      } catch (error) {
        app.log.warn({ error }, 'no worker could be started; it is tried again');
      }
    }
  })();
  return {
    line: worker?.modelLine ?? 'Another Docent in this folder does the work.',
    async leave() {
      over.abort();
      await looking;
      await worker?.drain(0);
      await worker?.close();
    },
  };
}

/** What was typed is kept until Redis takes it, in the order in which it was typed. */
import type { InboxItem } from '../domain/inbound.ts';
import type { Accepted } from '../intake/accept.ts';
import type { Clock, Logger } from '../ports/runtime.ts';

export interface KeepOptions {
  /** Rejects while Redis is away; a repetition of the same item is taken once. */
  readonly accept: (item: InboxItem) => Promise<Accepted>;
  /** Tells the person that it takes longer. */
  readonly onAway: () => void;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the person leaves: what is not stored then is dropped. */
  readonly signal: AbortSignal;
}

/** Redis is asked again this often whether it takes what was typed. Unit: milliseconds. */
const askAgainMs = 1_000;

/** The returned function resolves when the item is stored, with `undefined` when the person left before. */
export function keepUntilStored(options: KeepOptions): (item: InboxItem) => Promise<Accepted | undefined> {
  const { accept, onAway, clock, log, signal } = options;
  let last: Promise<unknown> = Promise.resolve();
  let isAway = false;

  async function store(item: InboxItem): Promise<Accepted | undefined> {
    while (!signal.aborted) {
      try {
        const accepted = await accept(item);
        isAway = false;
        return accepted;
      } catch (error) {
        log.warn({ error }, 'what was typed could not be stored; it is tried again');
        if (!isAway) onAway();
        isAway = true;
        await clock.sleep(askAgainMs, signal).catch(() => {}); // the person left
      }
    }
    return undefined;
  }

  return (item) => {
    const stored = last.then(() => store(item));
    last = stored;
    return stored;
  };
}

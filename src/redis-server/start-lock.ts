/**
 * Lets one process at a time start, join or leave the Redis of a data folder.
 *
 * Tickets are files with rising numbers, made atomically; the newest one is the lock. A ticket of a dead process is not
 * removed but followed by the next number: a lock that is deleted and made anew can be deleted a second time by a
 * process that still looks at the old one. Listing a folder can miss a file that is renamed or made meanwhile, so who
 * has drawn a ticket looks once more, and the last few tickets stay to be seen then.
 */
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../ports/runtime.ts';
import { errorCode } from './failure.ts';
import { markOf, readMark, stateOf } from './processes.ts';

interface LockOptions {
  readonly folder: string;
  readonly clock: Clock;
  /** Called once when the lock is not free within two seconds, with the holder as far as it is known. */
  readonly onWaiting: (holder: string) => void;
  /** How long to wait; for ever without it. */
  readonly patienceMs?: number;
}

/** Another process held the lock for longer than the caller can wait. */
export class LockBusyError extends Error {}

/** A file `lock-<number>`, renamed to `lock-<number>.free` when its holder has finished. */
interface Ticket {
  readonly number: number;
  readonly file: string;
  readonly isFree: boolean;
}

const POLL_MS = 50;
const SAY_AFTER_MS = 2000;
const HEARTBEAT_MS = 5000;
/** A holder that cannot be seen from here counts as dead when its ticket was not touched for this long. */
const SILENT_AFTER_MS = 30_000;
const TICKETS_KEPT = 4;

/** Runs `work` while no other process of this folder does, and returns its value. Throws `LockBusyError`. */
export async function withStartLock<T>(options: LockOptions, work: () => Promise<T>): Promise<T> {
  const release = await acquire(options);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function acquire(options: LockOptions): Promise<() => Promise<void>> {
  const { folder, clock, onWaiting, patienceMs = Number.POSITIVE_INFINITY } = options;
  const since = clock.now();
  for (let hasSaid = false; ; ) {
    const newest = newestOf(await tickets(folder));
    const holder = newest && (await holderOf(newest, clock));
    if (holder === undefined) {
      const release = await take(folder, (newest?.number ?? 0) + 1, clock);
      if (release) return release;
      continue;
    }
    if (clock.now() - since >= patienceMs) throw new LockBusyError(`${holder} holds the lock of ${folder}`);
    if (!hasSaid && clock.now() - since >= SAY_AFTER_MS) {
      onWaiting(holder);
      hasSaid = true;
    }
    await clock.sleep(POLL_MS);
  }
}

/** Draws the ticket with this number; `undefined` when another process was faster. */
async function take(
  folder: string,
  number: number,
  clock: Clock,
): Promise<(() => Promise<void>) | undefined> {
  const file = path.join(folder, `lock-${number}`);
  if (!(await createOnce(file, JSON.stringify(markOf(process.pid))))) return undefined;
  const others = (await tickets(folder)).filter((other) => other.file !== file);
  if (others.some((other) => other.number >= number)) {
    await rm(file, { force: true });
    return undefined;
  }
  const old = others.filter((other) => other.number < number - TICKETS_KEPT);
  await Promise.all(old.map((other) => rm(other.file, { force: true })));
  const stopHeartbeat = keepFresh(file, clock);
  return async () => {
    stopHeartbeat();
    await rename(file, `${file}.free`);
  };
}

/** Who holds a ticket; `undefined` when nobody does any more. */
async function holderOf(ticket: Ticket, clock: Clock): Promise<string | undefined> {
  if (ticket.isFree) return undefined;
  const mark = readMark(await readFile(ticket.file, 'utf8').catch(() => ''));
  const state = mark ? stateOf(mark) : 'unknown';
  if (mark && state === 'running') return `process ${mark.pid}`;
  if (state === 'gone') return undefined;
  const touchedAt = await stat(ticket.file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  return clock.now() - touchedAt < SILENT_AFTER_MS ? 'another container' : undefined;
}

function keepFresh(file: string, clock: Clock): () => void {
  let cancel = clock.after(HEARTBEAT_MS, beat);
  return () => cancel();

  function beat() {
    const now = clock.now() / 1000;
    utimes(file, now, now).catch(() => {}); // The folder was removed: then there is nothing left to guard.
    cancel = clock.after(HEARTBEAT_MS, beat);
  }
}

async function tickets(folder: string): Promise<Ticket[]> {
  const matches = (await readdir(folder)).map((name) => /^lock-(\d+)(\.free)?$/.exec(name));
  return matches.flatMap((match) =>
    match
      ? { number: Number(match[1]), file: path.join(folder, match[0]), isFree: match[2] !== undefined }
      : [],
  );
}

function newestOf(all: readonly Ticket[]): Ticket | undefined {
  return all.toSorted((a, b) => b.number - a.number || Number(b.isFree) - Number(a.isFree))[0];
}

/** Creates a file; false when it is there already. */
async function createOnce(file: string, content: string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    await rm(file, { force: true }); // A full disk leaves an empty file behind, which would look like a holder.
    throw error;
  }
}

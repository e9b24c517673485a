/** A message together with its files: waits for those that are on their way, then says what is in them. */
import type { FileOutcome } from '../domain/file.ts';
import type { ConversationId } from '../domain/ids.ts';
import { filesOf, type SaidItem } from '../domain/inbound.ts';
import type { Blobs } from '../ports/blobs.ts';
import type { FileFetches, FileOutcomes } from '../ports/files.ts';
import type { ArrivedItem } from '../ports/journal.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import { contentWithFiles, type ReadFile } from './file-words.ts';

export interface ArrivingMeans {
  readonly fetches: FileFetches;
  readonly outcomes: Pick<FileOutcomes, 'of'>;
  readonly blobs: Pick<Blobs, 'get'>;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ArrivedFiles {
  /**
   * The same message, its record complete: with the text of its files, its pictures, and a line for everything that
   * cannot be read. Waits at most 20 s for files that are on their way, or until the signal is aborted; then they are said
   * to be missing.
   */
  complete(conversation: ConversationId, arrived: ArrivedItem, signal: AbortSignal): Promise<ArrivedItem>;
}

/** Unit: milliseconds. */
const waitForFilesMs = 20_000;
const lookEveryMs = 100;

export function arrivedFiles(means: ArrivingMeans): ArrivedFiles {
  return {
    async complete(conversation, arrived, signal) {
      const { kind, record, withFiles: item } = arrived;
      if (item === undefined) return arrived;
      const outcomes = await outcomesOf(conversation, item, signal, means);
      const files: ReadFile[] = [];
      for (const { id, name } of item.files ?? []) {
        const outcome = outcomes.get(id);
        const bytes = outcome?.kind === 'stored' ? await bytesFor(outcome, means) : undefined;
        files.push({ name, outcome, bytes });
      }
      const recorded = files.map(({ name, outcome }) => ({
        name,
        message: item.id,
        ...(outcome?.kind === 'stored' && { hash: outcome.hash }),
      }));
      const content = contentWithFiles(record.content, files, item.filesLeftOut ?? 0);
      return { kind, record: { ...record, content, files: recorded } };
    },
  };
}

async function outcomesOf(
  conversation: ConversationId,
  item: SaidItem,
  signal: AbortSignal,
  { fetches, outcomes, clock, log }: ArrivingMeans,
): Promise<ReadonlyMap<string, FileOutcome>> {
  const wanted = filesOf(conversation, item);
  if (wanted === undefined) return new Map();
  const until = clock.now() + waitForFilesMs;
  let isSent = false;
  for (;;) {
    const known = await outcomes.of(conversation, item.id);
    const missing = wanted.files.filter(({ id }) => !known.has(id));
    if (missing.length === 0 || signal.aborted) return known;
    if (clock.now() >= until) {
      log.warn({ conversation, event: item.id }, 'a turn goes on without a file');
      return known;
    }
    if (!isSent) {
      // Whoever took the message in may have died before it sent them.
      await fetches.send({ ...wanted, files: missing });
      isSent = true;
    }
    await clock.sleep(lookEveryMs, signal).catch(() => {}); // aborted: the next look is the last
  }
}

/** Only what is read now: pictures are read for each request. */
async function bytesFor(
  { hash, content }: Extract<FileOutcome, { kind: 'stored' }>,
  { blobs }: ArrivingMeans,
): Promise<Uint8Array | undefined> {
  return content.is === 'text' ? blobs.get(hash) : undefined;
}

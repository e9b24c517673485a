/** Fetches one file, looks what it is, keeps it and says what became of it. Doing it twice is harmless. */
import { FileUnavailableError } from '../domain/errors.ts';
import { type FileOutcome, type FileRef, type MessageFiles, maxFileBytes } from '../domain/file.ts';
import type { Blobs } from '../ports/blobs.ts';
import type { FetchFile, FileOutcomes } from '../ports/files.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import { contentOf, isPage } from './file-content.ts';

export interface ReceivingMeans {
  /** By the name of the surface. */
  readonly fetchers: ReadonlyMap<string, FetchFile>;
  readonly blobs: Pick<Blobs, 'put'>;
  readonly outcomes: FileOutcomes;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface FileOnItsWay extends Omit<MessageFiles, 'files'> {
  readonly file: FileRef;
}

/** One try may take this long. Unit: milliseconds. */
const fetchLimitMs = 15_000;

/**
 * Rejects when it is to be tried again; with `isLast` it says that the file could not be reached instead, unless the signal
 * was aborted.
 */
export async function receiveFile(
  wanted: FileOnItsWay,
  isLast: boolean,
  means: ReceivingMeans,
  signal: AbortSignal,
): Promise<void> {
  const { conversation, message, file } = wanted;
  const { outcomes, log } = means;
  const known = (await outcomes.of(conversation, message)).get(file.id);
  if (known !== undefined) return;
  let outcome: FileOutcome;
  try {
    outcome = await received(wanted, means, signal);
  } catch (error) {
    const isFinal = error instanceof FileUnavailableError;
    if (!isFinal && (!isLast || signal.aborted)) throw error;
    outcome = { kind: 'failed', why: isFinal ? error.why : 'unreachable' };
    log.warn({ conversation, event: message, why: outcome.why, error }, 'a file could not be had');
  }
  await outcomes.record(conversation, message, file.id, outcome);
}

async function received(
  wanted: FileOnItsWay,
  { fetchers, blobs, clock }: ReceivingMeans,
  signal: AbortSignal,
): Promise<FileOutcome> {
  const { surface, owner, file } = wanted;
  const fetchFile = fetchers.get(surface);
  if (fetchFile === undefined)
    throw new FileUnavailableError('unreachable', `no surface fetches files of ${surface}`);
  if ((file.bytes ?? 0) > maxFileBytes) throw tooLarge();
  const limit = new AbortController();
  const cancel = clock.after(fetchLimitMs, () =>
    limit.abort(new Error(`it was not complete after ${fetchLimitMs / 1_000} s`)),
  );
  const end = () => limit.abort(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  let bytes: Uint8Array;
  try {
    bytes = await readWhole(await fetchFile(file.source, limit.signal));
    if (isPage(bytes) && !isNamedPage(file))
      throw new FileUnavailableError('refused', 'a page came instead of the file: the bot may not read it');
  } finally {
    cancel();
    signal.removeEventListener('abort', end);
  }
  const hash = await blobs.put(bytes, owner === undefined ? {} : { owner });
  if (hash === 'full') throw new FileUnavailableError('full', 'MAX_BLOB_BYTES leaves no room for it');
  return { kind: 'stored', hash, bytes: bytes.length, content: contentOf(bytes) };
}

async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxFileBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Pages and what pages are made from. */
function isNamedPage({ name, type = '' }: FileRef): boolean {
  return /\.(?:x?html?|php|jsp|aspx?|erb|ejs|hbs|twig)$/i.test(name) || /html/i.test(type);
}

function tooLarge(): FileUnavailableError {
  return new FileUnavailableError('too_large', `it has more than ${maxFileBytes} bytes`);
}

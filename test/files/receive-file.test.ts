import { beforeEach, expect, test } from 'vitest';
import { FileUnavailableError } from '../../src/domain/errors.ts';
import { type FileRef, maxFileBytes } from '../../src/domain/file.ts';
import { ConversationId, EventId, UserId } from '../../src/domain/ids.ts';
import { receiveFile } from '../../src/files/receive-file.ts';
import type { Blobs } from '../../src/ports/blobs.ts';
import type { FetchFile, FileOutcomes } from '../../src/ports/files.ts';
import { memoryBlobs, memoryFileOutcomes } from '../../src/store/memory-files.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import { quietLog } from '../support/quiet-log.ts';

const conversation = ConversationId('test:talk');
const message = EventId('m1');
const owner = UserId('test:ann');
const never = new AbortController().signal;

let clock: ManualClock;
let blobs: Blobs;
let outcomes: FileOutcomes;
let fetched: number;
beforeEach(() => {
  clock = manualClock(1_000);
  blobs = memoryBlobs(clock, 2 * maxFileBytes);
  outcomes = memoryFileOutcomes();
  fetched = 0;
});

async function* chunks(...parts: readonly (Uint8Array | string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield Buffer.from(part);
  }
}

function receive(fetchFile: FetchFile, file: Partial<FileRef> = {}, isLast = false, signal = never) {
  const counted: FetchFile = (...given) => {
    fetched += 1;
    return fetchFile(...given);
  };
  const ref: FileRef = { id: 'f1', name: 'a.txt', source: 'here', ...file };
  return receiveFile(
    { conversation, message, surface: 'test', owner, file: ref },
    isLast,
    { fetchers: new Map([['test', counted]]), blobs, outcomes, clock, log: quietLog },
    signal,
  );
}

const outcome = async () => (await outcomes.of(conversation, message)).get('f1');

test('a file is fetched once, kept for its person, and told by what is in it, whatever it is called', async () => {
  await receive(async () => chunks('\u0000PN', 'G'), { type: 'image/png', name: 'a.png' });
  const [hash] = await blobs.of(owner);
  expect(await outcome()).toEqual({ kind: 'stored', hash, bytes: 4, content: { is: 'other' } });
  await receive(async () => chunks('something else'));
  expect(fetched).toBe(1);
});

test('what drops in the middle is tried again; at last it is said to be out of reach', async () => {
  const dropping: FetchFile = async () => chunks('half', new Error('socket hang up'));
  await expect(receive(dropping)).rejects.toThrow('socket hang up');
  expect(await outcome()).toBeUndefined();
  expect(await blobs.of(owner)).toEqual([]);
  await receive(dropping, {}, true);
  expect(await outcome()).toEqual({ kind: 'failed', why: 'unreachable' });
});

test('what cannot be had is not tried again', async () => {
  await receive(async () => {
    throw new FileUnavailableError('gone', '404');
  });
  expect(await outcome()).toEqual({ kind: 'failed', why: 'gone' });
});

test('one that is too large by its own word is not fetched', async () => {
  await receive(async () => chunks('x'), { bytes: maxFileBytes + 1 });
  expect(fetched).toBe(0);
  expect(await outcome()).toEqual({ kind: 'failed', why: 'too_large' });
});

test('one that is larger than it says is left as soon as it is too large', async () => {
  let sent = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      sent += 1;
      yield new Uint8Array(1024 * 1024);
    }
  }
  await receive(async () => endless(), { bytes: 5 });
  expect(sent).toBe(21);
  expect(await outcome()).toEqual({ kind: 'failed', why: 'too_large' });
});

test('when the store is full the file is refused', async () => {
  blobs = memoryBlobs(clock, 3);
  await receive(async () => chunks('four'));
  expect(await outcome()).toEqual({ kind: 'failed', why: 'full' });
});

test.each([
  ['a.pdf', {}, 'refused'],
  ['a.txt', { type: 'text/plain' }, 'refused'],
  ['a.html', {}, undefined],
  ['saved page', { type: 'text/html; charset=utf-8' }, undefined],
])('a login page in place of %s', async (name, more, why) => {
  await receive(async () => chunks('<!DOCTYPE html><title>Sign in</title>'), { name, ...more });
  expect(await outcome()).toMatchObject(why === undefined ? { content: { is: 'text' } } : { why });
});

test('a surface that nobody fetches for is no reason to try again', async () => {
  const means = { fetchers: new Map(), blobs, outcomes, clock, log: quietLog };
  const file = { id: 'f1', name: 'a', source: 'x' };
  await receiveFile({ conversation, message, surface: 'other', file }, false, means, never);
  expect(await outcome()).toEqual({ kind: 'failed', why: 'unreachable' });
});

/** Sends nothing until it is told to stop. */
const silent: FetchFile = (_source, signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

test('a try ends after 15 s', async () => {
  const ended = receive(silent).catch((error: unknown) => error);
  await clock.untilWaiting();
  await clock.advance(15_000);
  expect(await ended).toMatchObject({ message: 'it was not complete after 15 s' });
});

test('a process that ends gives even its last try back', async () => {
  const ending = new AbortController();
  const receiving = receive(silent, {}, true, ending.signal);
  await clock.untilWaiting();
  ending.abort(new Error('this process ends'));
  await expect(receiving).rejects.toThrow('this process ends');
  expect(await outcome()).toBeUndefined();
});

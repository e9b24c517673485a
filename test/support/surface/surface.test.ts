// The fake platform is as strict as a real one, in this process and in one of its own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RateLimitedError, SurfaceError, SurfaceGoneError } from '../../../src/domain/errors.ts';
import type { SurfaceMessage } from '../../../src/domain/surface-message.ts';
import { systemClock } from '../../../src/observe/clock.ts';
import type { Surface } from '../../../src/ports/surface.ts';
import { inProcessSurface } from './in-process.ts';
import { FakePlatform, missingPlace } from './platform.ts';
import type { Fault, PlatformRules, PlatformState } from './platform-calls.ts';
import { type Platform, startPlatform } from './start-platform.ts';
import { surfaceClient } from './surface-client.ts';

/** What both variants offer a test. */
interface Bench {
  at(place: string): Surface;
  state(): Promise<PlatformState>;
  fault(fault: Fault): Promise<void>;
  rules(rules: Partial<PlatformRules>): Promise<void>;
  deleteMessage(id: string): Promise<void>;
  deletePlace(place: string): Promise<void>;
}

const never = new AbortController().signal;
const answer = (text: string): SurfaceMessage => ({ kind: 'answer', state: 'live', text });

describe('in this process', () => {
  suite(async () => {
    const platform = new FakePlatform(Date.now);
    const at = inProcessSurface(platform, systemClock);
    return {
      at,
      state: async () => platform.state(),
      fault: async (fault) => platform.control({ control: 'fault', fault }),
      rules: async (rules) => platform.control({ control: 'rules', rules }),
      deleteMessage: async (id) => platform.control({ control: 'delete_message', id }),
      deletePlace: async (place) => platform.control({ control: 'delete_place', place }),
    };
  });
});

describe('in a process of its own', () => {
  let running: Platform[] = [];
  afterAll(async () => {
    await Promise.all(running.map((platform) => platform.close()));
    running = [];
  });
  suite(async () => {
    const platform = await startPlatform();
    running.push(platform);
    return { ...platform, at: await surfaceClient(platform.url) };
  });
});

function suite(open: () => Promise<Bench>): void {
  let bench: Bench;
  let room: Surface;
  let count = 0;
  beforeAll(async () => {
    bench = await open();
  });
  const fresh = () => (room = bench.at(`room-${(count += 1)}`));
  const key = () => `key-${(count += 1)}`;

  test('a message is posted, edited, and every version of it is kept', async () => {
    fresh();
    const ref = await room.post(answer('one'), key(), never);
    await room.edit(ref, answer('two'), never);
    const message = (await bench.state()).messages.find(({ id }) => id === ref.id);
    expect(message?.versions.map(({ text }) => text)).toEqual(['one', 'two']);
  });

  test.each([
    ['an empty text', answer('  ')],
    ['a text that is too long', answer('x'.repeat(2_001))],
    ['half a character', answer('\uD83D')],
  ])('%s is refused and noted as a fault of the bot', async (_name, message) => {
    const before = (await bench.state()).violations.length;
    await expect(fresh().post(message, key(), never)).rejects.toThrow(SurfaceError);
    expect((await bench.state()).violations).toHaveLength(before + 1);
  });

  test('what is not there cannot be written to', async () => {
    const ref = await fresh().post(answer('one'), key(), never);
    const gone = { surface: 'fake', place: ref.place, id: 'm0' };
    await expect(room.edit(gone, answer('two'), never)).rejects.toThrow(SurfaceGoneError);
    await expect(bench.at(missingPlace).post(answer('one'), key(), never)).rejects.toThrow(SurfaceGoneError);
    await bench.deleteMessage(ref.id);
    await expect(room.edit(ref, answer('two'), never)).rejects.toThrow(SurfaceGoneError);
    await bench.deletePlace(ref.place);
    await expect(room.post(answer('three'), key(), never)).rejects.toThrow(SurfaceGoneError);
  });

  test('a key is posted once where keys are refused, and found where they are kept', async () => {
    const once = key();
    const first = await fresh().post(answer('one'), once, never);
    expect(await room.post(answer('two'), once, never)).toEqual(first);
    expect(await room.find(once, never)).toBeUndefined();
    await bench.rules({ keys: 'found' });
    expect(await room.find(once, never)).toEqual(first);
    expect(await room.post(answer('two'), once, never)).not.toEqual(first);
    await bench.rules({ keys: 'refused' });
  });

  test('more calls than a window allows are told when to come back', async () => {
    fresh();
    await bench.rules({ limit: { calls: 2, perMs: 300 } });
    await room.post(answer('one'), key(), never);
    await room.post(answer('two'), key(), never);
    const refused = await room.post(answer('three'), key(), never).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RateLimitedError);
    await systemClock.sleep(refused instanceof RateLimitedError ? refused.retryAfterMs : 0);
    await room.post(answer('three'), key(), never);
    await bench.rules({ limit: { calls: 1_000_000, perMs: 1_000 } });
  });

  test.each([
    ['refused', 0],
    ['unclear', 1],
    ['lost', 1],
  ] as const)('a call that is %s fails the same way, whether or not it was done', async (how, done) => {
    fresh();
    await bench.fault({ on: 'post', kind: 'answer', how, times: 1 });
    const own = key();
    await expect(room.post(answer('one'), own, never)).rejects.toThrow(SurfaceError);
    expect((await bench.state()).messages.filter((message) => message.key === own)).toHaveLength(done);
  });

  test('a caller that stops waiting gets its own reason', async () => {
    fresh();
    await bench.fault({ on: 'post', how: 'slow', times: 1 });
    const stopper = new AbortController();
    const posting = room.post(answer('one'), key(), stopper.signal);
    stopper.abort(new Error('no longer wanted'));
    await expect(posting).rejects.toThrow('no longer wanted');
  });
}

// The fake platform is as strict as a real one, in this process and in one of its own.
import { afterAll, describe, expect, test } from 'vitest';
import {
  RateLimitedError,
  SurfaceError,
  SurfaceGoneError,
  WriteRefusedError,
} from '../../../src/domain/errors.ts';
import type { SurfaceMessage } from '../../../src/domain/surface-message.ts';
import { systemClock } from '../../../src/observe/clock.ts';
import type { Surface } from '../../../src/ports/surface.ts';
import { type SurfaceWorld, surfaceContract } from '../../contracts/surface.contract.ts';
import { manualClock } from '../clock.ts';
import { inProcessSurface } from './in-process.ts';
import { FakePlatform, missingPlace } from './platform.ts';
import type { PlatformControl, PlatformRules, PlatformState } from './platform-calls.ts';
import { startPlatform } from './start-platform.ts';
import { control, surfaceClient } from './surface-client.ts';

interface Running {
  readonly at: (place: string) => Surface;
  state(): Promise<PlatformState>;
  control(order: PlatformControl): Promise<void>;
}

const never = new AbortController().signal;
const answer = (text: string): SurfaceMessage => ({ kind: 'answer', state: 'live', text });
const stream = { livesMs: 300_000, maxMs: 240_000 };
const kinds: readonly { readonly name: string; readonly rules: Partial<PlatformRules> }[] = [
  { name: 'keys that are refused', rules: { keys: 'refused' } },
  { name: 'keys that are found, messages that grow', rules: { keys: 'found', stream } },
  { name: 'keys that are refused, messages that grow', rules: { keys: 'refused', stream } },
];

const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

for (const { name, rules } of kinds) {
  const inProcess = async () => {
    const platform = new FakePlatform(Date.now, rules);
    return worldOf(rules, {
      at: inProcessSurface(platform, systemClock),
      state: async () => platform.state(),
      control: async (order) => platform.control(order),
    });
  };
  const started = new Map<string, Promise<Running>>();
  const inItsOwn = async () => {
    const running = started.get(name) ?? start(rules);
    started.set(name, running);
    return worldOf(rules, await running);
  };
  const hasStream = rules.stream !== undefined;
  surfaceContract(`the fake platform in this process, ${name}`, inProcess, { hasStream });
  surfaceContract(`the fake platform in a process of its own, ${name}`, inItsOwn, { hasStream });
}

async function start(rules: Partial<PlatformRules>): Promise<Running> {
  const { url, state, close } = await startPlatform(rules);
  closing.push(close);
  return { at: await surfaceClient(url), state, control: (order) => control(url, order) };
}

let rooms = 0;

function worldOf({ keys = 'refused' }: Partial<PlatformRules>, running: Running): SurfaceWorld {
  const room = `room-${(rooms += 1)}`;
  const here = async () =>
    (await running.state()).messages.filter(({ place, isDeleted }) => place === room && !isDeleted);
  const last = async () => (await here()).at(-1)?.id ?? '';
  return {
    keys,
    fresh: async () => running.at(room),
    shown: async () => (await here()).map(({ versions }) => versions.at(-1)?.text ?? ''),
    loseAnswer: (on) => running.control({ control: 'fault', fault: { on, how: 'lost', times: 1 } }),
    fail: (on) => running.control({ control: 'fault', fault: { on, how: 'refused', times: 1 } }),
    async limit(on, retryAfterMs) {
      const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
      await running.control({ control: 'fault', fault: { on, how: 'limited', times: 1, ...wait } });
    },
    deleteLast: async () => running.control({ control: 'delete_message', id: await last() }),
    closeLast: async () => running.control({ control: 'close_message', id: await last() }),
    endStream: async () => running.control({ control: 'end_stream', id: await last() }),
    deletePlace: () => running.control({ control: 'delete_place', place: room }),
  };
}

describe('the fake platform', () => {
  const opened = (rules: Partial<PlatformRules> = {}) => {
    const clock = manualClock();
    const platform = new FakePlatform(() => clock.now(), { latencyMs: 0, ...rules });
    const at = (place: string) => inProcessSurface(platform, clock)(place);
    /** Virtual time passes while it waits. */
    const done = async <T>(it: Promise<T>): Promise<T> => {
      it.catch(() => {}); // looked at by the caller
      await clock.advance(2_000);
      return it;
    };
    return { clock, platform, at, done };
  };

  test.each([
    ['an empty text', answer('  ')],
    ['a text that is too long', answer('x'.repeat(2_001))],
    ['half a character', answer('\uD83D')],
  ])('refuses %s and notes a fault of the bot', async (_name, message) => {
    const { platform, at, done } = opened();
    await expect(done(at('room').post(message, 'a', never))).rejects.toThrow(WriteRefusedError);
    expect(platform.state().violations).toHaveLength(1);
  });

  test('notes an edit of a message that grows', async () => {
    const { platform, at, done } = opened({ stream });
    const room = at('room');
    const posted = await done(room.stream?.start(answer('one'), 'a', never) ?? Promise.reject());
    await expect(done(room.edit(posted.ref, answer('two'), never))).rejects.toThrow(WriteRefusedError);
    expect(platform.state().violations).toEqual(['edit: an edit of a message that grows']);
  });

  test('ends a stream after its time', async () => {
    const { clock, platform, at, done } = opened({ stream });
    const room = at('room');
    const { ref } = await done(room.stream?.start(answer('one'), 'a', never) ?? Promise.reject());
    await clock.advance(stream.livesMs);
    await done(room.edit(ref, answer('two'), never));
    expect(platform.state().violations).toEqual([]);
  });

  test('knows no place that does not exist', async () => {
    const { at, done } = opened();
    await expect(done(at(missingPlace).post(answer('one'), 'a', never))).rejects.toThrow(SurfaceGoneError);
  });

  test.each(['unclear', 'lost'] as const)('does what is %s all the same', async (how) => {
    const { platform, at, done } = opened();
    platform.control({ control: 'fault', fault: { on: 'post', how, times: 1 } });
    await expect(done(at('room').post(answer('one'), 'a', never))).rejects.toThrow(SurfaceError);
    expect(platform.state().messages).toHaveLength(1);
  });

  test('answers late when it is slow', async () => {
    const { clock, platform, at } = opened();
    platform.control({ control: 'fault', fault: { on: 'post', how: 'slow', times: 1 } });
    const posting = at('room').post(answer('one'), 'a', never);
    await clock.advance(1_499);
    expect(clock.pending()).toEqual([1]);
    await clock.advance(1);
    expect((await posting).ref.place).toBe('room');
  });

  const limit = { calls: 2, perMs: 1_000, per: 'place', tells: 'headers' } as const;
  test.each([
    ['window', 1_000, 1_000],
    ['bucket', 500, 1_000],
  ] as const)('counts in a %s, route by route and place by place', async (counted, wait, full) => {
    const { at, clock } = opened({ limits: { post: { ...limit, counted } } });
    const post = async (place: string, text: string) => {
      const posting = at(place)
        .post(answer(text), text, never)
        .catch((error: unknown) => error);
      await clock.advance(0);
      return posting;
    };
    await post('room', 'one');
    expect(await post('room', 'two')).toMatchObject({
      rate: { limit: 2, remaining: 0, resetAfterMs: full },
    });
    expect(await post('room', 'three')).toEqual(new RateLimitedError(wait));
    expect(await post('hall', 'three')).toMatchObject({ rate: { remaining: 1 } });
    await clock.advance(wait);
    expect(await post('room', 'four')).toMatchObject({ rate: { limit: 2 } });
  });

  test('tells nothing of its limits where the rules say so', async () => {
    const silent = { calls: 1, perMs: 1_000, counted: 'window', per: 'workspace', tells: 'nothing' } as const;
    const { at, done } = opened({ limits: { post: silent } });
    expect(await done(at('room').post(answer('one'), 'a', never))).not.toHaveProperty('rate');
    await done(at('room').post(answer('two'), 'b', never));
    const refused = at('hall').post(answer('three'), 'c', never);
    const both = [refused, at('hall').post(answer('four'), 'd', never)];
    const results = await done(Promise.allSettled(both));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});

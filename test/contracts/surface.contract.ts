/**
 * What every surface must do; each adapter runs this suite against the strict fake of its platform. Delivery relies on
 * nothing else of a surface.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  RateLimitedError,
  StreamEndedError,
  SurfaceError,
  SurfaceGoneError,
  WriteRefusedError,
} from '../../src/domain/errors.ts';
import type { SurfaceMessage } from '../../src/domain/surface-message.ts';
import type { MessageStream, Route, Surface } from '../../src/ports/surface.ts';

export interface SurfaceWorld {
  /** A place that nobody has written to. */
  fresh(): Promise<Surface>;
  /** What people can read in the place of `fresh` now: texts in the platform's own form, in order. */
  shown(): Promise<readonly string[]>;
  /** Whether a second post with a key is the first message, or the first message is found by its key. */
  readonly keys: 'refused' | 'found';
  /** The next write of this kind is done, and its answer is lost. */
  loseAnswer(route: Route): Promise<void>;
  /** The next write of this kind fails on the platform, and nothing is done. */
  fail(route: Route): Promise<void>;
  /** The next write of this kind is refused because there were too many, with a wait or without. */
  limit(route: Route, retryAfterMs?: number): Promise<void>;
  /** People, or the platform, end the last message: it is deleted, or can be edited no more. */
  deleteLast(): Promise<void>;
  closeLast(): Promise<void>;
  /** The platform ends the growth of the last message, as after its longest time. */
  endStream(): Promise<void>;
  deletePlace(): Promise<void>;
}

const never = new AbortController().signal;
const live = (text: string): SurfaceMessage => ({ kind: 'answer', state: 'live', text });
const final = (text: string): SurfaceMessage => ({ kind: 'answer', state: 'final', text });
let keys = 0;
const key = () => `talk:turn:answer:${(keys += 1)}`;

/** `hasStream`: the platform lets messages grow. `shortWaitMs`: a wait as short as the platform may name. */
export function surfaceContract(
  name: string,
  open: () => Promise<SurfaceWorld>,
  { hasStream, shortWaitMs = 1_200 }: { readonly hasStream: boolean; readonly shortWaitMs?: number },
): void {
  describe(name, () => {
    let world: SurfaceWorld;
    let surface: Surface;
    beforeEach(async () => {
      world = await open();
      surface = await world.fresh();
    });

    test('a message is posted, edited, taken away', async () => {
      const { ref } = await surface.post(live('one'), key(), never);
      expect(await world.shown()).toEqual(['one']);
      await surface.edit(ref, live('two'), never);
      await surface.edit(ref, final('two'), never);
      expect(await world.shown()).toEqual(['two']);
      await surface.remove(ref, never);
      expect(await world.shown()).toEqual([]);
    });

    test('two messages stand in the order in which they were posted', async () => {
      await surface.post(final('one'), key(), never);
      await surface.post(final('two'), key(), never);
      expect(await world.shown()).toEqual(['one', 'two']);
    });

    test('a text of the greatest length is taken, as a post and as an edit', async () => {
      const text = 'x'.repeat(surface.limits.maxChars);
      const { ref } = await surface.post(final(text), key(), never);
      await surface.edit(ref, final(text.replaceAll('x', 'y')), never);
      expect((await world.shown()).map((shown) => shown.length)).toEqual([text.length]);
    });

    test('a key leads to one message whose post was answered by nothing', async () => {
      const once = key();
      await world.loseAnswer('post');
      await expect(surface.post(final('one'), once, never)).rejects.toThrow(SurfaceError);
      const found = await surface.find(once, never);
      expect(found !== undefined).toBe(world.keys === 'found');
      const ref = found ?? (await surface.post(final('one'), once, never)).ref;
      await surface.edit(ref, final('two'), never);
      expect(await world.shown()).toEqual(['two']);
    });

    test('what was never posted is not found', async () => {
      expect(await surface.find(key(), never)).toBeUndefined();
    });

    test('a post that failed was not done and may be repeated', async () => {
      const once = key();
      await world.fail('post');
      await expect(surface.post(final('one'), once, never)).rejects.toThrow(SurfaceError);
      expect(await world.shown()).toEqual([]);
      expect(await surface.find(once, never)).toBeUndefined();
      await surface.post(final('one'), once, never);
      expect(await world.shown()).toEqual(['one']);
    });

    test.each(['lost', 'failed'])('an edit that is %s says so, and is made good by the next', async (how) => {
      const { ref } = await surface.post(live('one'), key(), never);
      await (how === 'lost' ? world.loseAnswer('edit') : world.fail('edit'));
      await expect(surface.edit(ref, live('two'), never)).rejects.toThrow(SurfaceError);
      await surface.edit(ref, final('three'), never);
      expect(await world.shown()).toEqual(['three']);
    });

    test.each([shortWaitMs, 3_600_000, undefined])('a refusal for %s ms is told as it is', async (wait) => {
      const { ref } = await surface.post(live('one'), key(), never);
      await world.limit('edit', wait);
      const refused = surface.edit(ref, live('two'), never);
      await expect(refused).rejects.toEqual(new RateLimitedError(wait));
      await expect(refused).rejects.toHaveProperty('retryAfterMs', wait);
      expect(await world.shown()).toEqual(['one']);
    });

    test('a message that somebody deleted is gone', async () => {
      const { ref } = await surface.post(live('one'), key(), never);
      await world.deleteLast();
      await expect(surface.edit(ref, live('two'), never)).rejects.toThrow(SurfaceGoneError);
      await expect(surface.remove(ref, never)).rejects.toThrow(SurfaceGoneError);
    });

    test('in a place that is gone nothing can be written', async () => {
      await world.deletePlace();
      await expect(surface.post(live('one'), key(), never)).rejects.toThrow(SurfaceGoneError);
    });

    test('a message that is closed refuses edits for good', async () => {
      const { ref } = await surface.post(live('one'), key(), never);
      await world.closeLast();
      const refused = surface.edit(ref, live('two'), never);
      await expect(refused).rejects.toThrow(WriteRefusedError);
      await expect(refused).rejects.toHaveProperty('refuses', 'message');
      expect(await world.shown()).toEqual(['one']);
    });

    test('whoever stops waiting gets its own reason', async () => {
      const stop = AbortSignal.abort(new Error('no longer wanted'));
      await expect(surface.post(live('one'), key(), stop)).rejects.toThrow('no longer wanted');
    });

    test('each route names the budget it is counted against', () => {
      for (const { name: counted, rule } of Object.values(surface.budgets)) {
        expect([counted.surface, counted.route, counted.scope]).not.toContain('');
        expect(rule.calls).toBeGreaterThan(0);
        expect(rule.perMs).toBeGreaterThan(0);
      }
    });

    test(`messages ${hasStream ? 'grow' : 'do not grow'} by themselves`, () => {
      expect(surface.stream !== undefined).toBe(hasStream);
    });

    if (!hasStream) return;

    describe('a message that grows', () => {
      let stream: MessageStream;
      beforeEach(() => {
        if (surface.stream === undefined) throw new Error('this surface has no stream');
        stream = surface.stream;
      });

      test('is started, appended to, stopped with the rest, and edited afterwards', async () => {
        const { ref } = await stream.start(live('one'), key(), never);
        await stream.append(ref, ' two', never);
        expect(await world.shown()).toEqual(['one two']);
        await stream.stop(ref, ' three', final('one two three'), never);
        expect(await world.shown()).toEqual(['one two three']);
        await surface.edit(ref, final('four'), never);
        expect(await world.shown()).toEqual(['four']);
      });

      test('may be stopped without any more text', async () => {
        const { ref } = await stream.start(live('one'), key(), never);
        await stream.stop(ref, '', live('one'), never);
        expect(await world.shown()).toEqual(['one']);
      });

      test('is started once for a key', async () => {
        const once = key();
        await world.loseAnswer('start');
        await expect(stream.start(live('one'), once, never)).rejects.toThrow(SurfaceError);
        const found = await surface.find(once, never);
        const ref = found ?? (await surface.post(live('one'), once, never)).ref;
        await stream.stop(ref, '', live('one'), never);
        await surface.edit(ref, final('two'), never);
        expect(await world.shown()).toEqual(['two']);
      });

      test('whose stream the platform has ended can only be edited', async () => {
        const { ref } = await stream.start(live('one'), key(), never);
        await world.endStream();
        await expect(stream.append(ref, ' two', never)).rejects.toThrow(StreamEndedError);
        await expect(stream.stop(ref, '', live('one'), never)).rejects.toThrow(StreamEndedError);
        await surface.edit(ref, final('two'), never);
        expect(await world.shown()).toEqual(['two']);
      });

      test('or one that never grew, cannot be stopped', async () => {
        const { ref } = await surface.post(live('one'), key(), never);
        await expect(stream.stop(ref, '', live('one'), never)).rejects.toThrow(StreamEndedError);
      });

      test('that somebody deleted is gone', async () => {
        const { ref } = await stream.start(live('one'), key(), never);
        await world.deleteLast();
        await expect(stream.append(ref, ' two', never)).rejects.toThrow(SurfaceGoneError);
      });
    });
  });
}

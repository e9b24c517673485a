import { expect, test } from 'vitest';
import { meteredSurface } from '../../src/app/metered-surface.ts';
import { RateLimitedError } from '../../src/domain/errors.ts';
import type { SurfaceMessage } from '../../src/domain/surface-message.ts';
import type { Meter } from '../../src/ports/meter.ts';
import type { Surface } from '../../src/ports/surface.ts';
import { manualClock } from '../support/clock.ts';

const { signal } = new AbortController();
const answer: SurfaceMessage = { kind: 'answer', state: 'live', text: 'x' };
const ref = { surface: 'test', place: 'room', id: '1' };
const budget = (route: string) => ({
  name: { surface: 'test', route, scope: 'room' },
  rule: { calls: 5, perMs: 5_000 },
});

test('edits, refusals and the time to the first text are counted, what fails still fails', async () => {
  const seen: unknown[] = [];
  const meter: Meter = {
    count: (name, labels) => void seen.push([name, labels]),
    time: (name, ms) => void seen.push([name, ms]),
    watch: () => {},
  };
  const clock = manualClock();
  let edits = 0;
  const platform: Surface = {
    limits: { maxChars: 2_000 },
    budgets: { post: budget('post'), edit: budget('edit'), remove: budget('remove') },
    post: async () => ({ ref }),
    find: async () => undefined,
    edit: async () => {
      edits += 1;
      if (edits === 2) throw new RateLimitedError(1_000);
      return {};
    },
    remove: async () => ({}),
    stream: {
      budgets: { start: budget('start'), append: budget('append'), stop: budget('stop') },
      maxMs: 240_000,
      start: async () => ({ ref }),
      append: async () => ({}),
      stop: async () => ({}),
    },
  };
  const surface = meteredSurface(platform, 'test', meter, clock);
  await clock.advance(700);
  await surface.post(answer, 'a', signal);
  await surface.post(answer, 'b', signal);
  await surface.edit(ref, answer, signal);
  await expect(surface.edit(ref, answer, signal)).rejects.toBeInstanceOf(RateLimitedError);
  await surface.stream?.append(ref, 'y', signal);
  expect(seen).toEqual([
    ['first_text', 700],
    ['edits', { surface: 'test' }],
    ['rate_limited', { surface: 'test' }],
    ['edits', { surface: 'test' }],
  ]);
});

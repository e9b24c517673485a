import { expect, test } from 'vitest';
import { manualClock } from './clock.ts';

test('time passes only when it is moved, and timers run in the order they fall due', async () => {
  const clock = manualClock(1000);
  const seen: string[] = [];
  clock.after(20, () => seen.push(`b at ${clock.now()}`));
  clock.after(10, () => {
    seen.push(`a at ${clock.now()}`);
    clock.after(5, () => seen.push(`a2 at ${clock.now()}`));
  });
  clock.after(21, () => seen.push('later'));
  await clock.advance(20);
  expect(seen).toEqual(['a at 1010', 'a2 at 1015', 'b at 1020']);
  expect(clock.pending()).toEqual([1]);
});

test('a sleep ends by time or by its signal, and a cancelled timer never runs', async () => {
  const clock = manualClock();
  const stop = new AbortController();
  const slept: unknown[] = [];
  void clock.sleep(10).then(() => slept.push('woke'));
  void clock.sleep(10, stop.signal).catch((reason: unknown) => slept.push(reason));
  clock.after(10, () => slept.push('cancelled timer ran'))();
  stop.abort('stopped');
  await clock.advance(10);
  expect(slept).toEqual(['stopped', 'woke']);
  expect(clock.pending()).toEqual([]);
});

test('untilWaiting resolves once something waits', async () => {
  const clock = manualClock();
  const waiting = clock.untilWaiting();
  void clock.sleep(7);
  await waiting;
  expect(clock.pending()).toEqual([7]);
});

import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/observe/clock.ts';
import type { Clock } from '../../src/ports/runtime.ts';
import { markOf, type ProcessMark } from '../../src/redis-server/processes.ts';
import { LockBusyError, withStartLock } from '../../src/redis-server/start-lock.ts';
import { manualClock } from '../support/clock.ts';
import { newFolder } from './support/docents.ts';

const quick: Clock = { ...systemClock, sleep: (_, signal) => systemClock.sleep(1, signal) };

test('twenty who want it at once have it one after another', async () => {
  const folder = newFolder();
  let inside = 0;
  let most = 0;
  const order: number[] = [];
  const work = (number: number) => async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(number);
    inside -= 1;
  };
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  await Promise.all(numbers.map((number) => withStartLock(optionsFor(folder, quick), work(number))));
  expect([most, order.toSorted((a, b) => a - b)]).toEqual([1, numbers]);
  expect(readdirSync(folder)).toEqual([16, 17, 18, 19, 20].map((number) => `lock-${number}.free`));
});

test('it is free again after work that failed, and the failure is passed on', async () => {
  const folder = newFolder();
  const failing = withStartLock(optionsFor(folder), () => Promise.reject(new Error('no Redis')));
  await expect(failing).rejects.toThrow('no Redis');
  expect(await withStartLock(optionsFor(folder), async () => 'mine')).toBe('mine');
});

describe('a lock that was left', () => {
  test('by a dead process is taken over at once', async () => {
    const folder = newFolder();
    leave(folder, { ...ownMark(), pid: 2 ** 22 + 1 });
    expect(await withStartLock(optionsFor(folder), async () => 'mine')).toBe('mine');
  });

  test('by a process whose number another one has now is taken over at once', async () => {
    const folder = newFolder();
    leave(folder, { ...ownMark(), began: 'before' });
    expect(await withStartLock(optionsFor(folder), async () => 'mine')).toBe('mine');
  });

  test.each([
    ['in another container', JSON.stringify({ pid: 1, began: '7', space: 'another' })],
    ['in the middle of its first line', '{"pid":'],
    ['before it wrote anything', ''],
  ])('%s is taken over when nobody has touched it for half a minute', async (_, text) => {
    const folder = newFolder();
    const clock = manualClock(1_000_000_000);
    const waits: string[] = [];
    writeFileSync(path.join(folder, 'lock-1'), text);
    utimesSync(path.join(folder, 'lock-1'), 1_000_000, 1_000_000);
    const taken = withStartLock({ folder, clock, onWaiting: (holder) => waits.push(holder) }, async () =>
      clock.now(),
    );
    while (clock.now() < 1_000_030_000) {
      await clock.untilWaiting();
      await clock.advance(50);
    }
    expect(await taken).toBe(1_000_030_000);
    expect(waits).toEqual(['another container']);
  });
});

describe('while another process has it', () => {
  test('the one who waits is told once, after two seconds, who that is', async () => {
    const folder = newFolder();
    const clock = manualClock();
    const waits: [number, string][] = [];
    leave(folder, ownMark());
    const onWaiting = (holder: string) => waits.push([clock.now(), holder]);
    const waiting = withStartLock({ folder, clock, onWaiting, patienceMs: 3000 }, async () => {});
    const refused = waiting.catch((error: unknown) => error);
    while (clock.now() < 3000) {
      await clock.untilWaiting();
      await clock.advance(50);
    }
    expect(await refused).toBeInstanceOf(LockBusyError);
    expect(waits).toEqual([[2000, `process ${process.pid}`]]);
  });

  test('the holder keeps its ticket fresh, for those who cannot see it', async () => {
    const folder = newFolder();
    const clock = manualClock(1_000_000_000);
    const done = withStartLock({ folder, clock, onWaiting: () => {} }, async () => {
      await clock.advance(60_000);
      return readdirSync(folder);
    });
    expect(await done).toEqual(['lock-1']);
    expect(clock.pending()).toEqual([]);
  });
});

function optionsFor(folder: string, clock: Clock = systemClock) {
  return { folder, clock, onWaiting: () => {} };
}

function leave(folder: string, mark: ProcessMark): void {
  writeFileSync(path.join(folder, 'lock-1'), JSON.stringify(mark));
}

function ownMark(): ProcessMark {
  const mark = markOf(process.pid);
  if (mark === undefined) throw new Error('this process runs');
  return mark;
}

import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { localRateBudgets } from '../../src/delivery/local-rate-budgets.ts';
import { PacedMessage, type Waiting, type Wanted } from '../../src/delivery/paced-message.ts';
import { RateLimitedError, SurfaceError } from '../../src/domain/errors.ts';
import type { Importance, RateBudget } from '../../src/ports/rate-budget.ts';
import type { Route, Written } from '../../src/ports/surface.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import { fixedWindow } from '../support/pace/platforms.ts';
import { quietLog } from '../support/quiet-log.ts';

const rule = { calls: 5, perMs: 5_000 };
const never = new AbortController().signal;
const text =
  (importance: Importance, unseenSince = 0) =>
  (): Wanted => ({ route: 'edit', importance, unseenSince });

function editsOf(clock: ManualClock): RateBudget {
  return localRateBudgets(clock).budget({ name: { surface: 'test', route: 'edit', scope: 'room' }, rule });
}

function paced(message: string, clock: ManualClock, edit: RateBudget): PacedMessage {
  return new PacedMessage({ message, budgetOf: () => edit, clock, log: quietLog });
}

/** A channel that takes five writes in five seconds and answers after 150 ms; keeps what it showed, and when. */
function channel(clock: ManualClock) {
  const place = fixedWindow(rule.calls, rule.perMs);
  const shown: string[] = [];
  let refused = 0;
  return {
    shown,
    refused: () => refused,
    async write(content: string): Promise<Written> {
      await clock.sleep(75);
      const { isTaken, headers } = place.call(clock.now());
      if (isTaken) shown.push(`${clock.now()} ${content}`);
      else refused += 1;
      await clock.sleep(75);
      if (!isTaken) throw new RateLimitedError(headers.resetAfterMs);
      return { rate: headers };
    },
  };
}

test('two answers grow on one channel by turns, and the one that ends first is complete at once', async () => {
  const clock = manualClock();
  const edits = editsOf(clock);
  const room = channel(clock);

  // What a live message does: wait for the turn, take the newest text, write it.
  const show = async (name: string, endsAt: number) => {
    const message = paced(name, clock, edits);
    let seenUpTo = 0;
    const isFinal = () => clock.now() >= endsAt;
    clock.after(endsAt, () => message.hurry('final'));
    for (let wasFinal = false; !wasFinal; ) {
      await clock.sleep(20);
      const want = (): Wanted => ({
        route: 'edit',
        importance: isFinal() ? 'final' : seenUpTo === 0 ? 'first' : 'text',
        unseenSince: seenUpTo,
      });
      await message.turn(want, never);
      wasFinal = isFinal();
      seenUpTo = clock.now();
      await message.call(() => room.write(`${name}${wasFinal ? '.' : ''}`));
    }
  };
  const done = Promise.all([show('a', 3_000), show('b', 8_000)]);
  await clock.advance(12_000);
  await done;

  expect(room.refused()).toBe(0);
  expect(room.shown).toEqual([
    '95 a',
    '295 b',
    '1533 a',
    '2762 b',
    '3075 a.',
    '5134 b',
    '6184 b',
    '7234 b',
    '8075 b.',
  ]);
});

test('the text may grow while the turn is waited for: only what is wanted then is asked for', async () => {
  const clock = manualClock();
  const edits = editsOf(clock);
  await edits.ask({ message: 'other', importance: 'first', unseenMs: 0 });
  const message = paced('a', clock, edits);
  let importance: Importance = 'text';
  let isGranted = false;
  const turn = message
    .turn(() => text(importance)(), never)
    .then(() => {
      isGranted = true;
    });
  await clock.advance(100);
  expect(isGranted).toBe(false);
  importance = 'final';
  message.hurry('final');
  await clock.advance(0);
  expect(isGranted).toBe(true);
  expect(clock.pending()).toEqual([]);
  expect(getEventListeners(never, 'abort')).toEqual([]);
  await turn;
});

test('a final text that comes while the budget is being asked is not put off', async () => {
  const clock = manualClock();
  let importance: Importance = 'text';
  const asked: Importance[] = [];
  const budget: RateBudget = {
    async ask(want) {
      asked.push(want.importance);
      importance = 'final';
      return want.importance === 'final' ? { granted: true } : { granted: false, waitMs: 60_000 };
    },
    learn: async () => {},
    leave: async () => {},
  };
  await paced('a', clock, budget).turn(() => text(importance)(), never);
  expect(asked).toEqual(['text', 'final']);
});

describe('what the platform answered', () => {
  const outcomes: [string, () => Promise<Written>, unknown][] = [
    ['a write', async () => ({}), { callMs: 0, outcome: 'written' }],
    [
      'a refusal',
      () => Promise.reject(new RateLimitedError(700)),
      { callMs: 0, outcome: 'refused', retryAfterMs: 700 },
    ],
    [
      'a refusal without a wait',
      () => Promise.reject(new RateLimitedError()),
      { callMs: 0, outcome: 'refused' },
    ],
    ['no answer', () => Promise.reject(new SurfaceError('cut')), { callMs: 0, outcome: 'failed' }],
  ];
  test.each(outcomes)('%s is told to the budget', async (_, write, told) => {
    const heard: unknown[] = [];
    const budget: RateBudget = {
      ask: async () => ({ granted: true }),
      learn: async (message, reply) => void heard.push([message, reply]),
      leave: async () => {},
    };
    const message = paced('a', manualClock(), budget);
    await message.turn(text('text'), never);
    await message.call(write).catch(() => {});
    expect(heard).toEqual([['a', told]]);
  });

  test('a refusal stays an error for the caller, and the next turn waits as long as it said', async () => {
    const clock = manualClock();
    const message = paced('a', clock, editsOf(clock));
    await message.turn(text('final'), never);
    const refused = message.call(() => Promise.reject(new RateLimitedError(30_000)));
    await expect(refused).rejects.toThrow('rate limited');
    let isGranted = false;
    void message.turn(text('final'), never).then(() => (isGranted = true));
    await clock.advance(29_999);
    expect(isGranted).toBe(false);
    await clock.advance(1);
    expect(isGranted).toBe(true);
  });
});

test('whoever stops waiting gives its place away', async () => {
  const clock = manualClock();
  const edits = editsOf(clock);
  for (let write = 0; write < 2; write++) {
    await edits.ask({ message: 'other', importance: 'final', unseenMs: 0 });
    await edits.learn('other', { callMs: 100, outcome: 'written' });
  }
  const stop = new AbortController();
  const stopped = paced('a', clock, edits).turn(text('final'), stop.signal);
  await clock.advance(0);
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  expect(clock.pending()).toEqual([]);
  await clock.advance(1_400);
  expect(await edits.ask({ message: 'b', importance: 'final', unseenMs: 0 })).toEqual({ granted: true });
});

test('a turn that was stopped before is not asked for', async () => {
  const clock = manualClock();
  const turn = paced('a', clock, editsOf(clock)).turn(text('final'), AbortSignal.abort(new Error('gone')));
  await expect(turn).rejects.toThrow('gone');
});

test('a budget that cannot be reached is asked until it answers', async () => {
  const clock = manualClock();
  let failures = 3;
  const budget: RateBudget = {
    async ask() {
      failures -= 1;
      if (failures >= 0) throw new Error('Redis is away');
      return { granted: true };
    },
    learn: () => Promise.reject(new Error('Redis is away')),
    leave: () => Promise.reject(new Error('Redis is away')),
  };
  const message = paced('a', clock, budget);
  const turn = message.turn(text('final'), never);
  await clock.advance(3_000);
  await turn;
  // What cannot be told does not hurt the write.
  expect(await message.call(async () => ({}))).toEqual({});
});

describe('a turn that may be had on several routes', () => {
  const told: unknown[] = [];
  const budgetOf = (route: Route): RateBudget => ({
    async ask() {
      told.push(`ask ${route}`);
      return route === 'post' ? { granted: true } : { granted: false, waitMs: 3_000 };
    },
    learn: async (_, { outcome }) => void told.push(`${outcome} ${route}`),
    leave: async () => void told.push(`leave ${route}`),
  });
  const message = new PacedMessage({ message: 'a', budgetOf, clock: manualClock(), log: quietLog });

  test('is had where the content goes when the first one is busy', async () => {
    told.length = 0;
    const want = (waiting?: Waiting): Wanted => ({
      ...text('first')(),
      route: waiting === undefined ? 'start' : 'post',
    });
    expect(await message.turn(want, never)).toBe('post');
    await message.pass();
    expect(told).toEqual(['ask start', 'leave start', 'ask post', 'failed post']);
  });

  test('is given up when nothing is wanted any more', async () => {
    told.length = 0;
    const want = (waiting?: Waiting) =>
      waiting === undefined ? { ...text('first')(), route: 'start' as const } : undefined;
    expect(await message.turn(want, never)).toBeUndefined();
    expect(told).toEqual(['ask start', 'leave start']);
  });
});

test('after its last write a message shares none of its budgets any more', async () => {
  const told: string[] = [];
  const budgetOn = (route: Route): RateBudget => ({
    ask: async () => ({ granted: true }),
    learn: async (_, { isLast }) => void told.push(`wrote ${route}${isLast ? ', left' : ''}`),
    leave: async () => void told.push(`left ${route}`),
  });
  const budgets = { append: budgetOn('append'), stop: budgetOn('stop') };
  const message = new PacedMessage({
    message: 'a',
    budgetOf: (route) => budgets[route as keyof typeof budgets],
    clock: manualClock(),
    log: quietLog,
  });
  for (const route of ['append', 'append', 'stop'] as const) {
    await message.turn(() => ({ ...text('text')(), route }), never);
    await message.call(async () => ({}), route === 'stop');
  }
  expect(told).toEqual(['wrote append', 'wrote append', 'wrote stop, left', 'left append']);
});

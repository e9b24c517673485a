import { describe, expect, test } from 'vitest';
import { judge, measureRow, median, type Pair, type Row, type RunOptions } from '../../bench/harness.ts';

const silent: RunOptions = { mode: 'full', tolerance: 1, progress: () => {} };

/** A row whose samples are given; each side repeats its last one. */
function row(product: readonly number[], anchor: readonly number[], more: Partial<Row> = {}): Row {
  return {
    id: 'X1',
    metric: 'µs per thing / per other thing',
    kind: 'cpu',
    goal: 1.1,
    bound: 'max',
    warmUps: { quick: 0, full: 0 },
    rounds: { quick: 1, full: product.length },
    open: async () => pair(product, anchor),
    ...more,
  };
}

function pair(product: readonly number[], anchor: readonly number[]): Pair {
  const sampler = (values: readonly number[]) => {
    let next = 0;
    return async () => values[Math.min(next++, values.length - 1)] ?? Number.NaN;
  };
  return { product: sampler(product), anchor: sampler(anchor), close: async () => {} };
}

describe('a row', () => {
  test('compares the median of the ratios of its rounds, not the ratio of the medians', async () => {
    // The machine was half as fast in the second round: both sides saw it, the ratio did not.
    const result = await measureRow(row([10, 21, 10], [10, 20, 10]), silent);
    expect(result).toEqual({
      id: 'X1',
      metric: 'µs per thing / per other thing',
      product: 10,
      anchor: 10,
      ratio: 1,
      goal: 1.1,
      bound: 'max',
      gated: true,
      status: 'pass',
      reason: null,
      detail: null,
      n: 3,
      ratioMin: 1,
      ratioMax: 1.05,
    });
  });

  test('takes turns at which side goes first, and throws warm-ups away', async () => {
    const order: string[] = [];
    const sampler = (name: string) => async () => order.push(name) * 0 + 1;
    await measureRow(
      row([1, 1, 1], [], {
        warmUps: { quick: 0, full: 1 },
        open: async () => ({
          product: sampler('product'),
          anchor: sampler('anchor'),
          close: async () => void order.push('closed'),
        }),
      }),
      silent,
    );
    const [p, a] = ['product', 'anchor'];
    expect(order).toEqual([p, a, p, a, a, p, p, a, 'closed']);
  });

  test('tells what else was seen', async () => {
    const open = async () => ({ ...pair([1], [1]), detail: '3 of these, 4 of those' });
    expect(await measureRow(row([1], [1], { open }), silent)).toMatchObject({
      detail: '3 of these, 4 of those',
    });
  });

  test('that lacks something is skipped, never passed', async () => {
    const open = async () => ({ notHere: 'dist/cli.js is not built; run: npm run build' });
    const result = await measureRow(row([], [], { open }), silent);
    expect(result).toMatchObject({
      status: 'skipped',
      reason: 'dist/cli.js is not built; run: npm run build',
      ratio: null,
      n: 0,
    });
  });

  test('that breaks has failed, whatever is gated, and its processes are ended', async () => {
    let closed = 0;
    const broken: Pair = {
      product: async () => {
        throw new Error('19 tool calls ran, expected 20');
      },
      anchor: async () => 1,
      close: async () => void (closed += 1),
    };
    const wall = row([], [], { kind: 'wall', open: async () => broken, rounds: { quick: 1, full: 1 } });
    expect(await measureRow(wall, { ...silent, mode: 'quick' })).toMatchObject({
      status: 'fail',
      gated: true,
      reason: 'the measurement broke: 19 tool calls ran, expected 20',
    });
    expect(closed).toBe(1);
  });

  test('whose anchor moves too much is measured once more', async () => {
    const anchor = [10, 30, 10, 10];
    const result = await measureRow(row([10, 10], anchor), silent);
    expect(result).toMatchObject({ status: 'pass', ratio: 1, n: 2 });
  });

  test('whose anchor moves too much twice is noisy, neither passed nor failed', async () => {
    const result = await measureRow(row([10, 10], [10, 30, 10, 30]), silent);
    expect(result).toMatchObject({
      status: 'noisy',
      reason: 'the anchor moved too much, twice: the machine is busy',
    });
  });
});

test.each([
  // ratio, row, options → status, gated, reason
  [1.1, {}, {}, 'pass', true, null],
  [1.11, {}, {}, 'fail', true, 'above 1.1'],
  [1.11, {}, { tolerance: 1.5 }, 'pass', true, 'above the goal, within the tolerance of 1.5'],
  [1.66, {}, { tolerance: 1.5 }, 'fail', true, 'above 1.65'],
  [6, { bound: 'min', goal: 6 }, {}, 'pass', true, null],
  [5.9, { bound: 'min', goal: 6 }, {}, 'fail', true, 'below 6'],
  [
    4,
    { bound: 'min', goal: 6 },
    { tolerance: 1.5 },
    'pass',
    true,
    'below the goal, within the tolerance of 1.5',
  ],
  [1.2, { kind: 'exact' }, { tolerance: 1.5 }, 'fail', true, 'above 1.1'],
  [1.2, { kind: 'wall' }, { mode: 'full' }, 'fail', true, 'above 1.1'],
  [
    1.2,
    { kind: 'wall' },
    { mode: 'quick', tolerance: 1.5 },
    'fail',
    false,
    'above 1.1; wall time is not gated in this mode',
  ],
] as const)('a ratio of %s for %o with %o: %s', (ratio, more, options, status, gated, reason) => {
  const samples = { product: [ratio], anchor: [1] };
  const judged = judge(row([], [], more), samples, { ...silent, ...options });
  expect(judged).toMatchObject({ status, gated, reason });
});

test.each([
  [[3], 3],
  [[9, 1, 5], 5],
  [[4, 1, 3, 2], 2.5],
])('the median of %o is %s', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test('nothing has no median', () => {
  expect(() => median([])).toThrow('no samples');
});

import { expect, test } from 'vitest';
import { benchOptions, UsageError } from '../../bench/options.ts';

const known = ['S1', 'L1', 'L2.ai', 'L2.agents'];

test.each([
  [[], { mode: 'full', tolerance: 1, ids: known }],
  [['--full'], { mode: 'full', tolerance: 1, ids: known }],
  [['--quick'], { mode: 'quick', tolerance: 1.5, ids: known }],
  [['--quick', '--tolerance', '2'], { mode: 'quick', tolerance: 2, ids: known }],
  [['--only', 'L2, S1'], { mode: 'full', tolerance: 1, ids: ['S1', 'L2.ai', 'L2.agents'] }],
  [['--only=L2.ai'], { mode: 'full', tolerance: 1, ids: ['L2.ai'] }],
  [['--help'], undefined],
])('%j', (args, options) => {
  expect(benchOptions(args, known)).toEqual(options);
});

test.each([
  [['--fast'], /--fast/],
  [['--quick', '--full'], /exclude each other/],
  [['--only', 'S9'], /no row "S9"; there are S1, L1, L2\.ai, L2\.agents/],
  [['--only', 'L'], /no row "L"/],
  [['--only', ','], /there are S1/],
  [['--tolerance', '0.5'], /a number from 1 on, got "0\.5"/],
  [['--tolerance', 'much'], /got "much"/],
  [['S1'], /S1/],
])('%j is a mistake that is told', (args, message) => {
  expect(() => benchOptions(args, known)).toThrow(UsageError);
  expect(() => benchOptions(args, known)).toThrow(message);
});

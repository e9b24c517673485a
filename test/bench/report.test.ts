import { expect, test } from 'vitest';
import type { RowResult } from '../../bench/harness.ts';
import { exitCode, report } from '../../bench/report.ts';

function result(status: RowResult['status'], more: Partial<RowResult> = {}): RowResult {
  return {
    id: 'X1',
    metric: 'µs',
    product: 1,
    anchor: 1,
    ratio: 1,
    goal: 1.1,
    bound: 'max',
    gated: true,
    status,
    reason: null,
    detail: null,
    n: 5,
    ratioMin: 1,
    ratioMax: 1,
    ...more,
  };
}

test('a report says where and how it was measured, every row, and how many came to what', () => {
  const at = new Date('2026-03-01T10:00:00Z');
  const measured = [result('pass'), result('pass'), result('noisy'), result('skipped', { ratio: null })];
  expect(report({ at, mode: 'quick', tolerance: 1.5 }, measured)).toEqual({
    schema: 1,
    at: '2026-03-01T10:00:00.000Z',
    node: process.version,
    cpus: expect.any(Number),
    loadavg: [expect.any(Number), expect.any(Number), expect.any(Number)],
    mode: 'quick',
    tolerance: 1.5,
    rows: measured,
    passed: 2,
    failed: 0,
    noisy: 1,
    skipped: 1,
  });
});

test.each([
  [[], 0],
  [[result('pass'), result('noisy'), result('skipped')], 0],
  [[result('pass'), result('fail')], 1],
  [[result('fail', { gated: false })], 0],
])('exit code of %o', (measured, code) => {
  expect(exitCode(measured)).toBe(code);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rows } from '../../bench/rows.ts';

test('every row has an id of its own, a unit, and enough rounds for a median where figures move', () => {
  expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  for (const { metric, rounds, kind } of rows) {
    const least = kind === 'exact' ? 1 : 3;
    expect(metric).toMatch(/ \/ .*; \S+/);
    expect(Math.min(rounds.quick, rounds.full)).toBeGreaterThanOrEqual(least);
  }
});

test('docs/performance.md lists the rows in their order, with their goals', () => {
  const listed = readFileSync('docs/performance.md', 'utf8')
    .split('\n')
    .flatMap(
      (line) => /^\| ([A-Z]\d[\w.]*) \|.*\| ([≤≥]) ([\d.]+) \|$/.exec(line)?.slice(1, 4).join(' ') ?? [],
    )
    .map((line) => line.replace(/(\.\d)0$/, '$1'));
  expect(listed).toEqual(rows.map(({ id, bound, goal }) => `${id} ${bound === 'max' ? '≤' : '≥'} ${goal}`));
});

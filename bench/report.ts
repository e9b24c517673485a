/** The one JSON object that a run prints, and the exit code it stands for. */
import { cpus, loadavg } from 'node:os';
import type { Mode, RowResult } from './harness.ts';

export interface Report {
  readonly schema: 1;
  /** When the run began, ISO 8601. */
  readonly at: string;
  readonly node: string;
  readonly cpus: number;
  /** Averages over 1, 5 and 15 minutes at the end of the run. */
  readonly loadavg: readonly number[];
  readonly mode: Mode;
  readonly tolerance: number;
  readonly rows: readonly RowResult[];
  readonly passed: number;
  readonly failed: number;
  readonly noisy: number;
  readonly skipped: number;
}

export function report(
  run: { readonly at: Date; readonly mode: Mode; readonly tolerance: number },
  rows: readonly RowResult[],
): Report {
  const count = (status: RowResult['status']) => rows.filter((row) => row.status === status).length;
  return {
    schema: 1,
    at: run.at.toISOString(),
    node: process.version,
    cpus: cpus().length,
    loadavg: loadavg().map((load) => Math.round(load * 100) / 100),
    mode: run.mode,
    tolerance: run.tolerance,
    rows,
    passed: count('pass'),
    failed: count('fail'),
    noisy: count('noisy'),
    skipped: count('skipped'),
  };
}

/** 1 when a gated goal is missed. A noisy or a skipped row is neither kept nor missed. */
export function exitCode(rows: readonly RowResult[]): 0 | 1 {
  return rows.some((row) => row.status === 'fail' && row.gated) ? 1 : 0;
}

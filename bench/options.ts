/** The command line of the bench. */
import { parseArgs } from 'node:util';
import type { Mode } from './harness.ts';

export const usage = `npm run bench -- [--quick | --full] [--only S1,L2] [--tolerance 1.5]

  --quick      fewer rounds, about three minutes; CPU goals are met at goal × 1.5 (for CI)
  --full       all rounds, goals as they stand (default)
  --only       rows to run; L2 stands for all rows that begin with "L2."
  --tolerance  factor on the goals of CPU rows, at least 1

Prints one JSON object on stdout and progress on stderr. Exits with 1 when a gated goal is missed, with 2 on a mistake
in the arguments.`;

export interface BenchOptions {
  readonly mode: Mode;
  readonly tolerance: number;
  /** Ids of the rows to run, in the order of the table. */
  readonly ids: readonly string[];
}

/** A mistake in the arguments; the message says what to write. */
export class UsageError extends Error {}

/** Reads the arguments. `undefined` when help was asked for; throws `UsageError` for a mistake. */
export function benchOptions(args: readonly string[], known: readonly string[]): BenchOptions | undefined {
  const { quick, full, only, tolerance, help } = parsed(args);
  if (help) return undefined;
  if (quick && full) throw new UsageError('--quick and --full exclude each other');
  const factor = tolerance === undefined ? (quick ? 1.5 : 1) : Number(tolerance);
  if (!(factor >= 1)) {
    throw new UsageError(`--tolerance: expected a number from 1 on, got "${tolerance}"`);
  }
  return { mode: quick ? 'quick' : 'full', tolerance: factor, ids: selected(only, known) };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean', default: false },
        full: { type: 'boolean', default: false },
        only: { type: 'string' },
        tolerance: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function selected(only: string | undefined, known: readonly string[]): string[] {
  if (only === undefined) return [...known];
  const names = only
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const stands = (name: string, id: string) => id === name || id.startsWith(`${name}.`);
  const unknown = names.filter((name) => !known.some((id) => stands(name, id)));
  if (unknown.length > 0 || names.length === 0) {
    throw new UsageError(`--only: no row "${unknown.join('", "')}"; there are ${known.join(', ')}`);
  }
  return known.filter((id) => names.some((name) => stands(name, id)));
}

/** `npm run bench`: measures the rows and prints what came of it. Meaning of the rows: `docs/performance.md`. */
import { measureRow, type RowResult } from './harness.ts';
import { benchOptions, UsageError, usage } from './options.ts';
import { exitCode, report } from './report.ts';
import { rows } from './rows.ts';

async function main(args: readonly string[]): Promise<number> {
  const options = benchOptions(
    args,
    rows.map((row) => row.id),
  );
  if (options === undefined) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const { mode, tolerance, ids } = options;
  const at = new Date();
  const progress = (text: string) => void process.stderr.write(`${text}\n`);
  const results: RowResult[] = [];
  for (const row of rows) {
    if (!ids.includes(row.id)) continue;
    const result = await measureRow(row, { mode, tolerance, progress });
    progress(resultLine(result));
    results.push(result);
  }
  process.stdout.write(`${JSON.stringify(report({ at, mode, tolerance }, results), null, 2)}\n`);
  return exitCode(results);
}

function resultLine({ id, status, ratio, bound, goal, reason, detail }: RowResult): string {
  const figure = ratio === null ? '' : ` ${ratio} (goal ${bound === 'max' ? '≤' : '≥'} ${goal})`;
  return `${id}: ${status}${figure}${reason === null ? '' : `, ${reason}`}${detail === null ? '' : `; ${detail}`}`;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n\n${usage}\n`);
  process.exitCode = 2;
}

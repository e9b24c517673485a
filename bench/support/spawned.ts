/** CPU time of a whole process, from its first instruction to its end. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Runs `node` with these arguments to its end. Unit: milliseconds. Node tells nothing about the CPU of a child; the
 * `time` of bash does, to a millisecond. Rejects when the program fails or when there is no bash.
 */
export async function cpuOfNode(...args: readonly string[]): Promise<number> {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null 2>&1 </dev/null';
  const env = { ...process.env, LC_ALL: 'C', NODE_OPTIONS: '' };
  const { stderr } = await run('bash', ['-c', script, 'bash', process.execPath, ...args], { env });
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number);
  return (user + system) * 1_000;
}

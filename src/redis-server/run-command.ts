/** Runs a program of the system to its end, with a time limit. */
import { execFile } from 'node:child_process';

export interface CommandOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly timeoutMs: number;
}

export interface CommandResult {
  readonly ok: boolean;
  readonly output: string;
  /** Why it failed, in one line; empty when it did not. */
  readonly failure: string;
}

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Never rejects: a program that is missing, fails or takes too long is a result too. */
export function runCommand(
  command: string,
  args: readonly string[],
  { env, cwd, timeoutMs }: CommandOptions,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const options = { env, cwd, timeout: timeoutMs, maxBuffer: MAX_OUTPUT_BYTES };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      const why = error?.killed
        ? `no end after ${timeoutMs / 1000} s`
        : lastLine(stderr) || error?.message || '';
      resolve({
        ok: error === null,
        output: stdout,
        failure: error ? `${command} ${args[0] ?? ''}: ${why}` : '',
      });
    });
    child.stdin?.end(); // Whoever asks a question gets no answer instead of waiting for one.
  });
}

/** The last line that says something; apt puts its reason there, behind `E: `. */
function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}

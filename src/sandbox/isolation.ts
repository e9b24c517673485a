/** How a process is started so that the system itself keeps it in. */
import { spawn } from 'node:child_process';

/** More than any run may take. Unit: seconds. */
const maxCpuS = 30;
/** A program whose worker was killed ends by itself. */
const leash = ['sh', '-c', `ulimit -t ${maxCpuS}; exec "$@"`, 'sh'];

/** In front of a command, what of this the system has: an end to its CPU time, and no network. */
export function outerWalls(): Promise<readonly string[]> {
  return firstThatWorks([
    [...leash, 'unshare', '--net'],
    [...leash, 'unshare', '--net', '--map-root-user'],
    leash,
  ]);
}

/** None, where none of them can be put in front of a command. */
export async function firstThatWorks(prefixes: readonly (readonly string[])[]): Promise<readonly string[]> {
  for (const prefix of prefixes) if (await works(prefix)) return prefix;
  return [];
}

function works([command = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const tried = spawn(command, [...args, 'true'], { stdio: 'ignore', env: {} });
    tried.once('error', () => resolve(false)); // there is no such command
    tried.once('exit', (code) => resolve(code === 0));
  });
}

/** No files but those below `readable`, no processes, no threads, no code made from text. */
export function nodeFlags(readable: readonly string[], heapMb: number): readonly string[] {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  return [
    permission,
    ...readable.map((path) => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    '--disable-proto=delete',
    '--no-warnings',
    `--max-old-space-size=${heapMb}`,
  ];
}

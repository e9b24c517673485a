/** How a process is started so that the system itself keeps it in. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** In front of a command: without a network where the system allows that to whoever we are. */
export async function withoutNetwork(): Promise<readonly string[]> {
  for (const prefix of [
    ['unshare', '--net'],
    ['unshare', '--net', '--map-root-user'],
  ]) {
    const [command = '', ...args] = prefix;
    const tried = spawn(command, [...args, 'true'], { stdio: 'ignore' });
    const [code] = await Promise.race([once(tried, 'exit'), once(tried, 'error').then(() => [1])]);
    if (code === 0) return prefix;
  }
  return [];
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

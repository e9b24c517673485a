/** Data folders, and processes that share their Redis. Whatever a test leaves behind is ended when it is over. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/observe/clock.ts';
import { connectRedis, parseRedisUrl } from '../../../src/redis-server/connect.ts';
import { stateOf } from '../../../src/redis-server/processes.ts';
import { type RedisServer, startRedisServer } from '../../../src/redis-server/run-server.ts';
import { openServerFolder, readNote } from '../../../src/redis-server/server-folder.ts';
import { quietLog } from '../../support/quiet-log.ts';

interface Docent {
  readonly process: ChildProcess;
  readonly url: string;
  readonly owned: boolean;
  readonly failure?: string;
  /** Resolves when the process has ended after a normal stop. */
  stop(): Promise<void>;
  /** kill -9 */
  kill(): Promise<void>;
}

/** A new folder, or a path inside of it; the server there is killed and all of it removed after the test. */
export function newFolder(...inside: string[]): string {
  const outer = mkdtempSync(path.join(tmpdir(), 'docent-'));
  const folder = path.join(outer, ...inside);
  onTestFinished(async () => {
    const pid = existsSync(path.join(folder, 'redis')) ? await serverPid(folder) : undefined;
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    rmSync(outer, { recursive: true, force: true });
    if (pid !== undefined) throw new Error(`the test left a server behind on ${folder}`);
  });
  return folder;
}

/** The process number of the server that runs on a folder. */
export async function serverPid(dataFolder: string): Promise<number | undefined> {
  const note = readNote(await openServerFolder(dataFolder));
  return note && stateOf(note.server) === 'running' ? note.server.pid : undefined;
}

/** Uses the folder's Redis in this process. */
export async function start(dataFolder: string): Promise<RedisServer> {
  const server = await startRedisServer({ dataFolder, clock: systemClock, log: quietLog });
  onTestFinished(() => server.stop());
  return server;
}

/** Uses the folder's Redis in another process. */
export async function startElsewhere(dataFolder: string, as: { uid?: number } = {}): Promise<Docent> {
  const script = fileURLToPath(new URL('./one-docent.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, dataFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...as,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    ...JSON.parse(String(line)),
    process: child,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** A client that is closed after the test. */
export function clientOf(url: string): Redis {
  const client = connectRedis(parseRedisUrl(url), { whenAway: 'wait', log: quietLog });
  if (!(client instanceof Redis)) throw new Error('expected a single server');
  onTestFinished(() => client.disconnect());
  return client;
}

/** Waits for something that another process does; tests run out of time when it never does. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
}

export function logOf(dataFolder: string): string {
  return readFileSync(path.join(dataFolder, 'redis', 'redis.log'), 'utf8');
}

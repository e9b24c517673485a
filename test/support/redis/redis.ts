/** A real Redis for tests: a server of its own on a free port, with nothing of anybody else in it. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { endWithUs } from '../guard.ts';

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  readonly redis: Redis;
  /** A further connection; closed with the server. */
  connect(): Redis;
  /** Empties it. */
  clear(): Promise<void>;
  /** Ends the server; what it keeps depends on its arguments. */
  stop(): Promise<void>;
  /** Freezes the server (`SIGSTOP`) or lets it go on (`SIGCONT`). */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Starts it again on the same port and folder; resolves when it answers. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** `args` are appended to the server's command line. */
export async function startTestRedis(args: readonly string[] = []): Promise<TestRedis> {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-redis-'));
  const port = await freePort();
  const run = () => {
    const settings = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
    ];
    const started = spawn('redis-server', [...settings, ...args], { stdio: 'ignore' });
    if (started.pid !== undefined) started.once('exit', endWithUs(started.pid));
    return started;
  };
  let server = run();
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  };
  const connections: Redis[] = [];
  const connect = () => {
    const connection = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null });
    connection.on('error', () => {}); // while the server starts or is away
    connections.push(connection);
    return connection;
  };
  const redis = connect();
  await redis.ping();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    redis,
    connect,
    clear: async () => void (await redis.flushall()),
    stop: () => end('SIGTERM'),
    signal: (name) => void server.kill(name),
    async start() {
      server = run();
      await redis.ping();
    },
    async close() {
      for (const connection of connections) connection.disconnect();
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

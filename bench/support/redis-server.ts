/** A Redis of the bench's own: on a free port, with nothing in it, gone with the row. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { RedisServerError } from '../../src/redis-server/failure.ts';
import { findRedisServer } from '../../src/redis-server/find-server.ts';
import type { ServerProgram } from '../../src/redis-server/server-program.ts';
import type { NotHere } from '../harness.ts';

export interface BenchRedis {
  readonly pid: number | undefined;
  readonly url: string;
  readonly redis: Redis;
  /** Of the whole server since it started. Unit: microseconds. */
  cpu(): Promise<number>;
  /** What is in use. Unit: bytes. */
  memory(): Promise<number>;
  close(): Promise<void>;
}

/** The program is found, or fetched, as the product does it for its own. */
export async function startRedis(): Promise<BenchRedis | NotHere> {
  const program = await findProgram();
  if ('notHere' in program) return program;
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-bench-'));
  const port = await freePort();
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: folder };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn(program.command, [...(program.args ?? []), ...args], {
    stdio: 'ignore',
    env: { ...process.env, ...program.env },
  });
  await once(server, 'spawn');
  const redis = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null });
  redis.on('error', () => {}); // while the server starts
  await redis.ping();
  const figure = async (section: string, name: string) => {
    const info = await redis.info(section);
    return Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  };
  return {
    pid: server.pid,
    url: `redis://127.0.0.1:${port}`,
    redis,
    cpu: async () => 1e6 * ((await figure('cpu', 'used_cpu_user')) + (await figure('cpu', 'used_cpu_sys'))),
    memory: () => figure('memory', 'used_memory'),
    async close() {
      redis.disconnect();
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function findProgram(): Promise<ServerProgram | NotHere> {
  try {
    return await findRedisServer({ dataFolder: '.docent', env: process.env, log: console.error });
  } catch (error) {
    if (!(error instanceof RedisServerError)) throw error;
    return { notHere: `${error.message}. ${error.hint}` };
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

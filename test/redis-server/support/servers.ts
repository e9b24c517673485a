/** Redis servers of every kind for one test each, and strangers that are none. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { findRedisServer } from '../../../src/redis-server/find-server.ts';
import { newFolder, until } from './docents.ts';

export interface TestServer {
  readonly port: number;
  /** Kills it and starts it again on the same data and port. */
  restart(): Promise<void>;
  kill(): Promise<void>;
}

/** A real server with these lines in its configuration. */
export function redisWith(...lines: string[]): Promise<TestServer> {
  return launch(['save ""', ...lines], []);
}

/** A sentinel that watches the server at `port` under the name `main`. */
export function sentinelOf(port: number): Promise<TestServer> {
  return launch([`sentinel monitor main 127.0.0.1 ${port} 1`], ['--sentinel']);
}

async function launch(lines: readonly string[], args: readonly string[]): Promise<TestServer> {
  const folder = newFolder();
  const { command, env } = await findRedisServer({ dataFolder: folder, env: process.env, log: () => {} });
  const port = await freePort();
  const config = path.join(folder, 'redis.conf');
  writeFileSync(config, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...lines].join('\n'));
  const begin = () => spawn(command, [config, ...args], { stdio: 'ignore', env: { ...process.env, ...env } });
  let server = begin();
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  onTestFinished(kill);
  await untilListening(port);
  return {
    port,
    kill,
    async restart() {
      await kill();
      server = begin();
      await untilListening(port);
    },
  };
}

/** Something that listens at a loopback port and answers in its own way. */
export async function stranger(answer: (request: string, socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => answer(data.toString(), socket));
    onTestFinished(() => void socket.destroy());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** As much of Redis 5 as a client needs to find out that it is one: no HELLO, and INFO with its version. */
export function redis5(request: string, socket: Socket): void {
  for (const [, command = ''] of request.matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
    socket.write(answerOfRedis5(command.toLowerCase()));
  }
}

function answerOfRedis5(command: string): string {
  if (command === 'ping') return '+PONG\r\n';
  if (command !== 'info') return `-ERR unknown command \`${command}\`\r\n`;
  const info = 'redis_version:5.0.7\r\nloading:0\r\nmaxmemory_policy:noeviction\r\nrole:master\r\n';
  return `$${info.length}\r\n${info}\r\n`;
}

/** Low enough for the port of a cluster's bus, which is 10000 higher. */
export async function freePort(): Promise<number> {
  for (;;) {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const address = probe.address();
    probe.close();
    await once(probe, 'close');
    if (typeof address === 'object' && address !== null && address.port < 55_000) return address.port;
  }
}

async function untilListening(port: number): Promise<void> {
  const client = new Redis({ port, retryStrategy: () => 10, enableReadyCheck: false, protocol: 2 });
  let isListening = false;
  client.on('error', () => {});
  client.on('connect', () => (isListening = true));
  await until(() => isListening);
  client.disconnect();
}

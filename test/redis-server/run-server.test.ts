import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/observe/clock.ts';
import type { Clock } from '../../src/ports/runtime.ts';
import { RedisServerError } from '../../src/redis-server/failure.ts';
import { markOf, stateOf } from '../../src/redis-server/processes.ts';
import { startRedisServer } from '../../src/redis-server/run-server.ts';
import { openServerFolder, writeNote } from '../../src/redis-server/server-folder.ts';
import { commandOnPath } from '../../src/redis-server/server-program.ts';
import { quietLog } from '../support/quiet-log.ts';
import { clientOf, logOf, newFolder, serverPid, start, startElsewhere, until } from './support/docents.ts';

test('what was stored is there after a stop and a new start', async () => {
  const folder = newFolder();
  const first = await start(folder);
  expect(first.owned).toBe(true);
  const client = clientOf(first.url);
  await client.set('question', 'Which chapter?');
  client.disconnect();
  await first.stop();
  expect(await serverPid(folder)).toBeUndefined();

  const second = await start(folder);
  expect(await clientOf(second.url).get('question')).toBe('Which chapter?');
});

test('the server throws nothing away, writes every second and is closed to other users', async () => {
  const folder = newFolder();
  const { url } = await start(folder);
  const client = clientOf(url);
  const settings = ['appendonly', 'appendfsync', 'save', 'maxmemory-policy', 'port'];
  const values = await Promise.all(settings.map((name) => client.config('GET', name)));
  expect(values).toEqual([
    ['appendonly', 'yes'],
    ['appendfsync', 'everysec'],
    ['save', ''],
    ['maxmemory-policy', 'noeviction'],
    ['port', '0'],
  ]);
  expect(statSync(path.join(folder, 'redis')).mode & 0o777).toBe(0o700);
  expect(url).toBe(`unix://${path.join(folder, 'redis', 'redis.sock')}`);
});

describe('several processes on one folder', () => {
  test('the second joins, and the server ends with the last one', async () => {
    const folder = newFolder();
    const first = await startElsewhere(folder);
    const second = await startElsewhere(folder);
    expect([first.owned, second.owned, second.url === first.url]).toEqual([true, false, true]);

    const pid = await serverPid(folder);
    await first.stop();
    expect(await serverPid(folder)).toBe(pid);
    await second.stop();
    await until(async () => (await serverPid(folder)) === undefined);
  });

  test('four at the same moment start one server', async () => {
    const folder = newFolder();
    const all = await Promise.all([1, 2, 3, 4].map(() => startElsewhere(folder)));
    const url = `unix://${path.join(folder, 'redis', 'redis.sock')}`;
    expect(all.map((docent) => docent.failure ?? docent.url)).toEqual([url, url, url, url]);
    expect(all.filter(({ owned }) => owned)).toHaveLength(1);
    expect(logOf(folder).match(/Redis is starting/g)).toHaveLength(1);
    await Promise.all(all.map((docent) => docent.stop()));
    await until(async () => (await serverPid(folder)) === undefined);
  });

  test('its folders can be made by several at the same moment', async () => {
    const folder = newFolder('new', 'folder');
    const made = await Promise.all(Array.from({ length: 20 }, () => openServerFolder(folder)));
    expect(new Set(made.map(({ root }) => root))).toEqual(new Set([path.join(folder, 'redis')]));
  });

  test('the server outlives a killed process, keeps its data and is adopted by the next start', async () => {
    const folder = newFolder();
    const killed = await startElsewhere(folder);
    await clientOf(killed.url).set('open', 'question');
    const pid = await serverPid(folder);
    await killed.kill();

    const next = await start(folder);
    expect([next.owned, await serverPid(folder)]).toEqual([true, pid]);
    expect(await clientOf(next.url).get('open')).toBe('question');
    await next.stop();
    expect(await serverPid(folder)).toBeUndefined();
  });

  test('a process that was killed while it joined keeps nobody out', async () => {
    const folder = newFolder();
    const { root } = await openServerFolder(folder);
    const dead = markOf(process.pid);
    writeFileSync(path.join(root, 'lock-7'), JSON.stringify({ ...dead, began: 'another time' }));
    const server = await start(folder);
    expect(server.owned).toBe(true);
    expect(readdirSync(root).filter((name) => name.startsWith('lock'))).toEqual(['lock-7', 'lock-8.free']);
  });

  test('a copy of the folder gets a server of its own', async () => {
    const folder = newFolder();
    const original = await start(folder);
    await clientOf(original.url).set('where', 'original');
    const copy = newFolder();
    cpSync(folder, copy, { recursive: true, filter: (file) => !file.endsWith('.sock') });
    const other = await start(copy);
    expect(await serverPid(copy)).not.toBe(await serverPid(folder));
    await clientOf(other.url).set('where', 'copy');
    expect(await clientOf(original.url).get('where')).toBe('original');
  });
});

describe('a server that dies', () => {
  test('is started again at the same address with its data', async () => {
    const folder = newFolder();
    const { url } = await start(folder);
    const client = clientOf(url);
    await client.set('kept', 'yes');
    const pid = (await serverPid(folder)) ?? 0;
    process.kill(pid, 'SIGKILL');
    expect(await client.get('kept')).toBe('yes');
    expect(await serverPid(folder)).not.toBe(pid);
  });

  test('is started once, whoever of those who share it notices first', async () => {
    const folder = newFolder();
    const [first, second] = [await start(folder), await startElsewhere(folder)];
    process.kill((await serverPid(folder)) ?? 0, 'SIGKILL');
    const client = clientOf(first.url);
    await until(async () => String(await client.client('LIST')).match(/name=docent-present/g)?.length === 2);
    await first.stop();
    await client.ping();
    await second.stop();
    expect(logOf(folder).match(/Redis is starting/g)).toHaveLength(2);
  });

  test('whose number belongs to another process now is not waited for', async () => {
    const folder = newFolder();
    const own = markOf(process.pid);
    if (own === undefined) throw new Error('this process runs');
    writeNote(await openServerFolder(folder), {
      server: { ...own, began: 'before this process' },
      address: { kind: 'socket' },
    });
    expect((await start(folder)).owned).toBe(true);
  });

  test('but only says nothing is not doubled: the start fails and names its folder', async () => {
    const folder = newFolder();
    await start(folder);
    const pid = (await serverPid(folder)) ?? 0;
    process.kill(pid, 'SIGSTOP');
    onTestFinished(() => void process.kill(pid, 'SIGCONT'));
    const said: string[] = [];
    const options = {
      dataFolder: folder,
      clock: fastClock(20),
      log: quietLog,
      say: (line: string) => said.push(line),
    };
    await expect(startRedisServer(options)).rejects.toThrow(
      `the Redis of ${folder} (DOCENT_DATA) runs but does not answer`,
    );
    expect(new Set(said)).toEqual(new Set(['Waiting for Redis to answer …']));
  });
});

describe('a stop', () => {
  test('does not hang on a server that says nothing; the next start goes on with it', async () => {
    const folder = newFolder();
    const warnings: string[] = [];
    const log = { ...quietLog, warn: (_: unknown, message: string) => warnings.push(message) };
    const server = await startRedisServer({ dataFolder: folder, clock: fastClock(20), log });
    const pid = (await serverPid(folder)) ?? 0;
    process.kill(pid, 'SIGSTOP');
    await server.stop();
    process.kill(pid, 'SIGCONT');
    expect(warnings).toEqual([
      'Redis did not shut down; it keeps its data and the next start goes on with it',
    ]);
    expect(await clientOf((await start(folder)).url).ping()).toBe('PONG');
  });

  test('ends the server also when its folder was removed', async () => {
    const folder = newFolder();
    const server = await start(folder);
    const mark = markOf((await serverPid(folder)) ?? 0);
    if (mark === undefined) throw new Error('the server runs');
    rmSync(folder, { recursive: true });
    await server.stop();
    expect(stateOf(mark)).toBe('gone');
  });

  test('may be asked for twice', async () => {
    const server = await start(newFolder());
    expect(await Promise.all([server.stop(), server.stop()])).toEqual([undefined, undefined]);
  });
});

describe('where a socket cannot be', () => {
  const longName = 'x'.repeat(100);

  test('a folder with a long path gets a loopback port with a password', async () => {
    const folder = newFolder(longName);
    const { url, stop } = await start(folder);
    expect(url).toMatch(/^redis:\/\/:[0-9a-f]{64}@127\.0\.0\.1:\d+$/);
    expect(await clientOf(url).config('GET', 'bind')).toEqual(['bind', '127.0.0.1']);
    expect(statSync(path.join(folder, 'redis', 'redis.conf')).mode & 0o777).toBe(0o600);
    await expect(clientOf(url.replace(/:[0-9a-f]{64}@/, '')).ping()).rejects.toThrow('NOAUTH');
    await stop();
  });

  test('a second process finds the port, and a server that dies comes back at it', async () => {
    const folder = newFolder(longName);
    const first = await start(folder);
    const second = await start(folder);
    expect([second.url, second.owned]).toEqual([first.url, false]);
    const client = clientOf(first.url);
    await client.set('kept', 'yes');
    process.kill((await serverPid(folder)) ?? 0, 'SIGKILL');
    expect(await client.get('kept')).toBe('yes');
  });

  test('another port is taken when the last one is in use', async () => {
    const folder = newFolder(longName);
    const first = await start(folder);
    const { port } = new URL(first.url);
    await first.stop();
    const stranger = await startStranger(Number(port));
    const second = await start(folder);
    expect(new URL(second.url).port).not.toBe(port);
    expect(await clientOf(second.url).ping()).toBe('PONG');
    stranger();
  });
});

describe('a data folder that cannot be used', () => {
  test('there is a file in its place', async () => {
    const file = path.join(newFolder(), 'data');
    writeFileSync(file, '');
    await expect(start(file)).rejects.toThrow(
      `DOCENT_DATA: expected a folder that can be written, got ${file} (there is a file in its place)`,
    );
  });

  test.skipIf(process.platform !== 'linux')('no folder can be made in its place', async () => {
    await expect(start('/proc/docent')).rejects.toThrow(
      'DOCENT_DATA: expected a folder that can be written, got /proc/docent (',
    );
  });

  test('it belongs to another user', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o555);
    const docent = await startElsewhere(folder, process.getuid?.() === 0 ? { uid: 65_534 } : {});
    expect(docent.failure).toBe(
      `DOCENT_DATA: expected a folder that can be written, got ${folder} (it belongs to another user or is read-only)`,
    );
  });

  // The scripts that stand for a Redis without installation in tests bring no redis-check-aof.
  test.skipIf(commandOnPath('redis-check-aof', process.env) === undefined)(
    'its data are damaged: the message has the line that repairs them',
    async () => {
      const folder = newFolder();
      const server = await start(folder);
      await clientOf(server.url).set('a', 'b');
      await server.stop();
      const file = path.join(folder, 'redis', 'data', 'appendonlydir', 'appendonly.aof.1.incr.aof');
      writeFileSync(file, 'not an append-only file\r\n');
      const failure = await start(folder).catch((error: unknown) => error);
      if (!(failure instanceof RedisServerError)) throw new Error('expected the start to fail');
      expect(failure.message).toContain(`(DOCENT_DATA) is damaged: Bad file format`);
      const [, line = ''] = /damaged end with: (.*)$/.exec(failure.hint) ?? [];
      execFileSync('sh', ['-c', line], { input: 'y\n' });
      expect(await clientOf((await start(folder)).url).ping()).toBe('PONG');
    },
  );

  test('no Redis is to be had: the message says how to get one', async () => {
    const dataFolder = newFolder();
    const bin = path.join(dataFolder, 'bin');
    mkdirSync(bin);
    const options = { dataFolder, clock: systemClock, log: quietLog, env: { PATH: bin } };
    await expect(startRedisServer(options)).rejects.toThrow(/^Redis 6\.2 or newer is not here/);
  });
});

/** A program that has nothing to do with us and listens at a port. Returns what ends it. */
async function startStranger(port: number): Promise<() => void> {
  const stranger = createServer((socket) => socket.end('hello')).listen(port, '127.0.0.1');
  await once(stranger, 'listening');
  return () => void stranger.close();
}

/** A clock on which real time passes more quickly. */
function fastClock(factor: number): Clock {
  return {
    now: () => systemClock.now() * factor,
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
    after: (ms, run) => systemClock.after(ms / factor, run),
  };
}

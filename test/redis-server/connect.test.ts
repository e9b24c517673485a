import { Cluster, Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '../../src/domain/errors.ts';
import type { Logger } from '../../src/ports/runtime.ts';
import {
  type ConnectOptions,
  connectRedis,
  describeTarget,
  parseRedisUrl,
} from '../../src/redis-server/connect.ts';
import { until } from './support/docents.ts';
import { freePort, redisWith, sentinelOf } from './support/servers.ts';

describe('REDIS_URL', () => {
  const at = (host: string, port: number) => ({ host, port });
  const single = { kind: 'single', isTls: false, db: 0 };

  test.each([
    ['redis://localhost', { ...single, at: at('localhost', 6379) }],
    ['redis://10.0.0.1:7000/3', { ...single, at: at('10.0.0.1', 7000), db: 3 }],
    ['REDIS://host/?db=2', { ...single, at: at('host', 6379), db: 2 }],
    ['redis://[::1]:7000', { ...single, at: at('::1', 7000) }],
    ['rediss://host', { ...single, at: at('host', 6379), isTls: true }],
    ['redis://:secret@host', { ...single, at: at('host', 6379), password: 'secret' }],
    ['redis://anna@host', { ...single, at: at('host', 6379), username: 'anna' }],
    ['redis://anna:p%40ss@host', { ...single, at: at('host', 6379), username: 'anna', password: 'p@ss' }],
    ['redis://:p@s/s:?w#rd@host:1/1', { ...single, at: at('host', 1), db: 1, password: 'p@s/s:?w#rd' }],
    ['redis://:100%@host', { ...single, at: at('host', 6379), password: '100%' }],
    ['unix:///run/redis.sock', { ...single, at: { path: '/run/redis.sock' } }],
    [
      'unix:///a%20b/r@dis.sock?db=2&password=pw',
      { ...single, at: { path: '/a b/r@dis.sock' }, db: 2, password: 'pw' },
    ],
    ['redis+unix:///run/redis.sock', { ...single, at: { path: '/run/redis.sock' } }],
    [
      'redis+cluster://a:1,b:2,c',
      { kind: 'cluster', isTls: false, nodes: [at('a', 1), at('b', 2), at('c', 6379)] },
    ],
    ['rediss+cluster://:pw@a/0', { kind: 'cluster', isTls: true, nodes: [at('a', 6379)], password: 'pw' }],
    [
      'redis+sentinel://:pw@a,b:2/main',
      {
        kind: 'sentinel',
        isTls: false,
        sentinels: [at('a', 26_379), at('b', 2)],
        name: 'main',
        db: 0,
        password: 'pw',
      },
    ],
    [
      'redis+sentinel://a/main/4?sentinelPassword=other',
      {
        kind: 'sentinel',
        isTls: false,
        sentinels: [at('a', 26_379)],
        name: 'main',
        db: 4,
        sentinelPassword: 'other',
      },
    ],
  ])('%s is understood', (url, target) => {
    expect(parseRedisUrl(url)).toEqual(target);
  });

  test.each([
    ['localhost:6379', 'REDIS_URL: expected an address.'],
    ['http://host', 'REDIS_URL: "http://" is not known.'],
    ['redis://', 'REDIS_URL: expected a host.'],
    ['redis://host:port', 'REDIS_URL: expected a host.'],
    ['redis://host:22222222', 'REDIS_URL: there is no port 22222222.'],
    ['redis://host:0', 'REDIS_URL: there is no port 0.'],
    ['redis://host:70000', 'REDIS_URL: there is no port 70000.'],
    ['redis://host/first', 'REDIS_URL: expected the number of a database, got "first".'],
    ['redis://a:1,b:2', 'REDIS_URL: expected one host.'],
    ['redis+cluster://a/1', 'REDIS_URL: a cluster has database 0 only.'],
    ['redis+cluster://a,,b', 'REDIS_URL: expected a host.'],
    ['redis+sentinel://a:1', 'REDIS_URL: the name of the group is missing.'],
    ['unix://run/redis.sock', 'REDIS_URL: expected the path of a socket.'],
  ])('%s is refused with a remedy', (url, problem) => {
    const { problems } = refusal(url);
    expect(problems).toEqual([expect.stringMatching(/^REDIS_URL: .+\. .+\.$/)]);
    expect(problems[0]).toContain(problem);
  });

  test('a problem never shows the password', () => {
    expect(refusal('redis://:hunter2@host:port').message).not.toContain('hunter2');
  });

  test.each([
    ['redis://:pw@[::1]:1', '[::1]:1'],
    ['unix:///run/redis.sock?password=pw', '/run/redis.sock'],
    ['redis+cluster://:pw@a:1,b:2', 'the cluster of a:1, b:2'],
    ['redis+sentinel://:pw@a/main', 'main of the sentinels a:26379'],
  ])('%s is shown without its login', (url, shown) => {
    expect(describeTarget(parseRedisUrl(url))).toBe(shown);
  });
});

describe('a client', () => {
  test('waits while Redis is away, and says once that it is and once that it is not', async () => {
    const server = await redisWith('appendonly yes');
    const { client, lines } = connect(`redis://127.0.0.1:${server.port}`, 'wait');
    await client.set('a', '1');
    await server.kill();
    const answer = client.get('a');
    await until(() => lines.length > 0);
    await server.restart();
    expect(await answer).toBe('1');
    expect(lines).toEqual(['warn: Redis is away, waiting', 'info: Redis is back']);
  });

  test('that may not wait fails within moments, and works again when Redis is back', async () => {
    const server = await redisWith('appendonly yes');
    const { client } = connect(`redis://127.0.0.1:${server.port}`, 'fail');
    await client.ping();
    await server.kill();
    await expect(client.ping()).rejects.toThrow('max retries per request');
    await server.restart();
    expect(await client.ping()).toBe('PONG');
  });

  test('says why Redis is away when it never was there', async () => {
    const port = await freePort();
    const { lines, reasons } = connect(`redis://127.0.0.1:${port}`, 'wait');
    await until(() => lines.length > 0);
    expect(reasons).toEqual([`connect ECONNREFUSED 127.0.0.1:${port}`]);
  });

  test('of sentinels finds the primary', async () => {
    const primary = await redisWith();
    const { port } = await sentinelOf(primary.port);
    const { client } = connect(`redis+sentinel://127.0.0.1:${port}/main`, 'wait');
    if (!(client instanceof Redis)) throw new Error('expected a single client');
    expect(await client.config('GET', 'port')).toEqual(['port', String(primary.port)]);
  });

  test('of a cluster says no more than one of a single server when no node is there', async () => {
    const { client, lines } = connect(`redis+cluster://127.0.0.1:${await freePort()}`, 'wait');
    expect(client).toBeInstanceOf(Cluster);
    await until(() => lines.length > 0);
    expect(lines).toEqual(['warn: Redis is away, waiting']);
  });
});

function refusal(url: string): ConfigError {
  try {
    parseRedisUrl(url);
  } catch (error) {
    if (error instanceof ConfigError) return error;
  }
  throw new Error(`${url} was not refused`);
}

function connect(url: string, whenAway: ConnectOptions['whenAway']) {
  const lines: string[] = [];
  const reasons: unknown[] = [];
  const note = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    lines.push(`${level}: ${message}`);
    reasons.push(fields['reason']);
  };
  const log: Logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const client = connectRedis(parseRedisUrl(url), { whenAway, log });
  onTestFinished(() => client.disconnect());
  return { client, lines, reasons };
}

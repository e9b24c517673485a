import { Cluster } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkRedis } from '../../src/redis-server/check-redis.ts';
import { connectRedis, parseRedisUrl } from '../../src/redis-server/connect.ts';
import { manualClock } from '../support/clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { freePort, redis5, redisWith, stranger } from './support/servers.ts';

test('a Redis with an append-only file and noeviction has no problem', async () => {
  const { port } = await redisWith('appendonly yes');
  expect(await check(`redis://127.0.0.1:${port}`)).toEqual({ problems: [], warnings: [] });
});

describe('what Docent cannot work with', () => {
  test('a wrong password', async () => {
    const { port } = await redisWith('requirepass right');
    const { problems } = await check(`redis://:wrong@127.0.0.1:${port}`);
    expect(problems).toEqual([
      'REDIS_URL: wrong user or password. Write redis://user:password@host:port, without a user for the default one.',
    ]);
  });

  test('a password that is missing', async () => {
    const { port } = await redisWith('requirepass right');
    const { problems } = await check(`redis://127.0.0.1:${port}`);
    expect(problems).toEqual([
      'REDIS_URL: this Redis asks for a password. Write redis://:password@host:port.',
    ]);
  });

  test('a user who may not do enough', async () => {
    const { port } = await redisWith('user little on >pw ~* +ping +hello');
    const { problems } = await check(`redis://little:pw@127.0.0.1:${port}`);
    expect(problems).toEqual([expect.stringContaining('REDIS_URL: this user may not do what Docent needs')]);
  });

  test('a policy that throws keys away', async () => {
    const { port } = await redisWith('maxmemory-policy allkeys-lru');
    const { problems } = await check(`redis://127.0.0.1:${port}`);
    expect(problems).toEqual([
      expect.stringMatching(/^REDIS_URL: the maxmemory-policy of this Redis is allkeys-lru, .*CONFIG SET/),
    ]);
  });

  test('a Redis that is too old, and has never heard of HELLO', async () => {
    const { problems } = await check(`redis://127.0.0.1:${await stranger(redis5)}`);
    expect(problems).toEqual([
      'REDIS_URL: this Redis is 5.0.7, and Docent needs 6.2 or newer. Update it, or unset REDIS_URL and Docent runs one of its own.',
    ]);
  });

  test('a Redis that is full', async () => {
    const { port } = await redisWith('maxmemory 100kb');
    const { problems } = await check(`redis://127.0.0.1:${port}`);
    expect(problems).toEqual([
      'REDIS_URL: the memory of this Redis is full (102400 bytes). Raise maxmemory, or remove data that is not needed.',
    ]);
  });

  test('a replica', async () => {
    const primary = await redisWith();
    const { port } = await redisWith(`replicaof 127.0.0.1 ${primary.port}`);
    const { problems } = await check(`redis://127.0.0.1:${port}`);
    expect(problems).toEqual([expect.stringContaining('REDIS_URL: this Redis is a read-only replica.')]);
  });

  test('a database that does not exist', async () => {
    const { port } = await redisWith();
    const { problems } = await check(`redis://127.0.0.1:${port}/99`);
    expect(problems).toEqual([expect.stringContaining('REDIS_URL: there is no database with this number.')]);
  });

  test('several things at once are told at once', async () => {
    const { port } = await redisWith(
      'maxmemory 100kb',
      'maxmemory-policy volatile-ttl',
      'cluster-enabled yes',
    );
    const { problems } = await check(`redis://127.0.0.1:${port}`);
    expect(problems).toHaveLength(3);
  });
});

describe('clusters', () => {
  test('a cluster is checked node by node', async () => {
    const { port } = await clusterOfOne('maxmemory-policy allkeys-lru');
    const { problems } = await check(`redis+cluster://127.0.0.1:${port}`);
    expect(problems).toEqual([expect.stringContaining('maxmemory-policy')]);
  });

  test('a node of a cluster needs the address of a cluster', async () => {
    const { port } = await redisWith('cluster-enabled yes');
    const { problems } = await check(`redis://127.0.0.1:${port}`);
    expect(problems).toEqual([
      'REDIS_URL: this Redis is a node of a cluster. Write redis+cluster:// instead of redis://.',
    ]);
  });

  test('a single Redis is no sentinel', async () => {
    const { port } = await redisWith();
    const { problems } = await check(`redis+sentinel://127.0.0.1:${port}/main`);
    expect(problems).toEqual([
      'REDIS_URL: what answers there is no sentinel. Write redis:// for a single server; sentinels mostly listen on 26379.',
    ]);
  });

  test('a single Redis is no cluster', async () => {
    const { port } = await redisWith();
    const { problems } = await check(`redis+cluster://127.0.0.1:${port}`);
    expect(problems).toEqual([
      'REDIS_URL: this Redis is no cluster. Write redis:// instead of redis+cluster://.',
    ]);
  });

  test('no node answers', async () => {
    const { problems } = await check(`redis+cluster://127.0.0.1:${await freePort()}`);
    expect(problems).toEqual([expect.stringContaining('REDIS_URL: nothing listens at this address.')]);
  });
});

describe('addresses where no Redis is', () => {
  test('nothing listens there', async () => {
    const { problems } = await check(`redis://127.0.0.1:${await freePort()}`);
    expect(problems).toEqual([expect.stringContaining('REDIS_URL: nothing listens at this address.')]);
  });

  test('a web server answers', async () => {
    const port = await stranger((_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const { problems } = await check(`redis://127.0.0.1:${port}`);
    expect(problems).toEqual(['REDIS_URL: this server is no Redis. Check the port; the usual one is 6379.']);
  });

  test('whatever listens there says nothing for eight seconds', async () => {
    const clock = manualClock();
    const checked = check(`redis://127.0.0.1:${await stranger(() => {})}`, clock);
    await clock.untilWaiting();
    await clock.advance(8000);
    expect((await checked).problems).toEqual([
      expect.stringContaining('REDIS_URL: nothing answers at this address.'),
    ]);
  });
});

test('a Redis that keeps no append-only file is worth a warning', async () => {
  const { port } = await redisWith('appendonly no');
  const { problems, warnings } = await check(`redis://127.0.0.1:${port}`);
  expect(problems).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining('REDIS_URL: this Redis keeps no append-only file')]);
});

test('a policy that cannot be asked for is worth a warning', async () => {
  const info = 'redis_version:7.2.4\r\nrole:master\r\naof_enabled:1\r\n';
  const port = await stranger((request, socket) => {
    for (const [, command = ''] of request.matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
      if (command === 'info') socket.write(`$${info.length}\r\n${info}\r\n`);
      else if (command === 'config') socket.write('-ERR unknown command `config`\r\n');
      else socket.write(command === 'hello' ? '-NOPROTO\r\n' : '+OK\r\n');
    }
  });
  const { problems, warnings } = await check(`redis://127.0.0.1:${port}`);
  expect(problems).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining('does not tell its maxmemory-policy')]);
});

async function check(url: string, clock = manualClock()) {
  const client = connectRedis(parseRedisUrl(url), { whenAway: 'wait', log: quietLog });
  onTestFinished(() => client.disconnect());
  const warnings: string[] = [];
  const problems = await checkRedis(client, { clock, warn: (sentence) => warnings.push(sentence) });
  return { problems, warnings };
}

/** A cluster whose only node has every slot. */
async function clusterOfOne(...lines: string[]) {
  const server = await redisWith(
    'cluster-enabled yes',
    'cluster-announce-ip 127.0.0.1',
    'appendonly yes',
    ...lines,
  );
  const client = connectRedis(parseRedisUrl(`redis://127.0.0.1:${server.port}`), {
    whenAway: 'wait',
    log: quietLog,
  });
  if (client instanceof Cluster) throw new Error('expected a single client');
  await client.cluster('ADDSLOTSRANGE', 0, 16_383);
  while (!(await client.cluster('INFO')).includes('cluster_state:ok')) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  client.disconnect();
  return server;
}

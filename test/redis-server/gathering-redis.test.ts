import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRedis, parseRedisUrl } from '../../src/redis-server/connect.ts';
import { quietLog } from '../support/quiet-log.ts';
import { startTestRedis, type TestRedis } from '../support/redis/redis.ts';

let server: TestRedis;
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());

const open = () => connectRedis(parseRedisUrl(server.url), { whenAway: 'wait', log: quietLog });

/** How often the server has read from a connection. */
async function reads(): Promise<number> {
  return Number(/total_reads_processed:(\d+)/.exec(await server.redis.info('stats'))?.[1]);
}

test('commands of one moment reach the server in few writes, and each gets its own reply', async () => {
  const client = open();
  await client.ping();
  const before = await reads();
  const numbers = Array.from({ length: 200 }, (_, n) => String(n));
  const echoed = await Promise.all(numbers.map((n) => client.echo(n)));
  const after = await reads();
  expect(echoed).toEqual(numbers);
  expect(after - before).toBeLessThan(numbers.length / 4);
  client.disconnect();
});

test('what follows a lost connection arrives', async () => {
  const client = open();
  const id = await client.client('ID');
  const ended = new Promise((resolve) => client.once('close', resolve));
  await server.redis.client('KILL', 'ID', id);
  const sent = client.set('key', 'value');
  await ended;
  expect(await sent).toBe('OK');
  expect(await Promise.all([client.get('key'), client.multi().get('key').exec()])).toEqual([
    'value',
    [[null, 'value']],
  ]);
  client.disconnect();
});

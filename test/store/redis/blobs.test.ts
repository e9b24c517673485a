import { afterAll, beforeAll, expect, test } from 'vitest';
import { UserId } from '../../../src/domain/ids.ts';
import { redisBlobs } from '../../../src/store/redis/blobs.ts';
import { blobKeys } from '../../../src/store/redis/keys.ts';
import { blobsContract, bytesOf } from '../../contracts/blobs.contract.ts';
import { manualClock } from '../../support/clock.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());

blobsContract('files in Redis', async (clock, maxBytes) => {
  await server.clear();
  return redisBlobs({ redis: server.redis, clock, maxBytes });
});

async function open(maxBytes = 2_000_000) {
  await server.clear();
  const clock = manualClock(1_000_000);
  return { clock, blobs: redisBlobs({ redis: server.redis, clock, maxBytes }) };
}

test('it is kept in chunks of 512 KB, and every key of it lapses', async () => {
  const { blobs } = await open();
  await blobs.put(bytesOf(1_200_000), { owner: UserId('discord:1') });
  const chunks = await server.redis.keys('*:chunk:*');
  const sizes = await Promise.all(chunks.toSorted().map((key) => server.redis.strlen(key)));
  expect(sizes).toEqual([524_288, 524_288, 151_424]);
  const keys = await server.redis.keys('*');
  const lasting = [];
  for (const key of keys) if ((await server.redis.ttl(key)) === -1) lasting.push(key);
  expect(lasting.toSorted()).toEqual([blobKeys.lapses, blobKeys.used]);
});

test('a process that died while it wrote takes room for five minutes and leaves nothing', async () => {
  const { blobs, clock } = await open();
  const dying = redisBlobs({
    redis: new Proxy(server.redis, {
      get: (target, name) =>
        name === 'set' ? () => new Promise(() => {}) : Reflect.get(target, name).bind(target),
    }),
    clock,
    maxBytes: 2_000_000,
  });
  void dying.put(bytesOf(1_500_000));
  await expect.poll(() => server.redis.get(blobKeys.used)).toBe('1500000');
  expect(await blobs.put(bytesOf(600_000, 2))).toBe('full');
  // Whoever fetches the same file again finishes what was begun.
  await blobs.delete((await blobs.put(bytesOf(1_500_000))) as never);
  void dying.put(bytesOf(1_500_000));
  await expect.poll(() => server.redis.get(blobKeys.used)).toBe('1500000');
  await clock.advance(5 * 60_000);
  expect(await blobs.put(bytesOf(600_000, 2))).not.toBe('full');
  expect(await server.redis.get(blobKeys.used)).toBe('600000');
});

test('bytes that Redis has dropped are no file, and can be put again without being counted twice', async () => {
  const { blobs } = await open();
  const hash = await blobs.put(bytesOf(1_200_000));
  if (hash === 'full') throw new Error('full');
  await server.redis.del(blobKeys.chunk(hash, 1));
  expect(await blobs.get(hash)).toBeUndefined();
  expect(await blobs.put(bytesOf(1_200_000))).toBe(hash);
  expect(await blobs.get(hash)).toHaveLength(1_200_000);
  expect(await server.redis.get(blobKeys.used)).toBe('1200000');
});

// Tokens of workspaces in Redis: there, and of no use to whoever reads Redis.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redisInstallations } from '../../../src/store/redis/installations.ts';
import { globalKeys } from '../../../src/store/redis/keys.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const secret = '0123456789abcdef0123456789abcdef';
const token = 'xoxb-1-2-abcdefghijkl';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis.close());

test('a token is kept, replaced and removed, by workspace', async () => {
  const installations = redisInstallations(redis.redis, secret, 'slack');
  expect(await installations.tokenOf('T1')).toBeUndefined();
  await installations.put('T1', { token: 'xoxb-old', name: 'Study group' });
  await installations.put('T1', { token, name: 'Study group' });
  expect(await installations.tokenOf('T1')).toBe(token);
  expect(await installations.tokenOf('T2')).toBeUndefined();
  await installations.remove('T1');
  expect(await installations.tokenOf('T1')).toBeUndefined();
});

test('nothing of it can be read without the secret, nor put in the place of another workspace', async () => {
  const installations = redisInstallations(redis.redis, secret, 'slack');
  await installations.put('T1', { token, name: 'Study group' });
  await installations.put('T2', { token: 'xoxb-of-others', name: 'Others' });
  const kept = await redis.redis.get(globalKeys.installation('slack', 'T1'));
  expect(kept).not.toContain('xoxb');
  expect(Buffer.from(kept ?? '', 'base64').toString('latin1')).not.toContain('xoxb');
  expect(
    await redisInstallations(redis.redis, 'another secret of others', 'slack').tokenOf('T1'),
  ).toBeUndefined();
  await redis.redis.set(globalKeys.installation('slack', 'T2'), kept ?? '');
  expect(await installations.tokenOf('T2')).toBeUndefined();
  await redis.redis.set(globalKeys.installation('slack', 'T2'), 'damaged');
  expect(await installations.tokenOf('T2')).toBeUndefined();
});

// `docent start` as a service, with a Redis that is not its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startTestRedis } from '../support/redis/redis.ts';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

test.each(['worker', 'web'])('a %s ends on SIGTERM, also when its Redis is gone for good', async (role) => {
  const redis = await startTestRedis();
  onTestFinished(() => redis.close());
  const env = { ...process.env, REDIS_URL: redis.url, PORT: '0', CI: 'true' };
  const docent = spawn(process.execPath, [cli, 'start', '--role', role], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void docent.kill('SIGKILL'));
  const ended = once(docent, 'exit');
  let output = '';
  for (const stream of [docent.stdout, docent.stderr]) stream.on('data', (text) => (output += String(text)));
  const says = async (text: string) => {
    while (!output.includes(text)) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await says('Docent is ready.');
  await redis.stop();
  await says('Redis is away');
  docent.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(output).toContain('Stopped.');
});

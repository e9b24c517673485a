// What Discord says when it will not have the bot, as the operator reads it: a real process against the fake.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type FakeDiscord, startDiscord } from '../../support/discord/server.ts';
import { startProgram } from '../../support/processes.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let discord: FakeDiscord;
let redis: TestRedis;
beforeAll(async () => {
  [discord, redis] = await Promise.all([startDiscord(), startTestRedis()]);
});
afterAll(() => Promise.all([discord.close(), redis.close()]));
afterEach(() => discord.startAnew());

function startGateway(token = discord.token) {
  return startProgram(new URL('../../support/discord/docent-program.ts', import.meta.url), {
    ROLE: 'gateway',
    REDIS_URL: redis.url,
    PORT: '0',
    DISCORD_TOKEN: token,
    DISCORD_API_URL: discord.apiUrl,
  });
}

test('a token that is refused stops the start, with the page to copy it from', async () => {
  const gateway = await startGateway('MTEw.wrong.token');
  expect((await gateway.ended).code).not.toBe(0);
  expect(gateway.output()).toMatch(/Discord refuses DISCORD_TOKEN\. .*page "Bot" in the developer portal/);
});

test('without the intent for message texts the start says which switch to turn', async () => {
  await discord.portal({ messageContent: false });
  const gateway = await startGateway();
  expect((await gateway.ended).code).not.toBe(0);
  expect(gateway.output()).toMatch(/Turn "Message Content Intent" on, on the page "Bot"/);
});

test('a token that is reset while the bot runs ends it', async () => {
  const gateway = await startGateway();
  await gateway.line('ready');
  await discord.resetToken();
  await discord.closeConnections(4_004);
  expect((await gateway.ended).code).toBe(1);
  expect(gateway.output()).toContain('Discord refuses DISCORD_TOKEN.');
});

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

function startGateway(token = discord.token, role = 'gateway') {
  return startProgram(new URL('../../support/docent-program.ts', import.meta.url), {
    ROLE: role,
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

test('a worker does not start with a token that is refused, either', async () => {
  const worker = await startGateway('MTEw.wrong.token', 'worker');
  expect((await worker.ended).code).not.toBe(0);
  expect(worker.output()).toMatch(/Discord refuses DISCORD_TOKEN\. .*page "Bot" in the developer portal/);
});

test('permissions that a server does not give are named, with where to turn them on', async () => {
  await discord.setPermissions(['ViewChannel', 'SendMessages', 'ReadMessageHistory', 'AddReactions']);
  const gateway = await startGateway();
  expect(await gateway.line('Study group')).toBe(
    'Study group: the bot lacks Send Messages in Threads, Create Public Threads, Attach Files. In Discord open Server Settings, Roles, the role of the bot, and turn them on.',
  );
  await gateway.line('ready');
  await gateway.kill();
});

test.each(['gateway', 'worker'])(
  'a %s waits for a Discord that is away, and says so',
  async (role) => {
    const route = role === 'gateway' ? 'gateway_bot' : 'get_me';
    // As often as the library tries.
    await discord.fault({ on: route, how: 'refused', times: role === 'gateway' ? 4 : 1 });
    const child = await startGateway(discord.token, role);
    expect(await child.line('Discord cannot be reached')).toMatch(
      /Docent goes on trying; if it lasts, check the connection and DISCORD_API_URL\.$/,
    );
    await child.line('ready');
    const page = (await child.line('State: ')).slice('State: '.length);
    const state = async () => {
      const answer = await fetch(page);
      return { status: answer.status, text: await answer.text() };
    };
    expect(await state()).toMatchObject({ status: 503, text: expect.stringContaining('"discord"') });
    const back = await discord.until(state, ({ status }) => status === 200, 20_000);
    expect(back.status).toBe(200);
    await child.kill();
  },
  30_000,
);

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

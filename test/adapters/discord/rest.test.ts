// Which refusal is about our token, and what follows from it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isRefused, isTokenRefused, meaningOf } from '../../../src/adapters/discord/failures.ts';
import { registerCommands } from '../../../src/adapters/discord/register-commands.ts';
import { type Call, discordRest } from '../../../src/adapters/discord/rest.ts';
import { WatchedRest } from '../../../src/adapters/discord/watched-rest.ts';
import { RateLimitedError } from '../../../src/domain/errors.ts';
import { TokenRefusedError } from '../../../src/gateway/watched-calls.ts';
import { manualClock } from '../../support/clock.ts';
import { type FakeDiscord, startDiscord } from '../../support/discord/server.ts';

let discord: FakeDiscord;
beforeAll(async () => {
  discord = await startDiscord();
});
afterAll(() => discord.close());
beforeEach(() => discord.startAnew());

const me: Call = { method: 'GET', route: '/users/@me' };
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

test('an interaction that is over says nothing about the token', async () => {
  const rest = discordRest(discord);
  const { applicationId } = discord;
  const lastGuild = { get: async () => undefined, set: async () => {} };
  await registerCommands(rest, { applicationId, guildId: undefined, lastGuild });
  const { id, token } = await discord.command('mia', 'help');
  await rest({ method: 'POST', route: `/interactions/${id}/${token}/callback`, body: { type: 5 } });
  await discord.advance(16 * 60_000);
  const route = `/webhooks/${applicationId}/${token}/messages/@original` as const;
  const late = await failureOf(rest({ method: 'PATCH', route, body: { content: 'late' } }));
  expect([isRefused(late), isTokenRefused(late)]).toEqual([true, false]);
  expect((await rest(me)).body).toMatchObject({ id: discord.botId });
});

test('a refused token is told, asked about once a minute, and forgotten when it is right', async () => {
  const clock = manualClock();
  const told: string[] = [];
  const contact = {
    ok: () => void told.push('ok'),
    away: (why: unknown) => void told.push((why as Error).message),
  };
  let { token } = discord;
  const rest = (call: Call) => discordRest({ ...discord, token, apiUrl: discord.apiUrl })(call);
  const watched = new WatchedRest({ rest, contact, clock });
  token = 'MTEw.wrong.token';
  const refused = await failureOf(watched.call(me));
  expect(refused).toBeInstanceOf(TokenRefusedError);
  expect(meaningOf(refused)).toBeInstanceOf(RateLimitedError);
  await failureOf(watched.call(me));
  expect(await discord.calls('get_me')).toHaveLength(1);
  token = discord.token;
  await clock.advance(60_000);
  expect(await watched.problem()).toBeUndefined();
  expect(told).toEqual(['Discord refuses DISCORD_TOKEN.', 'ok']);
});

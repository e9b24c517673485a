/** What the bot asks about itself, its servers and people. */
import { channelPayload, guildPayload, memberPayload, rolesPayload, userPayload } from '../world/payloads.ts';
import type { Guild } from '../world/world.ts';
import { refusal } from './refusal.ts';
import type { Handle, RestCall, RouteTable } from './rest-call.ts';

const gateway: Handle = ({ discord }) => ({ status: 200, body: discord.gateway.bot() });

const me: Handle = ({ world }) => ({
  status: 200,
  body: { ...userPayload(world.bot), verified: true, mfa_enabled: true, flags: 0, email: null },
});

const user: Handle = ({ world, params }) => {
  const person = world.people.get(params['user'] ?? '');
  if (person === undefined) throw refusal('unknown_user');
  return { status: 200, body: userPayload(person) };
};

/** Bits that tell which privileged intents are on, for bots in few servers. */
const applicationFlags = { presences: 1 << 13, guildMembers: 1 << 15, messageContent: 1 << 19 } as const;

const application: Handle = ({ world }) => {
  const flags = Object.entries(applicationFlags).reduce(
    (sum, [name, bit]) => (world.portal[name as keyof typeof applicationFlags] ? sum | bit : sum),
    0,
  );
  const { id, name } = { id: world.applicationId, name: world.bot.name };
  const body = {
    id,
    name,
    icon: null,
    description: '',
    summary: '',
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: '0'.repeat(64),
    flags,
    bot: userPayload(world.bot),
    approximate_guild_count: [...world.guilds.keys()].filter((each) => world.hasBot(each)).length,
  };
  return { status: 200, body };
};

const myGuilds: Handle = ({ world }) => ({
  status: 200,
  body: [...world.guilds.values()]
    .filter(({ id }) => world.hasBot(id))
    .map(({ id, name, ownerId }) => ({
      id,
      name,
      icon: null,
      owner: ownerId === world.bot.id,
      permissions: '0',
      features: [],
    })),
});

function guildOf({ world, params }: RestCall): Guild {
  const guild = world.guilds.get(params['guild'] ?? '');
  if (guild === undefined) throw refusal('unknown_guild');
  if (!world.hasBot(guild.id)) throw refusal('missing_access');
  return guild;
}

const guild: Handle = (call) => ({ status: 200, body: guildPayload(call.world, guildOf(call)) });
const guildRoles: Handle = (call) => ({ status: 200, body: rolesPayload(guildOf(call)) });

const guildChannels: Handle = (call) => {
  const { id } = guildOf(call);
  const own = [...call.world.channels.values()].filter(
    ({ guildId, thread }) => guildId === id && thread === undefined,
  );
  return { status: 200, body: own.map((channel) => channelPayload(call.world, channel)) };
};

const member: Handle = (call) => {
  const { world, params } = call;
  const found = guildOf(call);
  const person = world.people.get(params['user'] ?? '');
  if (person === undefined) throw refusal('unknown_user');
  if (!found.members.has(person.id)) throw refusal('unknown_member');
  return { status: 200, body: { ...memberPayload(found, person.id), user: userPayload(person) } };
};

export const about = {
  gateway_bot: ['GET /gateway/bot', gateway],
  get_me: ['GET /users/@me', me],
  list_my_guilds: ['GET /users/@me/guilds', myGuilds],
  get_user: ['GET /users/:user', user],
  get_application: ['GET /applications/@me', application],
  get_guild: ['GET /guilds/:guild', guild],
  list_roles: ['GET /guilds/:guild/roles', guildRoles],
  list_channels: ['GET /guilds/:guild/channels', guildChannels],
  get_member: ['GET /guilds/:guild/members/:user', member],
} as const satisfies RouteTable;

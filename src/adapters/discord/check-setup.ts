/** Whether Discord lets the bot work: token, application, intents, servers with their permissions, and our clock. */
import { ApplicationFlagsBitField, REST, RESTEvents, Routes } from 'discord.js';
import { z } from 'zod';
import { checkClock, type Finding } from '../../gateway/finding.ts';
import type { Clock } from '../../ports/runtime.ts';
import { isTokenRefused } from './failures.ts';
import { refusedToken } from './fatal.ts';
import { inviteLink, permissionsProblem } from './permissions.ts';

export interface DiscordSetup {
  readonly token: string;
  readonly apiUrl: string;
  /** Only this server is looked at; undefined: all the bot is in. */
  readonly guildId: string | undefined;
}

const portal = 'https://discord.com/developers/applications';
/** What is read of Discord's answers. */
const applicationShape = z.object({ id: z.string(), flags: z.number().optional() });
const botShape = z.object({ id: z.string(), username: z.string() });
const guildListShape = z.array(z.object({ id: z.string() }));
const guildShape = z.object({
  name: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: z.string().transform(BigInt) })),
});
const memberShape = z.object({ roles: z.array(z.string()) });

/** Unit: milliseconds. */
const timeoutMs = 10_000;
/** More servers than one answer holds are not looked at. */
const maxGuilds = 200;

/** In the order in which they are to be mended; ends early when nothing more can be asked. */
export async function checkDiscord(setup: DiscordSetup, clock: Clock): Promise<Finding[]> {
  const rest = new REST({ api: setup.apiUrl, retries: 0, timeout: timeoutMs }).setToken(setup.token);
  let serverTime: number | undefined;
  rest.on(RESTEvents.Response, (_request, { headers }) => {
    serverTime = Date.parse(headers.get('date') ?? '') || undefined;
  });
  try {
    const application = applicationShape.parse(await rest.get(Routes.currentApplication()));
    const clockFinding = checkClock(serverTime, clock.now());
    const bot = botShape.parse(await rest.get(Routes.user()));
    return [
      { what: `DISCORD_TOKEN is accepted: ${bot.username}.` },
      { what: `The application id is ${application.id}.` },
      checkIntents(application.flags),
      ...(await checkGuilds(rest, setup, application.id, bot.id)),
      clockFinding,
    ];
  } catch (error) {
    return [unreachable(error, setup.apiUrl)];
  }
}

function unreachable(error: unknown, apiUrl: string): Finding {
  if (isTokenRefused(error)) {
    const { message: what, hint: fix } = refusedToken();
    return { what, fix };
  }
  const isOther = error instanceof z.ZodError || error instanceof SyntaxError;
  const why = isOther
    ? 'what is there is not Discord'
    : error instanceof Error
      ? error.message
      : String(error);
  return {
    what: `Discord does not answer at ${apiUrl}: ${why.replace(/\.$/, '')}.`,
    fix: 'Check the connection to the internet, and leave DISCORD_API_URL out unless you mean another address.',
  };
}

function checkIntents(flags: number | undefined): Finding {
  // In few servers the switch alone decides, which is the "limited" flag.
  const isOn = new ApplicationFlagsBitField(flags ?? []).any([
    'GatewayMessageContent',
    'GatewayMessageContentLimited',
  ]);
  if (isOn) return { what: 'The Message Content Intent is on.' };
  return {
    what: 'The Message Content Intent is off: messages in threads arrive empty.',
    fix: `Open ${portal}, your application, page "Bot", turn "Message Content Intent" on and save.`,
  };
}

async function checkGuilds(
  rest: REST,
  { guildId }: DiscordSetup,
  applicationId: string,
  botId: string,
): Promise<Finding[]> {
  const query = new URLSearchParams({ limit: String(maxGuilds) });
  const guilds = guildListShape.parse(await rest.get(Routes.userGuilds(), { query }));
  const invite = `Open ${inviteLink(applicationId)} and choose the server.`;
  if (guildId !== undefined && !guilds.some(({ id }) => id === guildId))
    return [{ what: `The bot is not in the server ${guildId} (DISCORD_GUILD_ID).`, fix: invite }];
  if (guilds.length === 0) return [{ what: 'The bot is in no server yet.', fix: invite }];
  const findings: Finding[] = [];
  for (const { id } of guilds.filter((each) => guildId === undefined || each.id === guildId))
    findings.push(await checkGuild(rest, id, botId));
  return findings;
}

async function checkGuild(rest: REST, guildId: string, botId: string): Promise<Finding> {
  const guild = guildShape.parse(await rest.get(Routes.guild(guildId)));
  const member = memberShape.parse(await rest.get(Routes.guildMember(guildId, botId)));
  const own = new Set([guildId, ...member.roles]);
  const allowed = guild.roles
    .filter(({ id }) => own.has(id))
    .reduce((sum, { permissions }) => sum | permissions, 0n);
  return permissionsProblem(guild.name, allowed) ?? { what: `${guild.name}: all permissions are there.` };
}

/** Discord as this process uses it: a gateway that hears, surfaces that speak, and who fetches files. */
import { discordEarlier } from '../adapters/discord/earlier.ts';
import { discordFiles } from '../adapters/discord/file-source.ts';
import { type RunningGateway, startDiscordGateway } from '../adapters/discord/gateway.ts';
import { Marks } from '../adapters/discord/marks.ts';
import { discordPlaces } from '../adapters/discord/places.ts';
import { discordRest } from '../adapters/discord/rest.ts';
import type { TutorError } from '../domain/errors.ts';
import { downloadFrom } from '../files/download.ts';
import { acceptInbound } from '../intake/accept.ts';
import { castVote } from '../intake/cast-vote.ts';
import { changeInbound } from '../intake/change.ts';
import { isOn } from '../intake/policy.ts';
import type { Contact } from '../ports/contact.ts';
import { messagesOfAnswer } from '../render/live-answer.ts';
import { redisCursor } from '../store/redis/cursors.ts';
import { pastTraceLines } from '../turns/past-trace.ts';
import type { App } from './compose.ts';
import type { Outlets } from './worker.ts';

const name = 'discord';
/** Where Discord keeps what people upload. */
const fileOrigins = ['https://cdn.discordapp.com', 'https://media.discordapp.net'];

/** What a worker needs. */
export function discordOutlets({ config, clock, log }: App, token: string): Outlets {
  const { apiUrl } = config.discord;
  const placement = config.placement.discord ?? 'channel';
  const rest = discordRest({ token, apiUrl });
  const marks = new Marks({ rest, clock, log });
  const origins = [...fileOrigins, new URL(apiUrl).origin];
  return {
    surfaces: new Map([[name, discordPlaces({ rest, clock, log, placement })]]),
    fetchers: new Map([[name, discordFiles(rest, downloadFrom({ origins }))]]),
    earlier: new Map([[name, discordEarlier(rest)]]),
    marks: new Map([[name, (address, message) => marks.used(address, message)]]),
  };
}

/** Rejects with one sentence for the operator when Discord will not have the bot. */
export async function startDiscord(
  app: App,
  token: string,
  contact: Contact,
  onFatal: (error: TutorError) => void,
): Promise<RunningGateway> {
  const { config, conversations, redis, clock, log } = app;
  const accept = acceptInbound(app);
  const gateway = await startDiscordGateway({
    token,
    apiUrl: config.discord.apiUrl,
    shards: config.discord.shards,
    followAllThreads: config.access.followAllThreads,
    accept,
    change: (change) => changeInbound(app, change),
    isBusy: (conversation) => conversations.isBusy(conversation),
    ownerOf: (message) => conversations.ownerOf(message),
    pauseOf: (conversation) => conversations.pauseOf(conversation),
    journalOf: (conversation) => conversations.journalOf(conversation),
    messagesOf: (conversation, turn, slot) =>
      messagesOfAnswer(conversations.ledger(conversation, turn), slot),
    thinkingIn: pastTraceLines,
    vote: (ballot) => castVote(app, ballot),
    isAdmin: (person) => isOn(config.access.admins, person),
    cursor: redisCursor(redis.commands, name, config.retentionDays * 24 * 3_600),
    catchUpMaxAgeMs: config.catchUpMaxAgeMs,
    contact,
    clock,
    log,
    onFatal,
  });
  return {
    async close() {
      await gateway.close();
      await accept.settled();
    },
  };
}

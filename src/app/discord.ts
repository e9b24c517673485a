/** Discord as this process uses it: a gateway that hears, surfaces that speak, and who fetches files. */
import { discordEarlier } from '../adapters/discord/earlier.ts';
import { DiscordAwayError, DiscordRefusedError } from '../adapters/discord/fatal.ts';
import { discordFiles } from '../adapters/discord/file-source.ts';
import { type RunningGateway, startDiscordGateway } from '../adapters/discord/gateway.ts';
import { Marks } from '../adapters/discord/marks.ts';
import { discordPlaces } from '../adapters/discord/places.ts';
import { discordRest, type Rest } from '../adapters/discord/rest.ts';
import { discordTime } from '../adapters/discord/shown-time.ts';
import { WatchedRest } from '../adapters/discord/watched-rest.ts';
import { answerCommand } from '../commands/answer-command.ts';
import { TutorError } from '../domain/errors.ts';
import { ConversationId } from '../domain/ids.ts';
import { downloadFrom } from '../files/download.ts';
import { acceptInbound } from '../intake/accept.ts';
import { castVote } from '../intake/cast-vote.ts';
import { changeInbound } from '../intake/change.ts';
import { isOn, refusalOf } from '../intake/policy.ts';
import type { Contact } from '../ports/contact.ts';
import { answerPress, formFor } from '../reminders/answer-press.ts';
import { messagesOfAnswer } from '../render/live-answer.ts';
import { redisCursor } from '../store/redis/cursors.ts';
import { redisDirects } from '../store/redis/directs.ts';
import { redisOnce } from '../store/redis/once.ts';
import { redisRateBudgets } from '../store/redis/rate-budget.ts';
import { pastTraceLines } from '../turns/past-trace.ts';
import { type App, leftAnswers, remindersOf } from './compose.ts';
import type { ClosableOutlets } from './outlets.ts';

const name = 'discord';
/** Where Discord keeps what people upload. */
const fileOrigins = ['https://cdn.discordapp.com', 'https://media.discordapp.net'];

export interface DiscordMeans {
  readonly token: string;
  readonly contact: Contact;
  /** One sentence for the operator. */
  readonly tell: (sentence: string) => void;
}

/** Rejects with one sentence for the operator when Discord refuses the token; while it is away, what is said waits. */
export async function openDiscordOutlets(
  { config, clock, log }: App,
  { token, contact, tell }: DiscordMeans,
): Promise<ClosableOutlets> {
  const { apiUrl } = config.discord;
  const watched = new WatchedRest({
    rest: discordRest({ token, apiUrl }),
    clock,
    contact: {
      ok: () => contact.ok(),
      away(why) {
        contact.away(why);
        if (why instanceof TutorError) tell(inOneLine(why));
      },
    },
  });
  const problem = await watched.problem();
  if (problem !== undefined && !(problem instanceof DiscordAwayError)) throw problem;
  if (problem !== undefined) tell(inOneLine(problem));
  const over = new AbortController();
  const looking = watched.keepLooking(over.signal);
  const placement = config.placement.discord ?? 'channel';
  const rest: Rest = (call) => watched.call(call);
  const marks = new Marks({ rest, clock, log });
  const origins = [...fileOrigins, new URL(apiUrl).origin];
  return {
    surfaces: new Map([[name, discordPlaces({ rest, clock, log, placement })]]),
    fetchers: new Map([[name, discordFiles(rest, downloadFrom({ origins }))]]),
    earlier: new Map([[name, discordEarlier(rest)]]),
    marks: new Map([[name, (address, message) => marks.used(address, message)]]),
    times: new Map([[name, discordTime]]),
    async close() {
      over.abort();
      await looking;
    },
  };
}

/** Answers that are looked after at a time. */
const maxLeft = 1_000;
const firstWaitMs = 5_000;
const longestWaitMs = 60_000;

/**
 * Rejects with one sentence for the operator when Discord will not have the bot. While it is away, this resolves and
 * trying goes on; `onFatal` is told of what ends it later.
 */
export async function startDiscord(
  app: App,
  { token, contact, tell }: DiscordMeans,
  onFatal: (error: TutorError) => void,
): Promise<RunningGateway> {
  const { config, conversations, people, redis, clock, log } = app;
  const retentionS = config.retentionDays * 24 * 3_600;
  const left = leftAnswers(app, name);
  const accept = acceptInbound(app);
  const commandMeans = { ...app, reminders: remindersOf(app), defaultZone: config.defaultZone };
  const connect = () =>
    startDiscordGateway({
      token,
      apiUrl: config.discord.apiUrl,
      shards: config.discord.shards,
      guildId: config.discord.guildId,
      lastGuild: redisCursor(redis.commands, `${name}-commands`, retentionS),
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
      cursor: redisCursor(redis.commands, name, retentionS),
      directs: redisDirects(redis.commands, clock, name, retentionS),
      budgets: redisRateBudgets(redis.commands),
      finishLeft: async () => {
        for (const conversation of await left.newest(maxLeft)) {
          await left.forget(conversation);
          await app.queue.wake(ConversationId(conversation));
        }
      },
      catchUpMaxAgeMs: config.catchUpMaxAgeMs,
      mayUse: (person, from) => refusalOf(person, from, config.access) === undefined,
      answerCommand: (command, by, dialect) => answerCommand(command, by, dialect, commandMeans),
      answerPress: (press, by, dialect, form) => answerPress(press, by, dialect, commandMeans, form),
      formFor: (press, by, dialect) => formFor(press, by, dialect, commandMeans),
      isFirst: redisOnce(redis.commands),
      newestAt: (place, person) => conversations.newestAt(name, place, person),
      noteLocale: (person, locale) => people.noteProfile(person, { locale }),
      contact,
      clock,
      log,
      tell,
      onFatal,
    });
  const leaving = new AbortController();
  const trying = new Trying(connect, tell, contact);
  const problem = await trying.once();
  if (problem !== undefined && !(problem instanceof DiscordAwayError)) throw problem;
  const connecting = problem === undefined ? Promise.resolve() : goOn();
  return {
    async close() {
      leaving.abort();
      await connecting;
      await trying.gateway?.close();
      await accept.settled();
    },
  };

  async function goOn(): Promise<void> {
    for (let waitMs = firstWaitMs; !leaving.signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      await clock.sleep(waitMs, leaving.signal).catch(() => {}); // the process ends
      if (leaving.signal.aborted) return;
      const why = await trying.once();
      if (why === undefined) return;
      if (why instanceof DiscordRefusedError) return onFatal(why);
    }
  }
}

/** A client of the library that could not log in is of no further use: each time it is a new one. */
class Trying {
  gateway: RunningGateway | undefined;
  private hasTold = false;

  constructor(
    private readonly connect: () => Promise<RunningGateway>,
    private readonly tell: (sentence: string) => void,
    private readonly contact: Contact,
  ) {}

  /** Why there is no connection; undefined when there is one. */
  async once(): Promise<Error | undefined> {
    try {
      this.gateway = await this.connect();
      this.tell('Discord: connected');
      return undefined;
    } catch (error) {
      const why = error instanceof Error ? error : new Error(String(error));
      this.contact.away(why);
      if (why instanceof DiscordAwayError && !this.hasTold) {
        this.tell(inOneLine(why));
        this.hasTold = true;
      }
      return why;
    }
  }
}

function inOneLine({ message, hint }: TutorError): string {
  return `${message} ${hint}`;
}

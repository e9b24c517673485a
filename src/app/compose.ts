/** Builds every real implementation from the settings; the only place that sees all layers. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { webSurface } from '../adapters/web/surface.ts';
import { chat } from '../capabilities/chat.ts';
import type { Config } from '../config/load.ts';
import { ownPaceBudgets } from '../delivery/own-pace.ts';
import { SurfaceError } from '../domain/errors.ts';
import type { ConversationId, UserId } from '../domain/ids.ts';
import { zoneIn } from '../domain/person.ts';
import { arrivedFiles } from '../files/arrived-files.ts';
import { type DocumentReader, documentReader } from '../files/document-reader.ts';
import { seeingModel } from '../files/seeing-model.ts';
import { defaultLoopSettings } from '../loop/settings.ts';
import { estimateTokens } from '../model/token-estimate.ts';
import { withFields } from '../observe/logger.ts';
import { githubApi } from '../pages/github.ts';
import type { Blobs } from '../ports/blobs.ts';
import type { Contact } from '../ports/contact.ts';
import type { Conversations } from '../ports/conversations.ts';
import type { FileOutcomes } from '../ports/files.ts';
import type { Memories } from '../ports/memories.ts';
import type { Meter } from '../ports/meter.ts';
import type { People } from '../ports/people.ts';
import type { ReminderRecords, Reminders } from '../ports/reminders.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import type { Screens } from '../ports/screen.ts';
import type { OpenPlace, Surface, TurnPlace } from '../ports/surface.ts';
import type { Tool } from '../ports/tool.ts';
import type { Votes } from '../ports/votes.ts';
import { bullFileFetches, type ClosableFileFetches } from '../queue/file-fetches.ts';
import { bullPauseTimers, type ClosablePauseTimers } from '../queue/pause-timers.ts';
import { bullReminderAlarms, type ReminderAlarms } from '../queue/reminder-alarms.ts';
import { queuedReminders } from '../queue/reminders.ts';
import { bullTurnQueue, type ClosableTurnQueue } from '../queue/turn-queue.ts';
import { eventScreen, type Publish } from '../render/event-screen.ts';
import { MessageScreen } from '../render/message-screen.ts';
import { wordsFor } from '../render/notices.ts';
import { type Sandbox, sandbox } from '../sandbox/run-code.ts';
import { linkedMemories } from '../store/linked-memories.ts';
import { linkedReminders } from '../store/linked-reminders.ts';
import { redisBlobs } from '../store/redis/blobs.ts';
import { type ClosableBoard, redisBoard } from '../store/redis/board.ts';
import { redisConversations } from '../store/redis/conversations.ts';
import { type Directs, redisDirects } from '../store/redis/directs.ts';
import { redisFileOutcomes } from '../store/redis/file-outcomes.ts';
import { type LiveEvents, redisLiveEvents } from '../store/redis/live-events.ts';
import { redisMemories } from '../store/redis/memories.ts';
import { redisModelNotes } from '../store/redis/model-notes.ts';
import { redisPageCache } from '../store/redis/page-cache.ts';
import { redisPeople } from '../store/redis/people.ts';
import { type Presence, redisPresence } from '../store/redis/presence.ts';
import { redisQuotas } from '../store/redis/quotas.ts';
import { redisRateBudgets } from '../store/redis/rate-budget.ts';
import { redisReminders } from '../store/redis/reminders.ts';
import { redisVotes } from '../store/redis/votes.ts';
import { spokenTime } from '../time/zone.ts';
import { protocolChoice } from '../turns/protocol-choice.ts';
import type { TurnServices } from '../turns/services.ts';
import { builtFiles } from './built-files.ts';
import { confirmReminder } from './confirm-reminder.ts';
import { meteredSurface } from './metered-surface.ts';
import { type AppModel, openModel } from './model.ts';
import { pageReading } from './page-reading.ts';
import type { AppRedis } from './redis.ts';
import { workerTools } from './tools.ts';
import { watchTurns } from './watch-turns.ts';
import type { Outlets } from './worker.ts';

/** What every role works with. */
export interface App extends Observed {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly redis: AppRedis;
  readonly conversations: Conversations;
  readonly queue: ClosableTurnQueue;
  readonly timers: ClosablePauseTimers;
  readonly reminders: ReminderRecords;
  readonly alarms: ReminderAlarms;
  readonly people: People;
  readonly memories: Memories;
  readonly blobs: Blobs;
  readonly fetches: ClosableFileFetches;
  readonly outcomes: FileOutcomes;
  readonly live: LiveEvents;
  readonly board: ClosableBoard;
  readonly votes: Votes;
  readonly presence: Presence;
  readonly documents: DocumentReader;
  readonly sandbox: Sandbox;
  readonly newId: () => string;
}

export interface Observed {
  readonly meter: Meter;
  /** Whether the model answers. */
  readonly modelContact: Contact;
}

/** Nobody looks: the terminal and tests. */
export const unobserved: Observed = {
  meter: { count: () => {}, time: () => {}, watch: () => {} },
  modelContact: { ok: () => {}, away: () => {} },
};

export function composeApp(
  config: Config,
  redis: AppRedis,
  clock: Clock,
  log: Logger,
  observed: Observed = unobserved,
): App {
  const { commands } = redis;
  const now = () => clock.now();
  const people = redisPeople(commands);
  const retentionS = config.retentionDays * 24 * 3_600;
  return {
    ...observed,
    config,
    clock,
    log,
    redis,
    conversations: redisConversations({ redis: commands, clock, retentionS }),
    queue: bullTurnQueue(commands, now),
    timers: bullPauseTimers(commands, now),
    reminders: redisReminders(commands),
    alarms: bullReminderAlarms(commands, now),
    people,
    memories: linkedMemories(redisMemories(commands, clock), people),
    blobs: redisBlobs({ redis: commands, clock, maxBytes: config.maxBlobBytes }),
    fetches: bullFileFetches(commands),
    outcomes: redisFileOutcomes(commands),
    live: redisLiveEvents({ redis: commands, connectForBlocking: () => redis.connect('wait'), clock, log }),
    board: redisBoard({
      redis: commands,
      connectForWatching: () => redis.connect('wait'),
      clock,
      retentionS,
    }),
    votes: redisVotes(commands, clock, retentionS),
    presence: redisPresence(commands, clock),
    documents: documentReader(new URL('document-worker.js', builtFiles())),
    sandbox: sandbox({
      programs: fileURLToPath(new URL('sandbox', builtFiles())),
      dataFolder: config.dataFolder,
      clock,
    }),
    newId: randomUUID,
  };
}

export function remindersOf(app: App): Reminders {
  return linkedReminders(queuedReminders({ ...app, records: app.reminders }), app.people);
}

/** The IANA zone that the person chose or the platform tells, else that of the deployment. */
export async function zoneOf(
  { people, config }: App,
  user: UserId,
): Promise<{ readonly zone: string; readonly isGuess: boolean }> {
  const known = zoneIn(await people.preferences(user));
  return { zone: known ?? config.defaultZone, isGuess: known === undefined };
}

/** Conversations with an answer that could not be shown to its end. */
export function leftAnswers({ redis, clock, config }: App, surface: string): Directs {
  return redisDirects(redis.commands, clock, `${surface}-left`, config.retentionDays * 24 * 3_600);
}

export async function closeApp({
  queue,
  timers,
  alarms,
  fetches,
  documents,
  redis,
  sandbox: programs,
}: App): Promise<void> {
  programs.close();
  await Promise.all([queue.close(), timers.close(), alarms.close(), fetches.close(), documents.close()]);
  await redis.close();
}

/**
 * What a worker needs to run turns. `surfaces` speak, and `earlier` read, by the name in an address; the terminal and the
 * web page are always there. `moreTools` come on top of the product's own.
 */
export async function turnServices(
  app: App,
  { surfaces, earlier, marks, times }: Omit<Outlets, 'fetchers'>,
  moreTools: readonly Tool[],
): Promise<{ services: TurnServices; model: AppModel }> {
  const { config, clock, log, redis, people, conversations } = app;
  const shown = screens(app, surfaces, (name) => byName.get(name)?.effect === 'none');
  const tools = [
    ...workerTools({
      reminders: remindersOf(app),
      memories: app.memories,
      clock,
      zoneOf: (user) => zoneOf(app, user),
      confirm: confirmReminder({ people, conversations, clock, log, screens: shown, times }),
      readPage: pageReading(app),
      pageCache: redisPageCache(redis.commands),
      askGithub: githubApi({ token: config.githubToken, clock }),
      runCode: app.sandbox.run,
    }),
    ...moreTools,
  ];
  const byName = new Map(tools.map((tool) => [tool.schema.name, tool]));
  const notes = redisModelNotes(redis.commands);
  const model = await openModel(config, notes, clock, log);
  const { protocol, maxRepairs, limits } = config.loop;
  return {
    model,
    services: {
      conversations: app.conversations,
      screens: shown,
      timers: app.timers,
      people: app.people,
      quotas: redisQuotas({ redis: redis.commands, clock, ...config.quotas }),
      files: arrivedFiles(app),
      markUsed: (address, message) => marks.get(address.surface)?.(address, message),
      noteLeft: (surface, conversation) => leftAnswers(app, surface).note(conversation),
      readEarlier: async (address, ...more) => (await earlier.get(address.surface)?.(address, ...more)) ?? [],
      model: seeingModel(model.model, app.blobs),
      protocol: protocolChoice(protocol, model.service, notes, log),
      tools: byName,
      capability: chat,
      settings: {
        maxRepairs,
        maxCrashes: config.turns.poisonLimit,
        limits: { ...defaultLoopSettings.limits, ...limits },
      },
      hooks: watchTurns(app.meter, app.modelContact),
      meter: app.meter,
      clock,
      logFor: (fields) => withFields(log, fields),
      newId: app.newId,
      estimateTokens,
      spokenTime: (at, zone = config.defaultZone) => spokenTime(at, zone),
    },
  };
}

/** The terminal shows the events themselves; every other surface shows messages. */
function screens(
  { live, board, clock, log, meter, newId, redis }: App,
  others: ReadonlyMap<string, OpenPlace>,
  isHarmless: (tool: string) => boolean,
): Screens {
  const surfaces = new Map<string, OpenPlace>([['web', webSurface(board)], ...others]);
  const budgets = redisRateBudgets(redis.commands);
  const liveTo = (conversation: ConversationId): Publish => {
    const from = clock.now();
    let hasText = false;
    return async (events, batch) => {
      await live.publish(conversation, events, batch);
      if (hasText || !events.some(({ type }) => type === 'answer.delta')) return;
      hasText = true;
      meter.time('first_text', clock.now() - from);
    };
  };
  return {
    open({ conversation, turn, address, ledger, signal }) {
      if (address.surface === 'term')
        return eventScreen(liveTo(conversation), ledger, clock, log, signal, newId);
      const opened = surfaces.get(address.surface)?.(address.place, { conversation, address });
      if (opened === undefined) throw new SurfaceError(`no surface speaks for ${address.surface}`);
      const place = meteredPlace(opened, (surface) => meteredSurface(surface, address.surface, meter, clock));
      const words = wordsFor(address.locale);
      return new MessageScreen({
        ...place,
        // The board has no limit, so messages need not wait for one another, and stand in the order in which they began.
        budgets: address.surface === 'web' ? ownPaceBudgets(clock) : budgets,
        ledger,
        clock,
        log,
        signal,
        words,
        turn,
        isHarmless,
        key: `${conversation}:${turn}`,
      });
    },
  };
}

/** A turn on a platform that has one place for everything is shown there. */
function meteredPlace(opened: Surface | TurnPlace, metered: (surface: Surface) => Surface): TurnPlace {
  if (!('side' in opened)) {
    const surface = metered(opened);
    return { answer: surface, side: surface, work: () => () => {} };
  }
  const answer = metered(opened.answer);
  return {
    answer,
    side: opened.side === opened.answer ? answer : metered(opened.side),
    work: () => opened.work(),
  };
}

/** One process image, four roles: which parts a process plays, in the order they start. */
import type { RequestListener } from 'node:http';
import type { RunningGateway } from '../adapters/discord/gateway.ts';
import type { RunningSlack } from '../adapters/slack/gateway.ts';
import { slackPath } from '../adapters/slack/path.ts';
import type { Config } from '../config/load.ts';
import type { Role } from '../config/role.ts';
import type { TutorError } from '../domain/errors.ts';
import { type Check, Watched } from '../observe/checks.ts';
import { type HealthServer, startHealthServer } from '../observe/health.ts';
import { createMetrics } from '../observe/metrics.ts';
import type { Contact } from '../ports/contact.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import { type App, closeApp, composeApp } from './compose.ts';
import type { Part } from './lifecycle.ts';
import type { ClosableOutlets } from './outlets.ts';
import { joinOutlets } from './outlets.ts';
import { openRedis } from './redis.ts';
import type { RunningWeb } from './web.ts';
import { type RunningWorker, startWorker } from './worker.ts';

export interface Roles {
  readonly parts: readonly Part[];
  /** There once the first part has started. */
  readonly app: () => App;
}

/** `say` is told what a person at the start should know: where things are, and what takes long. */
export async function rolesOf(
  role: Role,
  config: Config,
  clock: Clock,
  log: Logger,
  say: (line: string) => void,
): Promise<Roles> {
  const metrics = await createMetrics(clock);
  const redisWatch = new Watched({ name: 'redis', kind: 'required', title: 'Redis' }, clock, log);
  const queueWatch = new Watched({ name: 'queue', kind: 'required', title: 'The queue' }, clock, log);
  const modelWatch = new Watched({ name: 'model', kind: 'degradable', title: 'The model' }, clock, log);
  const works = role === 'all' || role === 'worker';
  const serves = role === 'all' || role === 'web';
  const { token } = config.discord;
  const discordWatch = new Watched({ name: 'discord', kind: 'required', title: 'Discord' }, clock, log);
  const { botToken, client } = config.slack;
  const isOnSlack = botToken !== undefined || client !== undefined;
  const slackWatch = new Watched({ name: 'slack', kind: 'required', title: 'Slack' }, clock, log);
  // Calls may work while no event comes.
  const slackEars = new Watched(
    { name: 'slack-events', kind: 'required', title: 'Listening to Slack' },
    clock,
    log,
  );
  const hears = role === 'all' || role === 'gateway';
  const hearsSlack = isOnSlack && hears;
  const hearsDiscord = token !== undefined && hears;
  let app: App | undefined;
  let stopLooking = async () => {};
  const opened = (): App => {
    if (app === undefined) throw new Error('nothing has been started yet');
    return app;
  };

  const redis: Part = {
    name: 'redis',
    async start() {
      const connections = await openRedis(config, clock, log, say);
      redisWatch.ok();
      app = composeApp(config, connections, clock, log, { meter: metrics, modelContact: modelWatch });
      const { queue, timers } = app;
      stopLooking = lookAfter(app, redisWatch, queueWatch);
      metrics.watch('queue_depth', async () => (await queue.depth()).waiting);
      metrics.watch('queue_oldest_age', async () => (await queue.depth()).oldestMs);
      metrics.watch('open_pauses', () => timers.open());
      say(`Redis: ${connections.place}`);
    },
    async stop() {
      await stopLooking();
      if (app !== undefined) await closeApp(app);
    },
  };

  /** Nothing new is to be sent to a process that ends. */
  const ending: Check[] = [];
  let server: HealthServer | undefined;
  let web: RunningWeb | undefined;
  const health: Part = {
    name: 'health',
    async start() {
      const checks = () => [
        ...ending,
        redisWatch.check,
        queueWatch.check,
        ...(works ? [modelWatch.check] : []),
        ...(token !== undefined && (works || hearsDiscord) ? [discordWatch.check] : []),
        ...(isOnSlack && works ? [slackWatch.check] : []),
        ...(hearsSlack ? [slackEars.check] : []),
      ];
      web = serves ? (await import('./web.ts')).openWeb(opened()) : undefined;
      const listeners = hearsSlack ? { [slackPath]: serveSlack } : {};
      server = await startHealthServer({ ...config.http, ...web, listeners, checks, metrics, clock, log });
      say(`State: ${server.url}/readyz`);
      if (web !== undefined) say(`Page: ${server.url}`);
    },
    async stop() {
      await web?.close();
      await server?.close();
    },
  };

  let slackGateway: RunningSlack | undefined;
  /** Slack sends again what comes before the gateway is there. */
  const serveSlack: RequestListener = (request, response) => {
    if (slackGateway?.listener === undefined) response.writeHead(503).end();
    else slackGateway.listener(request, response);
  };

  let running: RunningWorker | undefined;
  const outlets: ClosableOutlets[] = [];
  const closeAll = async () => {
    await Promise.all(outlets.splice(0).map((each) => each.close()));
  };
  const worker: Part = {
    name: 'worker',
    async start() {
      // A process loads only the platforms that it speaks to.
      if (token !== undefined) {
        const { openDiscordOutlets } = await import('./discord.ts');
        outlets.push(await openDiscordOutlets(opened(), { token, contact: discordWatch, tell: say }));
      }
      try {
        if (isOnSlack) {
          const { openSlack } = await import('./slack-worker.ts');
          outlets.push(await openSlack(opened(), { contact: slackWatch, tell: say }));
        }
        running = await startWorker(opened(), joinOutlets(outlets));
      } catch (error) {
        await closeAll();
        throw error;
      }
      modelWatch.ok();
      say(running.modelLine);
    },
    async drain(graceMs) {
      ending.push({
        name: 'ending',
        kind: 'required',
        state: 'away',
        since: clock.now(),
        detail: 'this process ends',
      });
      await running?.drain(graceMs);
    },
    async stop() {
      await running?.close();
      await closeAll();
    },
  };

  let gateway: RunningGateway | undefined;
  const closeGateway = async () => {
    await gateway?.close();
    gateway = undefined;
  };
  const discord: Part = {
    name: 'discord',
    async start() {
      if (token === undefined) return;
      const { startDiscord } = await import('./discord.ts');
      gateway = await startDiscord(opened(), { token, contact: discordWatch, tell: say }, endWith);
    },
    drain: closeGateway,
    stop: closeGateway,
  };

  const closeSlack = async () => {
    await slackGateway?.close();
    slackGateway = undefined;
  };
  const slack: Part = {
    name: 'slack',
    async start() {
      const { startSlack } = await import('./slack.ts');
      slackGateway = await startSlack(opened(), { contact: slackEars, tell: say });
    },
    drain: closeSlack,
    stop: closeSlack,
  };

  const parts = [
    redis,
    health,
    ...(works ? [worker] : []),
    ...(hearsDiscord ? [discord] : []),
    ...(hearsSlack ? [slack] : []),
  ];
  return { parts, app: opened };

  /** As an error that nobody caught: everything stops, and the exit code says so. */
  function endWith(error: TutorError): void {
    say(`${error.message} ${error.hint}`);
    queueMicrotask(() => {
      throw error;
    });
  }
}

const lookEveryMs = 2_000;
/** An answer that takes longer counts as none: a Redis that is frozen keeps its connections open. */
const answerLimitMs = 2_000;

/** Asks Redis and the queue for a sign of life until the returned function is called. */
function lookAfter(
  { presence, queue, clock }: App,
  redisWatch: Contact,
  queueWatch: Contact,
): () => Promise<void> {
  const over = new AbortController();
  const ask = async (watch: Contact, asked: Promise<unknown>) => {
    const tooLate = clock.sleep(answerLimitMs, over.signal).then(() => {
      throw new Error(`no answer within ${answerLimitMs / 1000} s`);
    });
    try {
      await Promise.race([asked, tooLate]);
      watch.ok();
    } catch (error) {
      if (!over.signal.aborted) watch.away(error);
    }
  };
  const looking = (async () => {
    while (!over.signal.aborted) {
      await Promise.all([ask(redisWatch, presence.writable()), ask(queueWatch, queue.depth())]);
      await clock.sleep(lookEveryMs, over.signal).catch(() => {}); // it is over
    }
  })();
  return async () => {
    over.abort();
    await looking;
  };
}

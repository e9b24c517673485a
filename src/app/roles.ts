/** One process image, four roles: which parts a process plays, in the order they start. */
import type { Config } from '../config/load.ts';
import type { Role } from '../config/role.ts';
import { Watched } from '../observe/checks.ts';
import { type HealthServer, startHealthServer } from '../observe/health.ts';
import { createMetrics } from '../observe/metrics.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import { type App, closeApp, composeApp } from './compose.ts';
import type { Part } from './lifecycle.ts';
import { openRedis } from './redis.ts';
import { type RunningWorker, startWorker } from './worker.ts';

export interface Roles {
  readonly parts: readonly Part[];
  /** There once the first part has started. */
  app(): App;
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
  const modelWatch = new Watched({ name: 'model', kind: 'degradable', title: 'The model' }, clock, log);
  const works = role === 'all' || role === 'worker';
  let app: App | undefined;
  const opened = (): App => {
    if (app === undefined) throw new Error('nothing has been started yet');
    return app;
  };

  const redis: Part = {
    name: 'redis',
    async start() {
      const connections = await openRedis(config, clock, log, say);
      connections.commands.on('ready', () => redisWatch.ok());
      connections.commands.on('close', () => redisWatch.away('the connection was closed'));
      redisWatch.ok();
      app = composeApp(config, connections, clock, log, { meter: metrics, modelContact: modelWatch });
      const { queue, timers } = app;
      metrics.watch('queue_depth', async () => (await queue.depth()).waiting);
      metrics.watch('queue_oldest_age', async () => (await queue.depth()).oldestMs);
      metrics.watch('open_pauses', () => timers.open());
      say(`Redis: ${connections.place}`);
    },
    async stop() {
      if (app !== undefined) await closeApp(app);
    },
  };

  let server: HealthServer | undefined;
  const health: Part = {
    name: 'health',
    async start() {
      const checks = () => [redisWatch.check, ...(works ? [modelWatch.check] : [])];
      server = await startHealthServer({ ...config.http, checks, metrics, clock, log });
      say(`State: ${server.url}/readyz`);
    },
    async stop() {
      await server?.close();
    },
  };

  let running: RunningWorker | undefined;
  const worker: Part = {
    name: 'worker',
    async start() {
      const { workerTools } = await import('./tools.ts');
      running = await startWorker(opened(), new Map(), workerTools(opened()));
      modelWatch.ok();
      say(running.modelLine);
    },
    drain: async (graceMs) => running?.drain(graceMs),
    async stop() {
      await running?.close();
    },
  };

  return { parts: [redis, health, ...(works ? [worker] : [])], app: opened };
}

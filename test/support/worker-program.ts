/**
 * A worker as the product runs it, in a process of its own: real store, real queue, the fake platform as its surface, and
 * two tools whose effects can be counted. It says `ready` when it takes work.
 */
import { z } from 'zod';
import { closeApp, composeApp } from '../../src/app/compose.ts';
import { runUntilStopped } from '../../src/app/lifecycle.ts';
import { openRedis } from '../../src/app/redis.ts';
import { type RunningWorker, startWorker } from '../../src/app/worker.ts';
import { loadConfig } from '../../src/config/load.ts';
import { downloadFrom } from '../../src/files/download.ts';
import { systemClock } from '../../src/observe/clock.ts';
import { createLogger } from '../../src/observe/logger.ts';
import type { Claim } from '../../src/ports/conversations.ts';
import type { Ledger } from '../../src/ports/ledger.ts';
import type { Tool } from '../../src/ports/tool.ts';
import { askUser } from '../../src/tools/ask-user.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { Crasher, type CrashPlan, crashVariable } from './crash.ts';
import { control, surfaceClient } from './surface/surface-client.ts';
import { surfaceName } from './surface/surface-over.ts';

const { PLATFORM_URL: platformUrl = '', DRAIN_MS: drainMs = '20000', [crashVariable]: plan } = process.env;

/** Leaves a mark in the world, so that a call that ran twice is seen. */
const remember: Tool = defineTool({
  name: 'write_memory',
  description: 'Remembers something about the learner.',
  args: z.object({ text: z.string() }),
  mode: 'exclusive',
  effect: 'unsafe',
  async run({ text }, { idempotencyKey }) {
    await control(platformUrl, { control: 'effect', effect: { name: text, key: idempotencyKey } });
    return { kind: 'text', text: 'Remembered.' };
  },
});

/** Leaves its mark at once and answers after `ms`, unless it is stopped before. */
const read: Tool = defineTool({
  name: 'web_fetch',
  description: 'Reads a page.',
  args: z.object({ url: z.string(), ms: z.number() }),
  mode: 'parallel',
  effect: 'idempotent',
  async run({ url, ms }, { idempotencyKey, signal }) {
    await control(platformUrl, { control: 'effect', effect: { name: url, key: idempotencyKey } });
    await systemClock.sleep(ms, signal);
    return { kind: 'text', text: 'A page about sums.' };
  },
});

const { config } = loadConfig(process.env, () => undefined);
const log = createLogger(config.logLevel);
const crasher = new Crasher(plan === undefined ? undefined : (JSON.parse(plan) as CrashPlan));
const redis = await openRedis(config, systemClock, log, console.error);
const composed = composeApp(config, redis, systemClock, log);
const app = {
  ...composed,
  queue: crasher.wrap('queue', composed.queue),
  timers: crasher.wrap('timers', composed.timers),
  blobs: crasher.wrap('blobs', composed.blobs),
  outcomes: crasher.wrap('outcomes', composed.outcomes),
  conversations: crasher.wrap('conversations', composed.conversations, (method, result) =>
    method === 'claim' ? crasher.wrap('claim', result as Claim, wrapLedger) : result,
  ),
};
const client = await surfaceClient(platformUrl);
const surface = (place: string) => crasher.wrap('surface', client(place));
let worker: RunningWorker | undefined;

process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume();
process.exitCode = await runUntilStopped({
  signals: process,
  log,
  clock: systemClock,
  drainMs: Number(drainMs),
  parts: [
    {
      name: 'worker',
      async start() {
        const surfaces = new Map([[surfaceName, surface]]);
        const fetchers = new Map([[surfaceName, downloadFrom({ origins: [platformUrl] })]]);
        worker = await startWorker(app, { surfaces, fetchers }, [askUser, remember, read]);
        console.log('ready');
      },
      drain: async (graceMs) => worker?.drain(graceMs),
      async stop() {
        await worker?.close();
        await closeApp(app);
      },
    },
  ],
});
process.exit();

function wrapLedger(method: string, result: unknown): unknown {
  return method === 'ledger' ? crasher.wrap('ledger', result as Ledger) : result;
}

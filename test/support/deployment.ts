/**
 * Docent as it is deployed, whatever the platform: a Redis and a model of its own, roles as processes that may die. They are
 * those of the product, started as `docent start` starts them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { waitingKeys } from '../../src/store/redis/keys.ts';
import { type Reply, say } from './llm/reply.ts';
import { type StrictLlm, startStrictLlm } from './llm/strict-llm.ts';
import { type Child, startProgram } from './processes.ts';
import { startTestRedis, type TestRedis } from './redis/redis.ts';

/** A step of a test that takes longer than this has failed, also on a machine that is busy. Unit: milliseconds. */
const patienceMs = 45_000;

export interface Ground {
  readonly redis: TestRedis;
  readonly llm: StrictLlm;
  /** What the model will say next. */
  readonly replies: Reply[];
}

export async function startGround(): Promise<Ground> {
  const replies: Reply[] = [];
  const next = () => replies.shift() ?? say('FINISH', 'The test has no reply for this.');
  const [redis, llm] = await Promise.all([startTestRedis(['--appendonly', 'yes']), startStrictLlm(next)]);
  return { redis, llm, replies };
}

export abstract class Deployment {
  /** In the order in which they were asked for. */
  readonly processes: Child[] = [];
  readonly redis: TestRedis;
  readonly llm: StrictLlm;
  private readonly replies: Reply[];
  private adding: Promise<void> = Promise.resolve();

  /** `env`: what every process is told about the platform. */
  constructor(
    { redis, llm, replies }: Ground,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.redis = redis;
    this.llm = llm;
    this.replies = replies;
  }

  /** What the model will say next, in place of what is left of before. */
  willSay(...replies: readonly Reply[]): void {
    this.replies.splice(0, this.replies.length, ...replies);
  }

  /** Resolves when the process is ready. */
  async run(role: 'gateway' | 'worker', env: Readonly<Record<string, string>> = {}): Promise<Child> {
    const starting = startProgram(new URL('docent-program.ts', import.meta.url), {
      ROLE: role,
      REDIS_URL: this.redis.url,
      PORT: '0',
      OPENAI_BASE_URL: this.llm.url,
      OPENAI_MODEL: 'test-model',
      LOOP_PROTOCOL: 'label',
      LOCK_MS: '2000',
      QUOTA_MESSAGES_PER_MINUTE: '0',
      ...this.env,
      ...env,
    });
    this.adding = this.adding.then(async () => void this.processes.push(await starting));
    await this.adding;
    const child = await starting;
    await child.line('ready');
    return child;
  }

  /** What was done wrong towards the model or the platform since it was last forgotten. */
  abstract problems(): Promise<string[]>;
  abstract forget(): Promise<void>;

  /** Polls; there is no other way to hear of what happens in other processes. */
  async until(what: string | (() => string), check: () => boolean | Promise<boolean>): Promise<void> {
    const end = performance.now() + patienceMs;
    while (!(await check())) {
      if (performance.now() > end)
        throw new Error(`not within ${patienceMs} ms: ${typeof what === 'string' ? what : what()}`);
      await sleep(30);
    }
  }

  /** A message shows the end of an answer a moment before its turn is over. */
  async untilIdle(): Promise<void> {
    await this.until('no turn runs', async () => {
      const waiting = await Promise.all(waitingKeys.map((key) => this.redis.redis.zcard(key)));
      return waiting.every((count) => count === 0);
    });
  }

  output(): string {
    return this.processes.map((child) => `process ${child.pid}\n${child.output()}`).join('\n');
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((child) => child.kill()));
    await Promise.all([this.llm.close(), this.redis.close()]);
  }
}

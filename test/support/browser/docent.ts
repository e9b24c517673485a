/** Docent as it is run, for tests of the page: processes of the built program over a Redis and a model of their own. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endWithUs } from '../guard.ts';
import type { Script } from '../llm/reply.ts';
import { type StrictLlm, startStrictLlm } from '../llm/strict-llm.ts';
import { startTestRedis, type TestRedis } from '../redis/redis.ts';

type Env = Readonly<Record<string, string>>;

export interface RunningDocent {
  readonly pid: number;
  /** Where it serves; the page is there when the role has one. */
  readonly url: string;
  output(): string;
  signal(name: NodeJS.Signals): void;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  /** Kills it and resolves when it is gone. */
  kill(): Promise<void>;
}

export class Deployment {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'docent-page-'));
  private readonly processes: RunningDocent[] = [];

  private constructor(
    readonly redis: TestRedis,
    /** Undefined: the practice program answers. */
    readonly llm: StrictLlm | undefined,
  ) {}

  static async start(script?: Script): Promise<Deployment> {
    const [redis, llm] = await Promise.all([
      startTestRedis(),
      script === undefined ? undefined : startStrictLlm(script),
    ]);
    return new Deployment(redis, llm);
  }

  /** Resolves when it is ready. `port` 0 takes a free one. */
  async run(role: 'all' | 'worker' | 'web' | 'gateway', env: Env = {}, port = 0): Promise<RunningDocent> {
    const model: Env =
      this.llm === undefined
        ? {}
        : { OPENAI_BASE_URL: this.llm.url, OPENAI_MODEL: 'test-model', LOOP_PROTOCOL: 'label' };
    const child = spawn(process.execPath, [path.resolve('dist/cli.js'), 'start', '--role', role], {
      cwd: this.folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        DOCENT_DATA: path.join(this.folder, 'data'),
        REDIS_URL: this.redis.url,
        PORT: String(port),
        LOCK_MS: '2000',
        QUOTA_MESSAGES_PER_MINUTE: '0',
        ...model,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (child.pid !== undefined) child.once('exit', endWithUs(child.pid));
    let output = '';
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    const ready = new Promise<string>((resolve, reject) => {
      const look = (text: string) => {
        output += text;
        const url = /^(?:Page|State): (http:\/\/[^/\s]+)/m.exec(output)?.[1];
        if (output.includes('Docent is ready.') && url !== undefined) resolve(url);
      };
      child.stdout.setEncoding('utf8').on('data', look);
      child.stderr.setEncoding('utf8').on('data', look);
      void ended.then(() => reject(new Error(`it ended before it was ready: ${output}`)));
    });
    const running: RunningDocent = {
      pid: child.pid ?? 0,
      url: await ready,
      output: () => output,
      signal: (name) => void child.kill(name),
      ended,
      async kill() {
        child.kill('SIGKILL');
        await ended;
      },
    };
    this.processes.push(running);
    return running;
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((each) => each.kill()));
    await Promise.all([this.redis.close(), this.llm?.close()]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

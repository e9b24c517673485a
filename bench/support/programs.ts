/**
 * The child processes of a row. They are bundled first, as the product is when it ships: run straight from TypeScript,
 * our code alone would pay for the loader's additions.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Takes one sample: microseconds of CPU per item, or whatever the variant tells. */
export type Sampler = () => Promise<number>;

/** Below `node_modules`, where nothing is looked at and the packages of the bench are found. */
const outdir = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url));
const bench = fileURLToPath(new URL('..', import.meta.url));

export class Programs {
  private readonly children: ChildProcess[] = [];

  get pids(): readonly (number | undefined)[] {
    return this.children.map(({ pid }) => pid);
  }

  /** Starts the model service; returns its base URL. */
  async serve(): Promise<string> {
    return String(await nextMessage(await this.start('support/sse-server.ts')));
  }

  /**
   * One process that holds these variants: files of `variants/`, with what they are to do behind a colon. It is kept for
   * all rounds, as a bot is: compiled code and connections are warm.
   */
  async hold(baseUrl: string, ...variants: readonly string[]): Promise<Sampler[]> {
    const files = variants.map((variant) => `variants/${variant.replace(/:.*/, '')}`);
    const child = await this.start('support/variant-process.ts', [baseUrl, ...variants], files);
    await nextMessage(child);
    return variants.map((_, index) => async () => {
      child.send(index);
      const said = await nextMessage(child);
      if (typeof said !== 'number') throw new Error(String(said));
      return said;
    });
  }

  /** Starts a program of the bench in a process of its own. */
  async start(
    program: string,
    args: readonly string[] = [],
    files: readonly string[] = [],
  ): Promise<ChildProcess> {
    await bundle([program, ...files]);
    const child = fork(`${outdir}${program.replace(/\.ts$/, '.js')}`, [...args], {
      // A profile asked for of the bench is one of the programs it measures.
      execArgv: ['--no-warnings', ...process.execArgv.filter((option) => option.startsWith('--cpu-prof'))],
      // Standard output belongs to the report.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.children.push(child);
    return child;
  }

  /** Resolves when every process has ended. */
  async close(): Promise<void> {
    await Promise.all(this.children.map(end));
  }
}

async function bundle(files: readonly string[]): Promise<void> {
  await build({
    entryPoints: files.map((file) => `${bench}${file}`),
    outbase: bench,
    outdir,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
}

/** Its next message. Rejects when it ends without one. */
export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const onEnd = () => ended.abort();
  child.once('exit', onEnd);
  try {
    const [message]: unknown[] = await once(child, 'message', { signal: ended.signal });
    return message;
  } catch (cause) {
    throw new Error('a measured program ended before it answered; its error stands above', { cause });
  } finally {
    child.off('exit', onEnd);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  if (child.connected) child.disconnect();
  await ended;
}

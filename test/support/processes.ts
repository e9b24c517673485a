/** Test programs as processes: bundled once, started by node alone, and gone when the test is. */
import { spawn } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export interface Child {
  readonly pid: number;
  /** The first line that begins like this. Rejects when it ended before. */
  line(beginning: string): Promise<string>;
  /** What it wrote so far to either output. */
  output(): string;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  signal(name: NodeJS.Signals): void;
  /** Kills it and resolves when it is gone. */
  kill(): Promise<void>;
}

const folder = path.resolve('node_modules/.cache/docent-test-programs');
const bundles = new Map<string, Promise<string>>();

/** A child ends when the pipe to its standard input does, so it cannot outlive this process. */
export async function startProgram(program: URL, env: Readonly<Record<string, string>> = {}): Promise<Child> {
  const file = await bundleOf(fileURLToPath(program));
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  const watchers = new Set<() => void>();
  const add = (text: string) => {
    output += text;
    for (const look of watchers) look();
  };
  child.stdout.setEncoding('utf8').on('data', add);
  child.stderr.setEncoding('utf8').on('data', add);
  child.stdin.on('error', () => {}); // it is gone
  const signal = (name: NodeJS.Signals) => void child.kill(name);
  return {
    pid: child.pid ?? 0,
    line: (beginning) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const line = output
            .split('\n')
            .slice(0, -1)
            .find((each) => each.startsWith(beginning));
          if (line === undefined) return;
          watchers.delete(look);
          resolve(line);
        };
        watchers.add(look);
        look();
        void ended.then(() => reject(new Error(`it ended before it wrote "${beginning}": ${output}`)));
      }),
    output: () => output,
    ended,
    signal,
    async kill() {
      signal('SIGKILL');
      await ended;
    },
  };
}

function bundleOf(program: string): Promise<string> {
  const known = bundles.get(program) ?? bundle(program);
  bundles.set(program, known);
  return known;
}

async function bundle(program: string): Promise<string> {
  const built = await build({
    entryPoints: [program],
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    logLevel: 'warning',
    // CommonJS packages inside an ESM bundle still call require.
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${path.basename(program, '.ts')}.mjs`);
  const own = `${file}.${process.pid}`;
  writeFileSync(own, built.outputFiles[0]?.text ?? '');
  // Whole or not at all: test files run side by side.
  renameSync(own, file);
  return file;
}

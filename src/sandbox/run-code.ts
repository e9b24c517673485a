/** Programs of learners, each in a process of its own that reaches nothing; one more waits warm for each language in use. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { CodeLanguage, CodeResult, RunCode } from '../ports/code.ts';
import type { Clock } from '../ports/runtime.ts';
import { FairQueue } from './fair-queue.ts';
import { nodeFlags, outerWalls } from './isolation.ts';
import { ProgramProcess } from './program-process.ts';

export interface SandboxOptions {
  /** The folder of the built programs: `python-child.js`, `javascript-child.js`, `pyodide/`. */
  readonly programs: string;
  /** Where the memory of a started Python is kept, which saves 2 s at each start. */
  readonly dataFolder: string;
  readonly clock: Clock;
  /** Instead of 10 s. */
  readonly timeMs?: number;
}

export interface Sandbox {
  readonly run: RunCode;
  close(): void;
}

const heapMb = 192;
const memoryBytes = 700 * 1024 * 1024;
const outputChars = 20_000;
/** A warm process that nobody needs goes after this long. Unit: milliseconds. */
const spareMs = 10 * 60_000;

export function sandbox({ programs: folder, dataFolder, clock, timeMs = 10_000 }: SandboxOptions): Sandbox {
  const programs = path.resolve(folder);
  const queue = new FairQueue<string>(Math.max(2, availableParallelism()));
  const spares = new Map<CodeLanguage, { readonly process: ProgramProcess; readonly cancel: () => void }>();
  let prefix: Promise<readonly string[]> | undefined;
  let snapshot: Promise<string> | undefined;
  let isClosed = false;
  const limits = { timeMs, memoryBytes, outputChars };

  return {
    run: (request, signal) =>
      queue.run(request.person ?? '', () => runOne(request.language, request, signal), signal),
    close() {
      isClosed = true;
      for (const { process, cancel } of spares.values()) {
        cancel();
        process.kill();
      }
      spares.clear();
    },
  };

  async function runOne(
    language: CodeLanguage,
    { code, stdin }: { readonly code: string; readonly stdin: string },
    signal: AbortSignal,
  ): Promise<CodeResult> {
    const mine = take(language) ?? (await start(language));
    try {
      if (!(await mine.isReady())) return { ended: 'broken', output: '', ms: 0 };
      refill(language).catch(() => {}); // the next run starts its own, or says why it cannot
      return await mine.run({ code, stdin }, limits, signal);
    } finally {
      mine.kill();
    }
  }

  function take(language: CodeLanguage): ProgramProcess | undefined {
    const spare = spares.get(language);
    spares.delete(language);
    spare?.cancel();
    return spare?.process;
  }

  async function refill(language: CodeLanguage): Promise<void> {
    if (spares.has(language)) return;
    const process = await start(language);
    if (isClosed || spares.has(language)) return process.kill();
    const cancel = clock.after(spareMs, () => {
      spares.delete(language);
      process.kill();
    });
    spares.set(language, { process, cancel });
  }

  async function start(language: CodeLanguage): Promise<ProgramProcess> {
    prefix ??= outerWalls();
    const before = await prefix;
    if (language === 'javascript') {
      const program = path.join(programs, 'javascript-child.js');
      return new ProgramProcess(
        [...before, process.execPath, ...nodeFlags([programs], heapMb), program],
        clock,
      );
    }
    snapshot ??= pythonSnapshot(programs, dataFolder).catch((error: unknown) => {
      snapshot = undefined;
      throw error;
    });
    const memory = await snapshot;
    const program = path.join(programs, 'python-child.js');
    const flags = nodeFlags([programs, memory], heapMb);
    return new ProgramProcess(
      [...before, process.execPath, ...flags, program, path.join(programs, 'pyodide'), memory],
      clock,
    );
  }
}

/** Made once, and again for another version. Its file; rejects when it cannot be made. */
async function pythonSnapshot(programs: string, dataFolder: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(path.join(programs, 'pyodide', 'package.json'), 'utf8'));
  const file = path.resolve(dataFolder, `python-${version}-node-${process.versions.modules}.memory`);
  if (existsSync(file)) return file;
  const flags = nodeFlags([programs], heapMb);
  const child = spawn(
    process.execPath,
    [...flags, path.join(programs, 'python-child.js'), path.join(programs, 'pyodide')],
    { stdio: ['ignore', 'pipe', 'ignore'], env: {} },
  );
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  if (chunks.length === 0) throw new Error('Python could not be started');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, Buffer.concat(chunks));
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

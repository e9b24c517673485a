/** `docent` as a person runs it: the built program in a process of its own, lines in, text out. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface ChatRun {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
  /** The log it wrote. */
  readonly log: string;
}

type Env = Readonly<Record<string, string>>;

/**
 * Types the lines into `docent chat`, waits for the end, and returns what was shown. No setting of this machine reaches
 * it. With `until` the input stays open until that was shown; `before` is run first, in the same folder.
 */
export async function docentChat(
  lines: readonly string[],
  more: Env = {},
  until?: RegExp,
  before?: (env: Env, folder: string) => Promise<void>,
): Promise<ChatRun> {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-chat-'));
  const env = { PATH: process.env['PATH'] ?? '', DOCENT_DATA: path.join(folder, 'data'), ...more };
  try {
    await before?.(env, folder);
    const child = spawn(process.execPath, [path.resolve('dist/cli.js'), 'chat'], { cwd: folder, env });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (until?.test(out) === true) child.stdin.end();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdin.write(lines.map((line) => `${line}\n`).join(''));
    if (until === undefined) child.stdin.end();
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { out, err, code, log: readLog(path.join(folder, 'data', 'docent.log')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts the program and resolves when it says that it is ready. Throws when it ends before. */
export async function startDocent(args: readonly string[], env: Env, folder: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [path.resolve('dist/cli.js'), ...args], { cwd: folder, env });
  let err = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
      if (err.includes('Docent is ready')) resolve();
    });
    child.once('close', () => reject(new Error(`it ended before it was ready: ${err}`)));
  });
  return child;
}

function readLog(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it ended before it wrote one
  }
}

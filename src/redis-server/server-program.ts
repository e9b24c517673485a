/** A redis-server program on this machine: where it lies, and whether it runs and is new enough. */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from './run-command.ts';
import { isNewEnough, OLDEST_VERSION, versionIn } from './server-version.ts';

export interface ServerProgram {
  readonly command: string;
  readonly args?: string[];
  /** To be set on top of the environment. */
  readonly env?: Record<string, string>;
}

/** A way to Redis: the program, or why this way leads nowhere. */
export type Found =
  | { readonly kind: 'program'; readonly program: ServerProgram }
  | { readonly kind: 'none'; readonly reason?: string; readonly isTooOld?: true };

type Environment = NodeJS.ProcessEnv;

const VERSION_TIMEOUT_MS = 10_000;
const serverNames = ['redis-server', 'valkey-server'];

/** The first server on PATH that runs and is new enough. */
export async function programOnPath(env: Environment): Promise<Found> {
  let last: Found = { kind: 'none' };
  for (const command of serverNames.map((name) => commandOnPath(name, env))) {
    if (command === undefined) continue;
    last = await tried({ command }, env);
    if (last.kind === 'program') return last;
  }
  return last;
}

/** The server of Debian packages that were unpacked into `folder`, with the libraries that came along. */
export async function unpackedProgram(folder: string, env: Environment): Promise<Found> {
  const command = path.join(folder, 'usr', 'bin', 'redis-server');
  if (!existsSync(command)) return { kind: 'none' };
  const libraries = [...libraryFolders(folder), env['LD_LIBRARY_PATH'] ?? ''].filter(Boolean).join(':');
  return tried({ command, env: { LD_LIBRARY_PATH: libraries } }, env);
}

/** Asks a program for its version. */
export async function tried(program: ServerProgram, env: Environment): Promise<Found> {
  const { ok, output, failure } = await runCommand(program.command, ['--version'], {
    env: { ...env, ...program.env },
    timeoutMs: VERSION_TIMEOUT_MS,
  });
  if (!ok) return { kind: 'none', reason: failure };
  const version = versionIn(output);
  if (version !== undefined && isNewEnough(version)) return { kind: 'program', program };
  const what = version ? `is ${version}` : 'does not tell its version';
  return { kind: 'none', reason: `${program.command} ${what}, ${OLDEST_VERSION} or newer is needed` };
}

/** The full path of a program, as the shell would find it. */
export function commandOnPath(name: string, env: Environment): string | undefined {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, name)).find(isExecutable);
}

/** `usr/lib`, `usr/lib/x86_64-linux-gnu` and the like. */
function libraryFolders(folder: string): string[] {
  const parents = ['usr/lib', 'lib']
    .map((name) => path.join(folder, name))
    .filter((name) => existsSync(name));
  return parents.flatMap((parent) => [
    ...readdirSync(parent)
      .filter((name) => name.includes('-linux-'))
      .map((name) => path.join(parent, name)),
    parent,
  ]);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // Not there, or not for us.
  }
}

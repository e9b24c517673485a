/** Where Redis comes from when REDIS_URL is not set: a program that is here, or one that can be fetched. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { installedServer, unpackedServer } from './debian-server.ts';
import { RedisServerError } from './failure.ts';
import { installLines, type SystemKind, systemKind } from './install-lines.ts';
import { runCommand } from './run-command.ts';
import {
  commandOnPath,
  type Found,
  programOnPath,
  type ServerProgram,
  tried,
  unpackedProgram,
} from './server-program.ts';
import { OLDEST_VERSION } from './server-version.ts';

interface FindOptions {
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Told one line before everything that can take more than two seconds. */
  readonly log: (line: string) => void;
  readonly system?: SystemKind;
}

const BREW_TIMEOUT_MS = 900_000;
const BREW_QUERY_TIMEOUT_MS = 30_000;

/**
 * The first that works: a server on PATH, the copy unpacked into the data folder earlier, apt (root installs; others,
 * and root where the system is read-only, unpack into the data folder), Homebrew. Throws `RedisServerError` with the lines to type when none does.
 */
export async function findRedisServer(options: FindOptions): Promise<ServerProgram> {
  const { dataFolder, env, log, system = systemKind() } = options;
  const unpacked = path.resolve(dataFolder, 'redis', 'program');
  const ways: readonly (() => Promise<Found>)[] = [
    () => programOnPath(env),
    () => unpackedProgram(unpacked, env),
    () => fromPackages({ unpacked, env, log, system }),
  ];
  const reasons: string[] = [];
  let isTooOld = false;
  for (const way of ways) {
    const found = await way();
    if (found.kind === 'program') return found.program;
    if (found.reason) reasons.push(found.reason);
    isTooOld ||= found.isTooOld === true;
  }
  const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
  throw new RedisServerError(
    `Redis ${OLDEST_VERSION} or newer is not here and could not be installed${why}`,
    `Type these lines, or set REDIS_URL to a Redis elsewhere, and start again:\n${installLines(system, isTooOld)}`,
  );
}

interface PackageOptions {
  readonly unpacked: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly system: SystemKind;
}

async function fromPackages({ unpacked, env, log, system }: PackageOptions): Promise<Found> {
  if (system.platform === 'darwin') return fromBrew(env, log);
  if (system.platform !== 'linux') return { kind: 'none' };
  if (!commandOnPath('apt-get', env) || !commandOnPath('dpkg', env)) return { kind: 'none' };
  const installed: Found = system.isRoot ? await installedServer({ env, log }) : { kind: 'none' };
  if (installed.kind === 'program') return installed;
  await mkdir(path.dirname(unpacked), { recursive: true, mode: 0o700 });
  const found = await unpackedServer(unpacked, { env, log });
  return found.kind === 'none' && installed.reason ? installed : found;
}

async function fromBrew(env: NodeJS.ProcessEnv, log: (line: string) => void): Promise<Found> {
  const brew = commandOnPath('brew', env);
  if (brew === undefined) return { kind: 'none', reason: 'Homebrew is not here: see https://brew.sh' };
  log('Installing Redis with Homebrew (once, about a minute) …');
  const quiet = { ...env, HOMEBREW_NO_AUTO_UPDATE: '1' };
  const install = await runCommand(brew, ['install', 'redis'], { env: quiet, timeoutMs: BREW_TIMEOUT_MS });
  if (!install.ok) return { kind: 'none', reason: install.failure };
  const where = await runCommand(brew, ['--prefix', 'redis'], {
    env: quiet,
    timeoutMs: BREW_QUERY_TIMEOUT_MS,
  });
  if (!where.ok) return { kind: 'none', reason: where.failure };
  return tried({ command: path.join(where.output.trim(), 'bin', 'redis-server') }, env);
}

/** Redis on Debian, Ubuntu and their relatives: root installs the package, everyone else unpacks it. */
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Apt, privateApt, systemApt, unpackAll } from './apt.ts';
import { withoutServiceStart } from './no-service.ts';
import type { CommandResult } from './run-command.ts';
import { type Found, programOnPath, unpackedProgram } from './server-program.ts';
import { isNewEnough, OLDEST_VERSION } from './server-version.ts';

interface Options {
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
}

type None = Extract<Found, { kind: 'none' }>;

/** Installs the package redis-server for the whole system, without its service. Needs root. */
export async function installedServer({ env, log }: Options): Promise<Found> {
  const apt = systemApt(env);
  const problem = await withCurrentLists(apt, log, () => {
    log('Installing Redis with apt-get (once, some seconds) …');
    return withoutServiceStart(env, () => apt.install());
  });
  return problem ?? programOnPath(env);
}

/** Unpacks redis-server and its libraries into `target`, touching nothing outside. Needs no rights. */
export async function unpackedServer(target: string, { env, log }: Options): Promise<Found> {
  const work = await mkdtemp(path.join(path.dirname(target), 'unpacking-'));
  try {
    const [debs, tree] = [path.join(work, 'debs'), path.join(work, 'tree')];
    await mkdir(debs);
    await mkdir(tree);
    const apt = await privateApt(work, env);
    const problem = await withCurrentLists(apt, log, () => {
      log('Fetching Redis with apt-get into the data folder (once, some seconds) …');
      return apt.download(debs);
    });
    if (problem) return problem;
    const unpacked = await unpackAll(debs, tree, env);
    if (!unpacked.ok) return { kind: 'none', reason: unpacked.failure };
    await rm(target, { recursive: true, force: true });
    await rename(tree, target);
    return await unpackedProgram(target, env);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Does `obtain` with the package lists as they are, and once more with fresh ones. Returns what went wrong, if it did. */
async function withCurrentLists(
  apt: Apt,
  log: (line: string) => void,
  obtain: () => Promise<CommandResult>,
): Promise<None | undefined> {
  const offered = await apt.candidate();
  if (offered !== undefined && isNewEnough(offered) && (await obtain()).ok) return undefined;

  log('Reading the package lists with apt-get update (some seconds) …');
  const update = await apt.update();
  const candidate = await apt.candidate();
  if (candidate === undefined) {
    return { kind: 'none', reason: update.failure || 'apt offers no package redis-server' };
  }
  if (!isNewEnough(candidate)) {
    const reason = `apt offers Redis ${candidate}, ${OLDEST_VERSION} or newer is needed`;
    return { kind: 'none', reason, isTooOld: true };
  }
  const { ok, failure } = await obtain();
  return ok ? undefined : { kind: 'none', reason: failure };
}

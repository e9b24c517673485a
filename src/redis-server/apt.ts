/** What Docent asks of apt: the version on offer, fresh lists, an installation, or the package files alone. */
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type CommandResult, runCommand } from './run-command.ts';

export interface Apt {
  /** Version of the redis-server that would be installed; `undefined` when the lists hold none. */
  candidate(): Promise<string | undefined>;
  update(): Promise<CommandResult>;
  install(): Promise<CommandResult>;
  /** Puts redis-server, and what it needs that is not installed, into `folder` as .deb files. */
  download(folder: string): Promise<CommandResult>;
}

const QUICK_MS = 30_000;
const NETWORK_MS = 180_000;

const patience = [
  'Acquire::Retries=2',
  'Acquire::http::Timeout=20',
  'Acquire::https::Timeout=20',
  'DPkg::Lock::Timeout=60',
].flatMap((setting) => ['-o', setting]);

/** The system's own apt; changing anything needs root. */
export function systemApt(env: NodeJS.ProcessEnv): Apt {
  return aptWith([], env);
}

/** Works for every user: lists and cache lie in `folder`. Until `update` the system's lists are read, if there are any. */
export async function privateApt(folder: string, env: NodeJS.ProcessEnv): Promise<Apt> {
  const lists = path.join(folder, 'lists');
  const cache = path.join(folder, 'cache');
  await mkdir(path.join(lists, 'partial'), { recursive: true });
  await mkdir(path.join(cache, 'archives', 'partial'), { recursive: true });
  const ownCache = ['-o', `Dir::Cache=${cache}`, '-o', 'Debug::NoLocking=1'];
  let apt = aptWith(ownCache, env);
  return {
    candidate: () => apt.candidate(),
    install: () => apt.install(),
    download: (target) => apt.download(target),
    update: () => {
      apt = aptWith([...ownCache, '-o', `Dir::State::lists=${lists}`], env);
      return apt.update();
    },
  };
}

function aptWith(options: readonly string[], given: NodeJS.ProcessEnv): Apt {
  const env = {
    ...given,
    LC_ALL: 'C',
    DEBIAN_FRONTEND: 'noninteractive',
    NEEDRESTART_MODE: 'l', // On Ubuntu: do not restart services of others because a library came along.
  };
  const run = (tool: string, args: readonly string[], timeoutMs: number, cwd?: string) =>
    runCommand(tool, [...args, ...options, ...patience], { env, timeoutMs, ...(cwd && { cwd }) });

  return {
    async candidate() {
      const { output } = await run('apt-cache', ['policy', 'redis-server'], QUICK_MS);
      return /^\s*Candidate: (\d\S*)/m.exec(output)?.[1];
    },
    update: () => run('apt-get', ['update', '-q'], NETWORK_MS),
    install: () =>
      run('apt-get', ['install', '-q', '-y', '--no-install-recommends', 'redis-server'], NETWORK_MS),
    async download(folder) {
      const plan = await run(
        'apt-get',
        ['install', '--simulate', '--no-install-recommends', 'redis-server'],
        QUICK_MS,
      );
      if (!plan.ok) return plan;
      // Lines such as `Inst libjemalloc2 (5.3.0-1 Debian:12.11/stable [amd64])`.
      const missing = [...plan.output.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? '');
      const packages = [...new Set(['redis-server', 'redis-tools', ...missing])];
      return run('apt-get', ['download', '-q', ...packages], NETWORK_MS, folder);
    },
  };
}

/** Unpacks every .deb file of a folder below `target`; nothing of it is run. */
export async function unpackAll(
  folder: string,
  target: string,
  env: NodeJS.ProcessEnv,
): Promise<CommandResult> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.deb'));
  let result: CommandResult = { ok: false, output: '', failure: 'apt-get download: nothing came' };
  for (const file of files) {
    result = await runCommand('dpkg', ['-x', path.join(folder, file), target], { env, timeoutMs: QUICK_MS });
    if (!result.ok) break;
  }
  return result;
}

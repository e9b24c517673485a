import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { RedisServerError } from '../../src/redis-server/failure.ts';
import { findRedisServer } from '../../src/redis-server/find-server.ts';
import { installLines, type SystemKind, systemKind } from '../../src/redis-server/install-lines.ts';
import { withoutServiceStart } from '../../src/redis-server/no-service.ts';
import { newFolder } from './support/docents.ts';
import { pathWithoutRedis, programs } from './support/programs.ts';

const root: SystemKind = { platform: 'linux', isRoot: true, families: ['debian'] };
const learner: SystemKind = { ...root, isRoot: false };
const version = (number: string) =>
  `echo "Redis server v=${number} sha=00000000:0 malloc=jemalloc-5.2.1 bits=64"`;

test('this machine has a Redis, or gets one', async () => {
  const { command, env } = await findRedisServer({
    dataFolder: newFolder(),
    env: process.env,
    log: () => {},
  });
  const told = execFileSync(command, ['--version'], { env: { ...process.env, ...env }, encoding: 'utf8' });
  expect(told).toMatch(/v=\d+\.\d+/);
}, 200_000);

describe('on PATH', () => {
  test('redis-server is taken without a word', async () => {
    const { PATH } = programs({ 'redis-server': version('7.0.15') });
    expect(await find({ PATH })).toEqual({ program: { command: `${PATH}/redis-server` }, lines: [] });
  });

  test('Valkey does as well', async () => {
    const { PATH } = programs({ 'valkey-server': 'echo "Valkey server v=8.1.1 sha=00000000:0"' });
    expect((await find({ PATH })).program).toEqual({ command: `${PATH}/valkey-server` });
  });

  test('Valkey is taken when redis-server is too old', async () => {
    const { PATH } = programs({
      'redis-server': version('6.0.16'),
      'valkey-server': 'echo "Valkey server v=7.2.8 sha=00000000:0"',
    });
    expect((await find({ PATH })).program).toEqual({ command: `${PATH}/valkey-server` });
  });

  test.each([
    ['is older than 6.2', version('6.0.16'), '/redis-server is 6.0.16, 6.2 or newer is needed'],
    [
      'lacks a library',
      'echo "libjemalloc.so.2: cannot open" >&2; exit 127',
      'libjemalloc.so.2: cannot open',
    ],
    ['is something else', 'echo "hello"', '/redis-server does not tell its version'],
  ])('one that %s is named when nothing else is found', async (_, script, reason) => {
    const { PATH } = programs({ 'redis-server': script });
    expect((await failureOf({ PATH })).message).toContain(reason);
  });
});

describe('in the data folder', () => {
  test('the copy unpacked earlier is used with its libraries', async () => {
    const dataFolder = newFolder();
    const bin = path.join(dataFolder, 'redis', 'program', 'usr', 'bin');
    mkdirSync(bin, { recursive: true });
    const lib = path.join(dataFolder, 'redis', 'program', 'usr', 'lib');
    mkdirSync(path.join(lib, 'x86_64-linux-gnu'), { recursive: true });
    writeFileSync(path.join(bin, 'redis-server'), `#!/bin/sh\n${version('7.0.15')}\n`);
    chmodSync(path.join(bin, 'redis-server'), 0o755);
    const { program, lines } = await find({ PATH: '/nowhere', LD_LIBRARY_PATH: '/own' }, learner, dataFolder);
    expect(program).toEqual({
      command: path.join(bin, 'redis-server'),
      env: { LD_LIBRARY_PATH: `${lib}/x86_64-linux-gnu:${lib}:/own` },
    });
    expect(lines).toEqual([]);
  });
});

describe('with apt', () => {
  const offers = (candidate: string) =>
    `echo "redis-server:\n  Installed: (none)\n  Candidate: ${candidate}"`;
  const dpkg = 'exit 1';

  test('root reads the lists only when they are empty', async () => {
    const apt = programs({
      'apt-cache': `[ -e "$HOME/lists" ] && ${offers('5:7.0.15-1~deb12u5')}`,
      'apt-get': `case $1 in
        update) : > "$HOME/lists" ;;
        install) printf '#!/bin/sh\\n%s\\n' '${version('7.0.15')}' > "$HOME/bin/redis-server"
          /bin/chmod 755 "$HOME/bin/redis-server" ;;
      esac`,
      dpkg,
    });
    const { program, lines } = await find({ PATH: apt.PATH, HOME: path.dirname(apt.PATH) }, root);
    expect(program).toEqual({ command: `${apt.PATH}/redis-server` });
    expect(apt.calls()).toEqual([
      'apt-cache policy redis-server',
      'apt-get update',
      'apt-cache policy redis-server',
      'apt-get install redis-server',
    ]);
    expect(lines).toEqual([
      'Reading the package lists with apt-get update (some seconds) …',
      'Installing Redis with apt-get (once, some seconds) …',
    ]);
  });

  test('lists that name a package which is gone are read again', async () => {
    const apt = programs({
      'apt-cache': offers('5:7.0.15-1'),
      'apt-get': 'echo "E: Failed to fetch redis-server.deb  404  Not Found" >&2; [ "$1" = update ]',
      dpkg,
    });
    const failure = await failureOf({ PATH: apt.PATH }, root);
    expect(apt.calls().filter((call) => /get (?:update|install redis)/.test(call))).toEqual([
      'apt-get install redis-server',
      'apt-get update',
      'apt-get install redis-server',
      'apt-get install redis-server',
      'apt-get update',
      'apt-get install redis-server',
    ]);
    expect(failure.message).toContain('apt-get install: E: Failed to fetch redis-server.deb  404  Not Found');
  });

  test('a system that offers an older Redis gets no Redis, but the lines for a newer one', async () => {
    const apt = programs({ 'apt-cache': offers('5:6.0.16-1ubuntu1'), 'apt-get': 'exit 0', dpkg });
    const failure = await failureOf({ PATH: apt.PATH }, learner);
    expect(failure.message).toContain('apt offers Redis 5:6.0.16-1ubuntu1, 6.2 or newer is needed');
    expect(failure.hint).toContain('sudo tee /etc/apt/sources.list.d/redis.list');
    expect(apt.calls()).not.toContain('apt-get install redis-server');
  });

  test('without a network the reason is told', async () => {
    const apt = programs({
      'apt-cache': '',
      'apt-get': 'echo "E: Could not resolve deb.debian.org" >&2; exit 100',
      dpkg,
    });
    const dataFolder = newFolder();
    const failure = await failureOf({ PATH: apt.PATH }, learner, dataFolder);
    expect(failure.message).toBe(
      'Redis 6.2 or newer is not here and could not be installed (apt-get update: E: Could not resolve deb.debian.org)',
    );
    expect(failure.hint).toBe(
      'Type these lines, or set REDIS_URL to a Redis elsewhere, and start again:\nsudo apt-get update && sudo apt-get install -y redis-server',
    );
    expect(readdirSync(path.join(dataFolder, 'redis'))).toEqual([]);
  });

  test.skipIf(!existsSync('/usr/bin/apt-get'))(
    'a user without rights gets a Redis of the real packages, and the data folder is all that changes',
    () => {
      const dataFolder = newFolder();
      const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
      if (other.uid) chownSync(dataFolder, other.uid, other.gid);
      const script = fileURLToPath(new URL('./support/find-one.ts', import.meta.url));
      const env = { PATH: pathWithoutRedis(), HOME: dataFolder };
      const found = spawnSync(process.execPath, ['--import', 'tsx', script, dataFolder], { env, ...other });
      const [line = ''] = found.stdout.toString().split('\n');
      expect(found.stderr.toString()).toContain('Fetching Redis with apt-get into the data folder');
      const program = JSON.parse(line);
      expect(program.command).toBe(path.join(dataFolder, 'redis', 'program', 'usr', 'bin', 'redis-server'));
      expect(readdirSync(path.join(dataFolder, 'redis'))).toEqual(['program']);
      const told = execFileSync(program.command, ['--version'], { env: program.env, encoding: 'utf8' });
      expect(told).toMatch(/v=\d+\.\d+/);
    },
    120_000,
  );
});

describe('on macOS', () => {
  const mac: SystemKind = { platform: 'darwin', isRoot: false, families: [] };

  test('Homebrew installs it', async () => {
    const brew = programs({
      brew: `[ "$1" = --prefix ] && echo "$HOME/opt/redis"; true`,
    });
    const home = path.dirname(brew.PATH);
    mkdirSync(path.join(home, 'opt', 'redis', 'bin'), { recursive: true });
    const server = path.join(home, 'opt', 'redis', 'bin', 'redis-server');
    writeFileSync(server, `#!/bin/sh\n${version('8.2.1')}\n`);
    chmodSync(server, 0o755);
    const { program, lines } = await find({ PATH: brew.PATH, HOME: home }, mac);
    expect(program).toEqual({ command: server });
    expect(lines).toEqual(['Installing Redis with Homebrew (once, about a minute) …']);
  });

  test('without Homebrew the message says where it is', async () => {
    const failure = await failureOf({ PATH: '/nowhere' }, mac);
    expect(failure.message).toContain('Homebrew is not here: see https://brew.sh');
    expect(failure.hint).toContain('\nbrew install redis');
  });
});

describe('the lines for a system', () => {
  test.each([
    ['ID=debian\n', 'sudo apt-get update && sudo apt-get install -y redis-server'],
    [
      'ID=linuxmint\nID_LIKE="ubuntu debian"\n',
      'sudo apt-get update && sudo apt-get install -y redis-server',
    ],
    ['ID=fedora\n', 'sudo dnf install -y valkey || sudo dnf install -y redis'],
    ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', 'sudo dnf install -y valkey || sudo dnf install -y redis'],
    ['NAME="Arch Linux"\nID=arch\n', 'sudo pacman -S --noconfirm valkey'],
    ['ID=alpine\n', 'sudo apk add redis'],
    ['ID="opensuse-leap"\nID_LIKE="suse opensuse"\n', 'sudo zypper install -y redis'],
  ])('%j: %s', (osRelease, line) => {
    expect(installLines({ ...systemKind(osRelease), platform: 'linux', isRoot: false }, false)).toBe(line);
  });

  test('root needs no sudo', () => {
    expect(installLines(root, false)).toBe('apt-get update && apt-get install -y redis-server');
  });

  test('an unknown Linux gets a container and the setting for it', () => {
    expect(installLines({ ...root, families: [] }, false)).toMatch(/^docker run .*\nexport REDIS_URL=/);
  });

  test('Windows gets WSL', () => {
    expect(installLines({ platform: 'win32', isRoot: false, families: [] }, false)).toMatch(
      /^wsl --install\n/,
    );
  });
});

describe('the service of the package', () => {
  const quiet = { PATH: '/nowhere' };

  test('is forbidden to start while the package is installed, and not longer', async () => {
    const policy = path.join(newFolder(), 'policy-rc.d');
    const answer = await withoutServiceStart(quiet, async () => spawnSync(policy).status, policy);
    expect([answer, existsSync(policy)]).toEqual([101, false]);
  });

  test('stays forbidden where it was, and is not left forbidden by an installation that was killed', async () => {
    const policy = path.join(newFolder(), 'policy-rc.d');
    writeFileSync(policy, '#!/bin/sh\nexit 101\n');
    await withoutServiceStart(quiet, async () => {}, policy);
    expect(existsSync(policy)).toBe(true);
    writeFileSync(policy, '#!/bin/sh\n# Written by Docent while it installs redis-server; can be removed.\n');
    await withoutServiceStart(quiet, async () => {}, policy);
    expect(existsSync(policy)).toBe(false);
  });

  test('is switched off for the next boot, also when the installation fails', async () => {
    const tools = programs({ systemctl: '' });
    const policy = path.join(newFolder(), 'policy-rc.d');
    const install = withoutServiceStart(
      { PATH: tools.PATH },
      () => Promise.reject(new Error('no network')),
      policy,
    );
    await expect(install).rejects.toThrow('no network');
    expect(tools.calls()).toEqual(['systemctl disable redis-server']);
    expect(existsSync(policy)).toBe(false);
  });
});

async function find(env: NodeJS.ProcessEnv, system: SystemKind = learner, dataFolder = newFolder()) {
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  return { program: await findRedisServer({ dataFolder, env, log, system }), lines };
}

async function failureOf(env: NodeJS.ProcessEnv, system = learner, dataFolder = newFolder()) {
  const failure = await find(env, system, dataFolder).catch((error: unknown) => error);
  if (failure instanceof RedisServerError) return failure;
  throw new Error(`expected no way to a Redis, got ${JSON.stringify(failure)}`);
}

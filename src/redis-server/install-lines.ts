/** The exact lines that get Redis on a system on which Docent cannot do it itself. */
import { readFileSync } from 'node:fs';

export interface SystemKind {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
  /** ID and ID_LIKE of os-release(5), the nearest first; empty elsewhere. */
  readonly families: readonly string[];
}

/** `osRelease` is the text of /etc/os-release. */
export function systemKind(osRelease = readOsRelease()): SystemKind {
  const valueOf = (name: string) => new RegExp(`^${name}=["']?([^"'\\n]*)`, 'm').exec(osRelease)?.[1] ?? '';
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    families: `${valueOf('ID')} ${valueOf('ID_LIKE')}`.split(' ').filter((word) => word !== ''),
  };
}

/** One command a line. `isTooOld` says that the system's own packages hold an older Redis than Docent needs. */
export function installLines({ platform, isRoot, families }: SystemKind, isTooOld: boolean): string {
  if (platform === 'win32') return 'wsl --install\nThen clone and start Docent inside WSL.';
  if (platform === 'darwin') return 'brew install redis';
  const sudo = isRoot ? '' : 'sudo ';
  const known = families.map((family) => byFamily.get(family)).find((lines) => lines !== undefined);
  return (known ?? inDocker)(sudo, isTooOld).join('\n');
}

type Lines = (sudo: string, isTooOld: boolean) => readonly string[];

/** Redis's own packages where Debian's and Ubuntu's are too old. Source: redis.io, "Install Redis on Linux". */
const debian: Lines = (sudo, isTooOld) =>
  isTooOld
    ? [
        `${sudo}apt-get update && ${sudo}apt-get install -y lsb-release curl gpg`,
        `curl -fsSL https://packages.redis.io/gpg | ${sudo}gpg --dearmor -o /usr/share/keyrings/redis-archive-keyring.gpg`,
        `${sudo}chmod 644 /usr/share/keyrings/redis-archive-keyring.gpg`,
        `echo "deb [signed-by=/usr/share/keyrings/redis-archive-keyring.gpg] https://packages.redis.io/deb $(lsb_release -cs) main" | ${sudo}tee /etc/apt/sources.list.d/redis.list`,
        `${sudo}apt-get update && ${sudo}apt-get install -y redis`,
      ]
    : [`${sudo}apt-get update && ${sudo}apt-get install -y redis-server`];

const fedora: Lines = (sudo) => [`${sudo}dnf install -y valkey || ${sudo}dnf install -y redis`];

const byFamily: ReadonlyMap<string, Lines> = new Map([
  ['debian', debian],
  ['ubuntu', debian],
  ['fedora', fedora],
  ['rhel', fedora],
  ['arch', (sudo) => [`${sudo}pacman -S --noconfirm valkey`]],
  ['alpine', (sudo) => [`${sudo}apk add redis`]],
  ['suse', (sudo) => [`${sudo}zypper install -y redis`]],
]);

const inDocker: Lines = () => [
  'docker run -d --name docent-redis -p 127.0.0.1:6379:6379 redis:7 redis-server --appendonly yes --maxmemory-policy noeviction',
  'export REDIS_URL=redis://127.0.0.1:6379',
];

function readOsRelease(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    return ''; // Not a Linux that says what it is.
  }
}

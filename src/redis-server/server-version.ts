/** Which Redis a program or server is, and whether Docent can work with it. */

/** The oldest version that has every command Docent and its queue use. Valkey tells the Redis version it stands for. */
export const OLDEST_VERSION = '6.2';

/** `7.0.15` out of what `redis-server --version` prints; `undefined` when it printed something else. */
export function versionIn(text: string): string | undefined {
  return /\bv=(\d+\.\d+\.\d+)/.exec(text)?.[1];
}

/** Also reads versions of packages, such as `5:6.0.16-1ubuntu1`. False when it cannot be told. */
export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = numbersOf(version);
  const [oldestMajor = 0, oldestMinor = 0] = numbersOf(OLDEST_VERSION);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

function numbersOf(version: string): number[] {
  const [, numbers = ''] = /^(?:\d+:)?v?(\d+\.\d+)/.exec(version) ?? [];
  return numbers.split('.').map(Number);
}

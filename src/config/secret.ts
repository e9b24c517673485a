/** The key that signs what comes back from buttons and links: the one that is set, else one kept in the data folder. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../domain/errors.ts';

const KEY_BYTES = 32;

/**
 * Made at the first call and the same ever after, also when two processes ask at the same moment. Throws `ConfigError`
 * when it cannot be kept, or when what was kept is damaged.
 */
export function secretOf(configured: string | undefined, dataFolder: string): string {
  if (configured !== undefined) return configured;
  const file = path.join(dataFolder, 'secret');
  try {
    const key = read(file) ?? make(file);
    if (new RegExp(`^[0-9a-f]{${KEY_BYTES * 2}}$`).test(key)) return key;
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ConfigError([
      `DOCENT_SECRET: expected ${file} to be readable and writable, got ${why}. Give the folder to the user that runs Docent, or set DOCENT_SECRET.`,
    ]);
  }
  throw new ConfigError([
    `DOCENT_SECRET: expected a key in ${file}, got something else. Bring it back from a backup, or remove it: open buttons and links then end.`,
  ]);
}

function read(file: string): string | undefined {
  try {
    const key = readFileSync(file, 'utf8').trim();
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
    return key;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Written aside and linked to its name: nobody ever reads half a key, and of two makers the first one wins. */
function make(file: string): string {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, file);
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere) renameSync(draft, file); // a disk without hard links
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}

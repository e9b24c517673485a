/** The `redis` folder inside the data folder: what lies where, and the note about the server that runs on it. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { access, chmod, constants, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './failure.ts';
import { type ProcessMark, readMark } from './processes.ts';

/** Where a server listens; only the user of the folder can reach it. */
export type ServerAddress =
  | { readonly kind: 'socket' }
  /** On 127.0.0.1. For folders whose path is too long for a socket, and for disks that hold none. */
  | { readonly kind: 'port'; readonly port: number; readonly password: string };

export interface ServerNote {
  readonly server: ProcessMark;
  readonly address: ServerAddress;
}

/** Absolute paths. */
export interface ServerFolder {
  /** As the person wrote it, for messages. */
  readonly dataFolder: string;
  readonly root: string;
  readonly data: string;
  readonly socket: string;
  readonly log: string;
  readonly config: string;
}

/** Makes the folders and closes them to other users. Fails with the system's error when they cannot be written. */
export async function openServerFolder(dataFolder: string): Promise<ServerFolder> {
  await makeFolder(path.resolve(dataFolder, 'redis', 'data'));
  const root = await realpath(path.join(dataFolder, 'redis'));
  const at = (name: string) => path.join(root, name);
  await chmod(root, 0o700);
  for (const place of [root, at('data')]) {
    await access(place, constants.R_OK | constants.W_OK | constants.X_OK);
  }
  return {
    dataFolder,
    root,
    data: at('data'),
    socket: at('redis.sock'),
    log: at('redis.log'),
    config: at('redis.conf'),
  };
}

/** Level by level: Node's own way hides why a parent cannot be made, and hangs on some kinds of disk. */
async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  if (folder !== path.dirname(folder)) await makeFolder(path.dirname(folder));
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!(await isFolder(folder))) throw error; // Else another start was faster.
  }
}

async function isFolder(name: string): Promise<boolean> {
  try {
    return (await stat(name)).isDirectory();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Synchronous, so that next to nothing can happen between the start of a server and the note about it. */
export function writeNote(folder: ServerFolder, { server, address }: ServerNote): void {
  const draft = `${noteFile(folder)}.new`;
  writeFileSync(draft, JSON.stringify({ folder: identity(folder), server, address }), { mode: 0o600 });
  renameSync(draft, noteFile(folder));
}

/** `undefined` when there is none, and when it came with a copy of another folder: that one's server is not ours. */
export function readNote(folder: ServerFolder): ServerNote | undefined {
  const note = readJson(noteFile(folder));
  if (!isRecord(note) || note['folder'] !== identity(folder)) return undefined;
  const server = readMark(note['server']);
  const address = readAddress(note['address']);
  return server && address && { server, address };
}

export function removeNote(folder: ServerFolder): void {
  rmSync(noteFile(folder), { force: true });
}

function noteFile(folder: ServerFolder): string {
  return path.join(folder.root, 'server.json');
}

/** The same for every name of one folder, another for its copy. */
function identity(folder: ServerFolder): string {
  const { dev, ino } = statSync(folder.root);
  return `${dev}:${ino}`;
}

function readAddress(value: unknown): ServerAddress | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, port, password } = value;
  if (kind === 'socket') return { kind };
  if (kind === 'port' && typeof port === 'number' && typeof password === 'string') {
    return { kind, port, password };
  }
  return undefined;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // No server was started here, or it was cut off while it was written down.
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

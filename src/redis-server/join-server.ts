/** Joins the server of a data folder: the one that runs, else one that is started. Called under the start lock. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { Clock } from '../ports/runtime.ts';
import { findRedisServer } from './find-server.ts';
import { launchServer, untilOpen } from './launch-server.ts';
import { stateOf } from './processes.ts';
import { readNote, type ServerAddress, type ServerFolder, type ServerNote } from './server-folder.ts';
import { AddressTakenError } from './server-log.ts';
import type { Presence } from './server-presence.ts';

export interface JoinOptions {
  readonly folder: ServerFolder;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly say: (line: string) => void;
}

export interface Joined {
  readonly presence: Presence;
  readonly address: ServerAddress;
  /** False when other processes were there first. */
  readonly isFirst: boolean;
}

/** The longest socket path every system takes: macOS 103, Linux 107. Unit: bytes. */
const MAX_SOCKET_PATH_BYTES = 103;
const PORTS_TRIED = 3;

/** A server without anybody, left by a process that was killed, is adopted. */
export async function joinServer(options: JoinOptions): Promise<Joined> {
  const { folder } = options;
  const note = readNote(folder);
  const address: ServerAddress = note?.address ?? { kind: 'socket' };
  const isAlive = () => note !== undefined && stateOf(note.server) === 'running';
  const presence = await untilOpen({ ...options, address }, isAlive);
  if (presence === undefined) return start(options, note);
  return { presence, address, isFirst: (await presence.countOthers()) === 0 };
}

async function start(options: JoinOptions, last: ServerNote | undefined): Promise<Joined> {
  const { folder, env, say } = options;
  const program = await findRedisServer({ dataFolder: folder.dataFolder, env, log: say });
  let refused = new AddressTakenError('no address was tried');
  for await (const address of addresses(folder, last)) {
    try {
      const presence = await launchServer(program, { ...options, address });
      return { presence, address, isFirst: true };
    } catch (error) {
      if (!(error instanceof AddressTakenError)) throw error;
      refused = error;
    }
  }
  throw refused;
}

/** Best first. The last address comes again, so that clients of a server that died find the next one. */
async function* addresses(folder: ServerFolder, last: ServerNote | undefined): AsyncGenerator<ServerAddress> {
  const fitsSocket = Buffer.byteLength(folder.socket) <= MAX_SOCKET_PATH_BYTES;
  if (last?.address.kind === 'port') yield last.address;
  else if (fitsSocket) yield { kind: 'socket' };
  const password = randomBytes(32).toString('hex');
  for (let tries = 0; tries < PORTS_TRIED; tries++) {
    yield { kind: 'port', port: await freePort(), password };
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

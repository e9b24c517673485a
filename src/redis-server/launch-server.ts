/** Starts a server as a process of its own, and waits until a server answers. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Clock } from '../ports/runtime.ts';
import { RedisServerError } from './failure.ts';
import { markOf } from './processes.ts';
import { serverConfig } from './server-config.ts';
import { type ServerAddress, type ServerFolder, writeNote } from './server-folder.ts';
import { startFailure } from './server-log.ts';
import { type Presence, reach } from './server-presence.ts';
import type { ServerProgram } from './server-program.ts';

export interface WaitOptions {
  readonly folder: ServerFolder;
  readonly address: ServerAddress;
  readonly clock: Clock;
  /** Told what is being waited for when it takes longer than two seconds. */
  readonly say: (line: string) => void;
}

const POLL_MS = 20;
const GIVE_UP_MS = 15_000;
const SAY_EVERY_MS = 2000;
/** Keeps `redis.log` from growing for ever. Unit: bytes. */
const MAX_LOG_BYTES = 4 * 1024 * 1024;
/** What a server needs of our environment; it has no business with keys and tokens. */
const passedOn = ['PATH', 'HOME', 'LANG', 'TZ', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/**
 * The server outlives this process, whatever ends it, until it is told to shut down. Throws `AddressTakenError` when
 * another address may do, `RedisServerError` when it cannot run at all.
 */
export async function launchServer(
  program: ServerProgram,
  options: WaitOptions & { readonly env: NodeJS.ProcessEnv },
): Promise<Presence> {
  const { folder, address, env } = options;
  writeFileSync(folder.config, serverConfig(address), { mode: 0o600 });
  const { fd, from } = openLog(folder.log);
  const kept = Object.fromEntries(passedOn.map((name) => [name, env[name]]));
  const server = spawn(program.command, [...(program.args ?? []), '../redis.conf'], {
    cwd: folder.data,
    detached: true,
    stdio: ['ignore', fd, fd],
    env: { ...kept, ...program.env },
  });
  closeSync(fd);
  let ended: string | undefined;
  server.once('error', (error) => (ended = error.message));
  server.once('exit', () => (ended ??= ''));
  server.unref();
  try {
    const mark = server.pid === undefined ? undefined : markOf(server.pid);
    if (mark) writeNote(folder, { server: mark, address });
    const presence = await untilOpen(options, () => ended === undefined);
    if (presence) return presence;
    throw startFailure(readFileSync(folder.log).subarray(from).toString() + (ended ?? ''), folder, program);
  } catch (error) {
    server.kill();
    throw error;
  }
}

/**
 * Waits for a server to answer: a short while for one that says nothing, as long as it takes for one that loads.
 * Returns `undefined` when nothing listens and `isAlive` says that nothing will.
 */
export async function untilOpen(options: WaitOptions, isAlive: () => boolean): Promise<Presence | undefined> {
  const { folder, address, clock, say } = options;
  let heardAt = clock.now();
  let saidAt = clock.now();
  const sayNowAndThen = (line: string) => {
    if (clock.now() - saidAt < SAY_EVERY_MS) return;
    saidAt = clock.now();
    say(line);
  };
  for (;;) {
    const reached = await reach(folder, address, clock);
    switch (reached.kind) {
      case 'open':
        return reached.presence;
      case 'closed':
        if (!isAlive()) return undefined;
        break;
      case 'loading':
        heardAt = clock.now();
        sayNowAndThen(`Redis reads its data from disk: ${reached.percent} % …`);
        break;
      case 'silent':
        break;
    }
    if (clock.now() - heardAt > GIVE_UP_MS) throw silentServer(folder);
    sayNowAndThen('Waiting for Redis to answer …');
    await clock.sleep(POLL_MS);
  }
}

function silentServer(folder: ServerFolder): RedisServerError {
  return new RedisServerError(
    `the Redis of ${folder.dataFolder} (DOCENT_DATA) runs but does not answer`,
    `See ${folder.log}; end the process redis-server that works in ${folder.data}, then start again.`,
  );
}

/** Opens the log for appending and says where this server's part begins. */
function openLog(file: string): { fd: number; from: number } {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const isTooLong = size > MAX_LOG_BYTES;
  const fd = openSync(file, isTooLong ? 'w' : 'a', 0o600);
  return { fd, from: isTooLong ? 0 : size };
}

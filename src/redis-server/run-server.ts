/** Docent's own Redis: one server for each data folder, shared by every process that uses the folder. */
import type { Clock, Logger } from '../ports/runtime.ts';
import { dataFolderFailure } from './failure.ts';
import { type Joined, type JoinOptions, joinServer } from './join-server.ts';
import { openServerFolder, removeNote, type ServerAddress, type ServerFolder } from './server-folder.ts';
import { LockBusyError, withStartLock } from './start-lock.ts';
import { within } from './within.ts';

export interface RedisServerOptions {
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told one line about everything that takes more than two seconds; without it the lines go to the log. */
  readonly say?: (line: string) => void;
  readonly env?: NodeJS.ProcessEnv;
}

export interface RedisServer {
  /** For `parseRedisUrl`. It holds a password where no socket can be used. */
  readonly url: string;
  /** False when other processes were there first. */
  readonly owned: boolean;
  /** Leaves the server, and ends it when nobody else uses it. Close your own connections before. */
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
/** A stop must not last longer than the operator's patience; a server that is left running is adopted later. */
const LEAVE_WITHIN_MS = 5000;

/**
 * Starts the server of the data folder, or joins the one that runs there. It survives a kill of this process: the next
 * start adopts it. A server that dies is started again on the same data. Throws `RedisServerError`.
 */
export async function startRedisServer(options: RedisServerOptions): Promise<RedisServer> {
  const { dataFolder, clock, log, env = process.env } = options;
  const say = options.say ?? ((line: string) => log.info({}, line));
  try {
    const folder = await openServerFolder(dataFolder);
    const membership = new Membership({ folder, env, clock, say }, log);
    const { address, isFirst } = await membership.join();
    return { url: urlOf(folder, address), owned: isFirst, stop: () => membership.leave() };
  } catch (error) {
    throw dataFolderFailure(error, dataFolder);
  }
}

/** This process's share in the server: kept until it leaves, also across the death of the server. */
class Membership {
  private joined: Joined | undefined;
  private rejoining: Promise<void> = Promise.resolve();
  private leaving: Promise<void> | undefined;
  private hasLeft = false;
  private readonly over = new AbortController();

  constructor(
    private readonly options: JoinOptions,
    private readonly log: Logger,
  ) {}

  async join(): Promise<Joined> {
    const joined = await this.locked(() => joinServer(this.options));
    if (this.hasLeft) joined.presence.close();
    this.joined = joined;
    joined.presence.onClosed(() => {
      this.joined = undefined;
      if (this.leaving === undefined) this.rejoining = this.rejoin();
    });
    return joined;
  }

  leave(): Promise<void> {
    this.leaving ??= this.leaveOnce();
    return this.leaving;
  }

  private async leaveOnce(): Promise<void> {
    this.over.abort();
    await within(this.options.clock, LEAVE_WITHIN_MS, this.rejoining, undefined);
    try {
      await this.locked(() => this.endUnlessShared(), LEAVE_WITHIN_MS);
    } catch (error) {
      // Whoever starts in this moment goes on with the server. A folder that was removed or is full gives no lock, and
      // nothing can start in it.
      if (!(error instanceof LockBusyError)) await this.endUnlessShared();
    }
    this.hasLeft = true;
    this.joined?.presence.close();
  }

  private async endUnlessShared(): Promise<void> {
    const { clock, folder } = this.options;
    const presence = this.joined?.presence;
    if (presence === undefined) return;
    const end = async () => {
      if ((await presence.countOthers()) > 0) return;
      await presence.shutDown();
      removeNote(folder);
    };
    try {
      const late = new Error(`no answer within ${LEAVE_WITHIN_MS / 1000} s`);
      const failure = await within(clock, LEAVE_WITHIN_MS, end(), late);
      if (failure) throw failure;
    } catch (error) {
      this.log.warn(
        { error },
        'Redis did not shut down; it keeps its data and the next start goes on with it',
      );
    }
  }

  /** Brings back a server that died, or joins the one that another process has brought back. */
  private async rejoin(): Promise<void> {
    this.log.warn({}, 'the Redis of the data folder has ended; starting it again');
    for (let pauseMs = 0; !this.over.signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        await this.options.clock.sleep(pauseMs, this.over.signal);
        await this.join();
        this.log.info({}, 'the Redis of the data folder runs again');
        return;
      } catch (error) {
        if (!this.over.signal.aborted) this.log.error({ error }, 'Redis cannot be started again; trying on');
        pauseMs ||= FIRST_PAUSE_MS;
      }
    }
  }

  private locked<T>(work: () => Promise<T>, patienceMs?: number): Promise<T> {
    const { folder, clock, say } = this.options;
    const onWaiting = (holder: string) => say(`Waiting: ${holder} is starting Redis in ${folder.root} …`);
    const patience = patienceMs === undefined ? {} : { patienceMs };
    return withStartLock({ folder: folder.root, clock, onWaiting, ...patience }, work);
  }
}

function urlOf(folder: ServerFolder, address: ServerAddress): string {
  if (address.kind === 'port') return `redis://:${address.password}@127.0.0.1:${address.port}`;
  return `unix://${folder.socket.split('/').map(encodeURIComponent).join('/')}`;
}

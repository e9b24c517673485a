/**
 * The connection by which a process is known to the server it shares: as long as it is open, nobody else ends the
 * server, and when it closes the server is gone. The system closes it even when the process is killed.
 */
import { Redis } from 'ioredis';
import type { Clock } from '../ports/runtime.ts';
import type { ServerAddress, ServerFolder } from './server-folder.ts';
import { within } from './within.ts';

export interface Presence {
  /** How many other processes share the server. */
  countOthers(): Promise<number>;
  /** Ends the server with everything on disk. Rejects with its reason when it refuses. */
  shutDown(): Promise<void>;
  /** Calls back once when the connection has closed, also when it has already. */
  onClosed(run: () => void): void;
  close(): void;
}

export type Reach =
  | { readonly kind: 'open'; readonly presence: Presence }
  | { readonly kind: 'loading'; readonly percent: string }
  /** Something listens and says nothing. */
  | { readonly kind: 'silent' }
  /** Nothing listens there, or a server that is not ours. */
  | { readonly kind: 'closed' };

const NAME = 'docent-present';
const ANSWER_WITHIN_MS = 2000;

/** Tries once to become known to a server. */
export async function reach(folder: ServerFolder, address: ServerAddress, clock: Clock): Promise<Reach> {
  const client = new Redis({
    ...(address.kind === 'socket'
      ? { path: folder.socket }
      : { host: '127.0.0.1', port: address.port, password: address.password }),
    lazyConnect: true,
    retryStrategy: () => null,
    enableReadyCheck: false, // It would wait for the end of loading without a word.
    disableClientInfo: true,
  });
  client.on('error', () => {}); // Told by what `connect` and `ping` say.
  const closed = new Promise<void>((resolve) => client.once('end', resolve));
  const said = await within(clock, ANSWER_WITHIN_MS, askOnce(client, address), 'silent' as const);
  if (said === 'open') return { kind: 'open', presence: presenceOf(client, closed) };
  if (client.status !== 'end') client.disconnect(); // Else it would hold the process for two seconds.
  return typeof said === 'string' ? { kind: said } : said;
}

async function askOnce(
  client: Redis,
  address: ServerAddress,
): Promise<'open' | 'closed' | Extract<Reach, { kind: 'loading' }>> {
  try {
    await client.connect();
    await client.ping();
    if (address.kind === 'port' && !(await hasPassword(client, address.password))) return 'closed';
    // Last, so that an attempt that was given up is never counted.
    await client.client('SETNAME', NAME);
    return 'open';
  } catch (error) {
    const isLoading = error instanceof Error && error.message.startsWith('LOADING');
    if (!isLoading) return 'closed';
    const info = await client.info('persistence').catch(() => '');
    return { kind: 'loading', percent: /loading_loaded_perc:(\d+)/.exec(info)?.[1] ?? '0' };
  }
}

/** A server without a password lets in everybody: one that took our port while we were away is not ours. */
async function hasPassword(client: Redis, password: string): Promise<boolean> {
  const setting = await client.config('GET', 'requirepass');
  return Array.isArray(setting) && setting[1] === password;
}

function presenceOf(client: Redis, closed: Promise<void>): Presence {
  return {
    async countOthers() {
      const list = String(await client.client('LIST'));
      const present = list.split('\n').filter((line) => line.includes(` name=${NAME} `));
      return Math.max(0, present.length - 1);
    },
    async shutDown() {
      try {
        await client.shutdown();
      } catch (error) {
        // The answer to a shutdown that works is the end of the connection, not a reply.
        if (error instanceof Error && error.name === 'ReplyError') throw error;
      }
      await closed;
    },
    onClosed: (run) => void closed.then(run),
    close: () => {
      if (client.status !== 'end') client.disconnect();
    },
  };
}

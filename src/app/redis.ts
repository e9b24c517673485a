/** The Redis of this process: the one that is set, or Docent's own in the data folder; checked before anything uses it. */

import type { Config } from '../config/load.ts';
import { ConfigError } from '../domain/errors.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import { checkRedis } from '../redis-server/check-redis.ts';
import { connectRedis, describeTarget, parseRedisUrl } from '../redis-server/connect.ts';
import type { RedisClient } from '../store/redis/client.ts';

export interface AppRedis {
  /** For the start line: where it is, without the login. */
  readonly place: string;
  /** A connection for commands that fail when Redis is away. */
  readonly commands: RedisClient;
  /** A further connection; `wait`: its commands wait for Redis however long it is away. */
  connect(whenAway: 'wait' | 'fail'): RedisClient;
  /** Closes every connection, and the server when nobody else uses it. */
  close(): Promise<void>;
}

/** `say` is told one line about everything that takes more than two seconds. */
export async function openRedis(
  config: Pick<Config, 'redisUrl' | 'dataFolder'>,
  clock: Clock,
  log: Logger,
  say: (line: string) => void,
): Promise<AppRedis> {
  const server =
    config.redisUrl === undefined ? await ownServer(config.dataFolder, clock, log, say) : undefined;
  const target = parseRedisUrl(server?.url ?? config.redisUrl ?? '');
  const connections: RedisClient[] = [];
  const connect = (whenAway: 'wait' | 'fail') => {
    const connection = connectRedis(target, { whenAway, log, name: 'docent' });
    connections.push(connection);
    return connection;
  };
  const close = async () => {
    // One that has ended already would hold the process for another two seconds.
    for (const connection of connections) if (connection.status !== 'end') connection.disconnect();
    await server?.stop();
  };
  const commands = connect('fail');
  const problems = await checkRedis(commands, { clock, warn: say });
  if (problems.length > 0) {
    await close();
    throw new ConfigError(problems);
  }
  return { place: describeTarget(target), commands, connect, close };
}

async function ownServer(dataFolder: string, clock: Clock, log: Logger, say: (line: string) => void) {
  const { startRedisServer } = await import('../redis-server/run-server.ts');
  return startRedisServer({ dataFolder, clock, log, say });
}

/** The configuration of Docent's own Redis: nothing that was acknowledged may be thrown out, and little may be lost. */
import type { ServerAddress } from './server-folder.ts';

/** Paths are relative to the data folder of the server, in which it is started: no path length and no quoting matters. */
export function serverConfig(address: ServerAddress): string {
  const listen =
    address.kind === 'socket'
      ? ['port 0', 'unixsocket ../redis.sock', 'unixsocketperm 700']
      : ['bind 127.0.0.1', `port ${address.port}`, `requirepass ${address.password}`];
  return [
    ...listen,
    'daemonize no',
    'logfile ""', // Standard output, which goes to redis.log together with what is said before logging begins.
    'dir ./',
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory 0',
    'maxmemory-policy noeviction',
    '',
  ].join('\n');
}

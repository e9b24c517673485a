/** Says once that Redis is away, and once that it is back: a client that tries again every second must not fill the log. */
import type { Cluster, Redis } from 'ioredis';
import type { Logger } from '../ports/runtime.ts';
import { causeOf } from './connection-problem.ts';

const CLOSED = 'the connection was closed';

/** Listens for the whole life of a client. Closing it on purpose is not worth a line. */
export function reportConnection(client: Redis | Cluster, log: Logger): void {
  let isAway = false;
  let reason = CLOSED;
  const away = () => {
    if (isAway) return;
    isAway = true;
    log.warn({ reason }, 'Redis is away, waiting');
  };
  client.on('error', (error: Error) => {
    reason = causeOf(error).message;
    // Once ready, an error is followed by the end of the connection, or is one command's own affair.
    if (client.status !== 'ready') away();
  });
  client.on('reconnecting', away);
  client.on('ready', () => {
    if (isAway) log.info({}, 'Redis is back');
    isAway = false;
    reason = CLOSED;
  });
}

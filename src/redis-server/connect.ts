/** From `REDIS_URL` to a client that reconnects for ever and says so once. */
import { Cluster, type Redis } from 'ioredis';
import type { Logger } from '../ports/runtime.ts';
import { reportConnection } from './connection-log.ts';
import { GatheringRedis } from './gathering-redis.ts';
import {
  databaseIn,
  decoded,
  type Login,
  nodesIn,
  type RedisNode,
  splitUrl,
  type UrlParts,
  urlForms,
  urlProblem,
} from './url-parts.ts';

/** Where Redis is and how to log in. `isTls` counts for sentinels too. */
export type RedisTarget = SingleTarget | ClusterTarget | SentinelTarget;

interface SingleTarget extends Login {
  readonly kind: 'single';
  readonly at: RedisNode | { readonly path: string };
  readonly isTls: boolean;
  readonly db: number;
}

interface ClusterTarget extends Login {
  readonly kind: 'cluster';
  readonly nodes: readonly RedisNode[];
  readonly isTls: boolean;
}

interface SentinelTarget extends Login {
  readonly kind: 'sentinel';
  readonly sentinels: readonly RedisNode[];
  /** The sentinels' name for the group of servers. */
  readonly name: string;
  /** For the sentinels themselves: `?sentinelPassword=`. */
  readonly sentinelPassword?: string;
  readonly isTls: boolean;
  readonly db: number;
}

export interface ConnectOptions {
  /**
   * `wait`: a command waits for Redis however long it is away; BullMQ's workers want this. `fail`: it rejects after some
   * seconds, for those who have somebody to tell. A command that failed may have been done all the same.
   */
  readonly whenAway: 'wait' | 'fail';
  readonly log: Logger;
  /** Shown by CLIENT LIST. Without spaces. */
  readonly name?: string;
}

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;
const CONNECT_TIMEOUT_MS = 5000;
/** A connection that owes an answer for this long is dead. Longer than any blocking command of ours or of BullMQ (10 s). */
const SILENT_SOCKET_MS = 30_000;
const KEEP_ALIVE_MS = 10_000;
const FAIL_AFTER_MS = 5000;
const FAIL_AFTER_RECONNECTS = 5;
const LONGEST_RETRY_MS = 1000;

/** Throws `ConfigError` with a sentence that names REDIS_URL and holds no password. */
export function parseRedisUrl(url: string): RedisTarget {
  const parts = splitUrl(url);
  const { scheme, login, hosts, path } = parts;
  const isTls = scheme.startsWith('rediss');
  switch (scheme) {
    case 'redis':
    case 'rediss':
      return { kind: 'single', at: onlyNode(parts), isTls, db: databaseIn(parts, path), ...login };
    case 'unix':
    case 'redis+unix':
      return { kind: 'single', at: { path: socketPath(parts) }, isTls, db: databaseIn(parts, ''), ...login };
    case 'redis+cluster':
    case 'rediss+cluster':
      if (databaseIn(parts, path) > 0)
        throw urlProblem('a cluster has database 0 only', 'Leave the number out.');
      return { kind: 'cluster', nodes: nodesIn(hosts, REDIS_PORT), isTls, ...login };
    case 'redis+sentinel':
    case 'rediss+sentinel':
      return { ...sentinelTarget(parts), isTls, ...login };
    default:
      throw urlProblem(`"${scheme}://" is not known`, `Write ${urlForms}.`);
  }
}

/** Never throws and never emits an unhandled error: what is wrong with the connection goes to the log. */
export function connectRedis(target: RedisTarget, options: ConnectOptions): Redis | Cluster {
  const client = target.kind === 'cluster' ? clusterClient(target, options) : plainClient(target, options);
  reportConnection(client, options.log);
  return client;
}

/** The address without the login, for logs and messages. */
export function describeTarget(target: RedisTarget): string {
  switch (target.kind) {
    case 'single':
      return 'path' in target.at ? target.at.path : text(target.at);
    case 'cluster':
      return `the cluster of ${target.nodes.map(text).join(', ')}`;
    case 'sentinel':
      return `${target.name} of the sentinels ${target.sentinels.map(text).join(', ')}`;
  }
}

function plainClient(target: SingleTarget | SentinelTarget, options: ConnectOptions): Redis {
  const common = { ...connectionOptions(target, options), db: target.db };
  if (target.kind === 'single')
    return new GatheringRedis({ ...common, ...target.at, ...(target.isTls && { tls: {} }) });
  return new GatheringRedis({
    ...common,
    sentinels: target.sentinels.map((node) => ({ ...node })),
    name: target.name,
    sentinelRetryStrategy: retryDelay,
    ...(target.sentinelPassword !== undefined && { sentinelPassword: target.sentinelPassword }),
    ...(target.isTls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  });
}

function clusterClient(target: ClusterTarget, options: ConnectOptions): Cluster {
  return new Cluster(
    target.nodes.map((node) => ({ ...node })),
    {
      clusterRetryStrategy: retryDelay,
      slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
      redisOptions: { ...connectionOptions(target, options), ...(target.isTls && { tls: {} }) },
      // Certificates are for names: a managed cluster names its nodes, and looking them up would leave addresses.
      ...(target.isTls && { dnsLookup: (host, found) => found(null, host) }),
    },
  );
}

function connectionOptions({ username, password }: Login, options: ConnectOptions) {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    connectionName: options.name ?? 'docent',
    retryStrategy: retryDelay,
    // After a fail-over the old address may lead to a replica for a while.
    reconnectOnError: (error: Error) => error.message.includes('READONLY'),
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENT_SOCKET_MS,
    keepAlive: KEEP_ALIVE_MS,
    ...(options.whenAway === 'wait'
      ? { maxRetriesPerRequest: null }
      : { maxRetriesPerRequest: FAIL_AFTER_RECONNECTS, commandTimeout: FAIL_AFTER_MS }),
  };
}

function retryDelay(times: number): number {
  return Math.min(50 * times, LONGEST_RETRY_MS);
}

function onlyNode({ hosts, scheme }: UrlParts): RedisNode {
  const [node, ...more] = nodesIn(hosts, REDIS_PORT);
  if (node !== undefined && more.length === 0) return node;
  throw urlProblem(
    'expected one host',
    `Several stand behind ${scheme}+cluster:// or ${scheme}+sentinel://.`,
  );
}

function socketPath({ hosts, path }: UrlParts): string {
  if (hosts === '' && path !== '') return `/${decoded(path)}`;
  throw urlProblem('expected the path of a socket', 'Write it behind three slashes: unix:///path/to/socket.');
}

function sentinelTarget(parts: UrlParts): Omit<SentinelTarget, 'isTls'> {
  const [name = '', db = ''] = parts.path.split('/');
  if (name === '')
    throw urlProblem('the name of the group is missing', 'Write redis+sentinel://host:port,host:port/name.');
  const sentinelPassword = parts.query.get('sentinelPassword');
  return {
    kind: 'sentinel',
    sentinels: nodesIn(parts.hosts, SENTINEL_PORT),
    name: decoded(name),
    db: databaseIn(parts, db),
    ...(sentinelPassword !== null && { sentinelPassword }),
  };
}

function text({ host, port }: RedisNode): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

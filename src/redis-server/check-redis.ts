/** Whether the Redis that REDIS_URL names can carry Docent: asked once at the start and by `docent doctor`. */
import { Cluster, type Redis } from 'ioredis';
import type { Clock } from '../ports/runtime.ts';
import { causeOf, connectionProblem } from './connection-problem.ts';
import { isNewEnough, OLDEST_VERSION } from './server-version.ts';

/** What INFO tells, without its headings. */
type Info = ReadonlyMap<string, string>;

interface CheckOptions {
  readonly clock: Clock;
  /** Told, in sentences, what deserves attention and stops nothing. */
  readonly warn?: (sentence: string) => void;
}

/** Errors in a row after which a server counts as not there; the client tries again after 50, 100, … ms. */
const ERRORS_UNTIL_GIVEN_UP = 5;
const ANSWER_WITHIN_MS = 8000;

/**
 * What must be changed before Docent can start, one sentence for each problem with its remedy; empty when all is well.
 * Takes some seconds when nothing answers. Never rejects, and leaves the client open.
 */
export async function checkRedis(
  client: Redis | Cluster,
  { clock, warn = () => {} }: CheckOptions,
): Promise<string[]> {
  const isCluster = client instanceof Cluster;
  const failure = await failureToConnect(client, clock);
  if (failure !== undefined) return [connectionProblem(failure, isCluster)];
  try {
    const nodes = isCluster ? client.nodes('master') : [client];
    const found = await Promise.all(nodes.map((node) => checkNode(node, isCluster, warn)));
    return [...new Set(found.flat())];
  } catch (error) {
    return [connectionProblem(asError(error), isCluster)];
  }
}

async function checkNode(
  node: Redis,
  inCluster: boolean,
  warn: (sentence: string) => void,
): Promise<string[]> {
  const info = readInfo(await node.info());
  const policy = info.get('maxmemory_policy') ?? (await configuredPolicy(node));
  if (policy === undefined) {
    warn('REDIS_URL: this Redis does not tell its maxmemory-policy; make sure that it is noeviction.');
  }
  if (info.get('aof_enabled') === '0') {
    warn(
      'REDIS_URL: this Redis keeps no append-only file, so its death loses the newest messages; set appendonly yes.',
    );
  }
  const checks = [
    versionProblem(info.get('redis_version')),
    policyProblem(policy),
    roleProblem(info.get('role')),
    fullProblem(info),
    inCluster ? undefined : clusterProblem(info.get('cluster_enabled')),
  ];
  return checks.filter((problem) => problem !== undefined);
}

function versionProblem(version: string | undefined): string | undefined {
  if (version === undefined || isNewEnough(version)) return undefined;
  return `REDIS_URL: this Redis is ${version}, and Docent needs ${OLDEST_VERSION} or newer. Update it, or unset REDIS_URL and Docent runs one of its own.`;
}

function policyProblem(policy: string | undefined): string | undefined {
  if (policy === undefined || policy === 'noeviction') return undefined;
  return `REDIS_URL: the maxmemory-policy of this Redis is ${policy}, which throws stored conversations away when memory is short. Set it to noeviction: redis-cli CONFIG SET maxmemory-policy noeviction, and in redis.conf or the provider's settings.`;
}

function roleProblem(role: string | undefined): string | undefined {
  if (role !== 'slave') return undefined;
  return 'REDIS_URL: this Redis is a read-only replica. Name its primary, or the sentinels: redis+sentinel://host:port,host:port/name.';
}

function clusterProblem(isCluster: string | undefined): string | undefined {
  if (isCluster !== '1') return undefined;
  return 'REDIS_URL: this Redis is a node of a cluster. Write redis+cluster:// instead of redis://.';
}

function fullProblem(info: Info): string | undefined {
  if (info.get('aof_last_write_status') === 'err') {
    return 'REDIS_URL: this Redis cannot write its data, most likely because its disk is full. Free some space there; its log has the reason.';
  }
  const [used, most] = [Number(info.get('used_memory')), Number(info.get('maxmemory'))];
  if (!(most > 0 && used >= most)) return undefined;
  return `REDIS_URL: the memory of this Redis is full (${most} bytes). Raise maxmemory, or remove data that is not needed.`;
}

/** Managed services forbid CONFIG. */
async function configuredPolicy(node: Redis): Promise<string | undefined> {
  const reply: unknown = await node.config('GET', 'maxmemory-policy').catch(() => undefined);
  return Array.isArray(reply) && typeof reply[1] === 'string' ? reply[1] : undefined;
}

/** Resolves with `undefined` as soon as Redis answers. A wrong password shows at once, a server that is away later. */
function failureToConnect(client: Redis | Cluster, clock: Clock): Promise<Error | undefined> {
  return new Promise((resolve) => {
    let errors = 0;
    let last = new Error(`no answer within ${ANSWER_WITHIN_MS / 1000} s`);
    const stopWaiting = clock.after(ANSWER_WITHIN_MS, () => finish(last));
    const onError = (error: Error) => {
      errors += 1;
      last = error;
      // What the server itself refuses, it refuses again.
      if (errors >= ERRORS_UNTIL_GIVEN_UP || causeOf(error).name === 'ReplyError') finish(error);
    };
    const finish = (failure?: Error) => {
      client.off('error', onError);
      stopWaiting();
      resolve(failure);
    };
    client.on('error', onError);
    client.ping().then(
      () => finish(),
      (error: unknown) => finish(asError(error)),
    );
  });
}

function readInfo(text: string): Info {
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}

function asError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value));
}

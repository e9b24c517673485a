/** Several Redis servers that belong together: a cluster of three, or a primary with its replica and three sentinels. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { endWithUs } from '../guard.ts';
import { freePort } from './redis.ts';

export interface RedisNodes {
  /** As `REDIS_URL` has it. */
  readonly url: string;
  readonly ports: readonly number[];
  /** The port of the server that is written to, as the sentinels say; of a cluster the first. */
  primary(): Promise<number>;
  /** Ends the server at this port as a power cut would. */
  kill(port: number): Promise<void>;
  close(): Promise<void>;
}

const slots = 16_384;

export async function startCluster(): Promise<RedisNodes> {
  const nodes = new Nodes();
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  for (const port of ports)
    nodes.start(port, ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())]);
  const [first, ...others] = ports.map((port) => nodes.connect(port));
  const all = [first, ...others].filter((each) => each !== undefined);
  for (const [at, node] of all.entries()) {
    const from = Math.ceil((at * slots) / all.length);
    const to = Math.ceil(((at + 1) * slots) / all.length) - 1;
    await node.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
    await node.call('CLUSTER', 'SET-CONFIG-EPOCH', at + 1);
  }
  for (const port of ports.slice(1)) {
    const bus = String(await nodes.connect(port).config('GET', 'cluster-port')).split(',')[1] ?? '';
    await first?.call('CLUSTER', 'MEET', '127.0.0.1', port, bus);
  }
  await nodes.until(async () => {
    const states = await Promise.all(all.map((node) => node.call('CLUSTER', 'INFO')));
    return states.every((state) => /cluster_state:ok[\s\S]*cluster_known_nodes:3/.test(String(state)));
  });
  const url = `redis+cluster://${ports.map((port) => `127.0.0.1:${port}`).join(',')}`;
  return {
    url,
    ports,
    primary: async () => ports[0] ?? 0,
    kill: (port) => nodes.kill(port),
    close: () => nodes.close(),
  };
}

/** The first port is that of the primary, the second that of its replica. */
export async function startSentinels(): Promise<RedisNodes> {
  const nodes = new Nodes();
  const ports = await Promise.all([freePort(), freePort()]);
  const [primary, replica] = ports;
  nodes.start(primary, []);
  nodes.start(replica, ['--replicaof', '127.0.0.1', String(primary)]);
  const sentinels = await Promise.all([freePort(), freePort(), freePort()]);
  for (const port of sentinels) {
    const settings = [
      `sentinel monitor study 127.0.0.1 ${primary} 2`,
      'sentinel down-after-milliseconds study 1000',
      'sentinel failover-timeout study 5000',
    ];
    nodes.start(port, ['--sentinel'], settings);
  }
  const asked = sentinels.map((port) => nodes.connect(port));
  await nodes.until(async () => {
    const known = await Promise.all(
      asked.map((each) => each.call('SENTINEL', 'MASTER', 'study').catch(() => [])),
    );
    return known.every((facts) => hasFacts(facts));
  });
  const url = `redis+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}/study`;
  return {
    url,
    ports,
    async primary() {
      const told = await asked[0]?.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'study');
      return Array.isArray(told) ? Number(told[1]) : 0;
    },
    kill: (port) => nodes.kill(port),
    close: () => nodes.close(),
  };
}

/** A sentinel knows the replica and both other sentinels. */
function hasFacts(facts: unknown): boolean {
  const list = Array.isArray(facts) ? facts.map(String) : [];
  const value = (name: string) => list[list.indexOf(name) + 1];
  return value('num-slaves') === '1' && value('num-other-sentinels') === '2';
}

class Nodes {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'docent-nodes-'));
  private readonly servers = new Map<number, ChildProcess>();
  private readonly connections: Redis[] = [];

  start(port: number, args: readonly string[], settings: readonly string[] = []): void {
    const file = path.join(this.folder, `${port}.conf`);
    const lines = [`port ${port}`, 'bind 127.0.0.1', 'save ""', `dir ${this.folder}`];
    const own = args.includes('--cluster-enabled') ? [`cluster-config-file nodes-${port}.conf`] : [];
    writeFileSync(file, [...lines, ...own, ...settings, ''].join('\n'));
    const server = spawn('redis-server', [file, ...args], { stdio: 'ignore' });
    if (server.pid !== undefined) server.once('exit', endWithUs(server.pid));
    this.servers.set(port, server);
  }

  connect(port: number): Redis {
    const connection = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null });
    connection.on('error', () => {}); // while the server starts or is away
    this.connections.push(connection);
    return connection;
  }

  /** They find one another by talking; there is nobody who tells when they have. */
  async until(check: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + 45_000;
    while (!(await check())) {
      if (performance.now() > end) throw new Error('the servers do not come together');
      await sleep(50);
    }
  }

  async kill(port: number): Promise<void> {
    const server = this.servers.get(port);
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    for (const connection of this.connections) connection.disconnect();
    await Promise.all([...this.servers.keys()].map((port) => this.kill(port)));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

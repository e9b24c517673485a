// What is stored and queued, on a cluster of three nodes: every script stays on one slot, and nothing is on one node alone.
import { randomUUID } from 'node:crypto';
import type { Cluster } from 'ioredis';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConversationId, UserId } from '../../../src/domain/ids.ts';
import { systemClock } from '../../../src/observe/clock.ts';
import { bullReminderAlarms } from '../../../src/queue/reminder-alarms.ts';
import { startReminderWorker } from '../../../src/queue/reminder-worker.ts';
import { queuedReminders } from '../../../src/queue/reminders.ts';
import { connectRedis, parseRedisUrl } from '../../../src/redis-server/connect.ts';
import { redisBlobs } from '../../../src/store/redis/blobs.ts';
import { redisConversations } from '../../../src/store/redis/conversations.ts';
import { redisPeople } from '../../../src/store/redis/people.ts';
import { redisRateBudgets } from '../../../src/store/redis/rate-budget.ts';
import { redisReminders } from '../../../src/store/redis/reminders.ts';
import { blobsContract } from '../../contracts/blobs.contract.ts';
import { conversationsContract } from '../../contracts/conversations.contract.ts';
import { docentChat } from '../../support/docent-chat.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { type RedisNodes, startCluster } from '../../support/redis/nodes.ts';

let nodes: RedisNodes;
let redis: Redis | Cluster;
const connections: (Redis | Cluster)[] = [];
const connect = (whenAway: 'wait' | 'fail' = 'wait') => {
  const connection = connectRedis(parseRedisUrl(nodes.url), { whenAway, log: quietLog });
  connections.push(connection);
  return connection;
};
beforeAll(async () => {
  nodes = await startCluster();
  redis = connect('fail');
}, 60_000);
afterAll(async () => {
  for (const connection of connections) connection.disconnect();
  await nodes.close();
});

const retentionS = 3_600;
const onEveryNode = (what: (node: Redis) => Promise<unknown>) =>
  Promise.all(
    nodes.ports.map(async (port) => {
      const node = new Redis({ port });
      const told = await what(node);
      node.disconnect();
      return told;
    }),
  );

conversationsContract('conversations on a cluster', async (clock) =>
  redisConversations({ redis, clock, retentionS }),
);
blobsContract('blobs on a cluster', async (clock, maxBytes) => {
  await onEveryNode((node) => node.flushall());
  return redisBlobs({ redis, clock, maxBytes });
});

describe('on a cluster', () => {
  test('reminders are kept, changed, and come', async () => {
    const records = redisReminders(redis);
    const alarms = bullReminderAlarms(redis, () => systemClock.now());
    const reminders = queuedReminders({ records, alarms, clock: systemClock, log: quietLog });
    const owner = UserId(`test:${randomUUID()}`);
    const nextAt = systemClock.now() + 500;
    const said: string[] = [];
    const worker = await startReminderWorker({
      connection: connect(),
      records,
      alarms,
      clock: systemClock,
      lockMs: 15_000,
      log: quietLog,
      onDue: async ({ reminder }) => {
        said.push(reminder.message);
        return 'told';
      },
    });
    const made = await reminders.add(
      {
        owner,
        conversation: ConversationId('test:room'),
        address: { surface: 'test', place: 'room' },
        kind: 'reminder',
        message: 'tea',
        schedule: { kind: 'at', at: nextAt },
        tz: 'UTC',
        nextAt,
      },
      randomUUID(),
    );
    if (made === 'full') throw new Error('full');
    expect(await reminders.change(made, { ...made, message: 'coffee' })).toBe(true);
    await expect.poll(() => said, { timeout: 20_000 }).toEqual(['coffee']);
    await expect
      .poll(async () => (await reminders.said(owner, made.id))?.message, { timeout: 20_000 })
      .toBe('coffee');
    await worker.close();
    await alarms.close();
  });

  test('people are linked, and budgets counted', async () => {
    const people = redisPeople(redis);
    const [mia, tom] = [UserId(`web:${randomUUID()}`), UserId(`term:${randomUUID()}`)];
    expect(await people.link(tom, await people.offerLink(mia))).toEqual([mia]);
    const name = { surface: 'test', route: 'post', scope: randomUUID() };
    const budget = redisRateBudgets(redis).budget({ name, rule: { calls: 5, perMs: 5_000 } });
    expect(await budget.ask({ message: 'm', importance: 'final', unseenMs: 0 })).toEqual({ granted: true });
  });

  test('a whole conversation is had in the terminal, and its keys lie on several nodes', async () => {
    const { out } = await docentChat(['what is 12 * 12?'], { REDIS_URL: nodes.url });
    expect(out).toContain('144');
    const sizes = await onEveryNode((node) => node.dbsize());
    expect(sizes.filter((size) => Number(size) > 0).length).toBeGreaterThan(1);
  }, 60_000);
});

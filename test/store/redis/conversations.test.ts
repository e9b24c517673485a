import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConversationId, EventId, TurnId } from '../../../src/domain/ids.ts';
import { redisConversations } from '../../../src/store/redis/conversations.ts';
import { conversationKeys } from '../../../src/store/redis/keys.ts';
import { conversationsContract } from '../../contracts/conversations.contract.ts';
import { manualClock } from '../../support/clock.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());

const retentionS = 180 * 24 * 3600;
const open = () => redisConversations({ redis: server.redis, clock: manualClock(1_000_000), retentionS });
const talk = ConversationId('test:own');
const message = (id: string) => ({
  conversation: talk,
  wanted: 'always' as const,
  item: {
    kind: 'message' as const,
    id: EventId(id),
    address: { surface: 'test', place: 'room' },
    content: 'hi',
  },
});

conversationsContract('conversations in Redis', async (clock) =>
  redisConversations({ redis: server.redis, clock, retentionS }),
);

test('scripts that were flushed are loaded again', async () => {
  const store = open();
  await store.append(message('m1'));
  await server.redis.script('FLUSH');
  expect(await store.append(message('m2'))).toBe('queued');
});

describe('a journal that cannot be read isolates its conversation, with a readable error:', () => {
  const start = { type: 'turn/start', turn: TurnId('t'), protocol: 'label' } as const;
  const step = { type: 'step/start', step: 1, model: 'm' } as const;
  const end = { type: 'turn/end', outcome: 'finish' } as const;
  const { journal } = conversationKeys(talk);
  const problems: [string, string, (redis: TestRedis['redis']) => Promise<unknown>][] = [
    [
      'a record of a later version',
      'record 4: its type is future/thing',
      (redis) => redis.rpush(journal, '4 {"type":"future/thing"}'),
    ],
    [
      'a record that is not JSON',
      'record 3: it is not JSON',
      (redis) => redis.lset(journal, 2, '3 {"type":"turn/e'),
    ],
    [
      'a record without a number',
      'record 3: it has no number',
      (redis) => redis.lset(journal, 2, JSON.stringify(end)),
    ],
    [
      'no first record',
      'record 1: it is missing, record 2 stands in its place',
      (redis) => redis.lpop(journal),
    ],
    [
      'a hole',
      'record 2: it is missing, record 3 stands in its place',
      (redis) => redis.lrem(journal, 1, `2 ${JSON.stringify(step)}`),
    ],
    [
      'a record twice',
      'record 4: it is missing, record 3 stands in its place',
      (redis) => redis.rpush(journal, `3 ${JSON.stringify(end)}`),
    ],
  ];

  test.each(problems)('%s', async (_name, why, harm) => {
    await server.clear();
    const store = open();
    const writer = await store.claim(talk);
    await writer.append([start]);
    await writer.append([step, end]);
    expect(await store.claim(talk)).toMatchObject({ records: [start, step, end], unreadable: undefined });

    await harm(server.redis);

    const claim = await store.claim(talk);
    expect(claim.records).toEqual([]);
    expect(claim.unreadable).toMatchObject({
      code: 'conversation.unreadable',
      message: `the journal of test:own cannot be read at ${why}`,
    });
    const healthy = await store.claim(ConversationId('test:healthy'));
    await healthy.append([start]);
    expect(await store.claim(ConversationId('test:healthy'))).toMatchObject({ records: [start] });
  });
});

test('every key of a conversation expires after its last turn', async () => {
  await server.clear();
  const store = open();
  await store.append({ ...message('m1'), wanted: 'and_follow' });
  const claim = await store.claim(talk);
  await claim.append([{ type: 'turn/start', turn: TurnId('t'), protocol: 'label' }]);
  const ledger = claim.ledger(TurnId('t'));
  await ledger.intend('answer');
  await ledger.done('answer', { surface: 'test', place: 'room', id: '1' });
  claim.accept(claim.opening);
  await claim.commit();
  const keys = await server.redis.keys('*');
  const lasting = await Promise.all(
    keys.map(async (key) => ((await server.redis.ttl(key)) === -1 ? [key] : [])),
  );
  expect(lasting.flat()).toEqual([]);
  expect(keys.length).toBeGreaterThan(4);
});

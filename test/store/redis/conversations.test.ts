import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('a record this version does not know isolates its conversation with a readable error', async () => {
  const store = open();
  await server.redis.xadd(conversationKeys(talk).journal, '*', 'r', '{"type":"future/thing"}');
  const claim = await store.claim(talk);
  expect(claim.records).toEqual([]);
  expect(claim.unreadable).toMatchObject({
    code: 'conversation.unreadable',
    message: expect.stringMatching(
      /journal of test:own cannot be read at \d+-\d+: its type is future\/thing/,
    ),
  });
  expect((await store.claim(ConversationId('test:healthy'))).records).toEqual([]);
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

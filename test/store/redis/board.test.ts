import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ConversationId, UserId } from '../../../src/domain/ids.ts';
import { systemClock } from '../../../src/observe/clock.ts';
import type { Clock } from '../../../src/ports/runtime.ts';
import { type ClosableBoard, redisBoard } from '../../../src/store/redis/board.ts';
import { redisConversations } from '../../../src/store/redis/conversations.ts';
import { boardContract } from '../../contracts/board.contract.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
const boards: ClosableBoard[] = [];
beforeAll(async () => void (server = await startTestRedis()));
afterEach(() => boards.splice(0).forEach((board) => board.close()));
afterAll(() => server.close());

function open(clock: Clock): ClosableBoard {
  const board = redisBoard({
    redis: server.redis,
    connectForWatching: () => server.connect(),
    clock,
    retentionS: 3_600,
  });
  boards.push(board);
  return board;
}

boardContract('the board in Redis', async (clock) => ({
  board: open(clock),
  conversations: redisConversations({ redis: server.redis, clock, retentionS: 3_600 }),
}));

test('what one process puts another one watches', async () => {
  const talk = ConversationId('web:two-processes');
  const [writer, reader] = [open(systemClock), open(systemClock)];
  const over = new AbortController();
  const watched = reader.watch(talk, undefined, over.signal)[Symbol.asyncIterator]();
  await watched.next();
  await writer.put(talk, 'a', { kind: 'answer', state: 'live', text: 'one' });
  expect((await watched.next()).value).toMatchObject({ messages: [{ id: 'a', text: 'one' }] });
  over.abort();
});

test('a place that the stream has lost begins with all messages', async () => {
  const talk = ConversationId('web:long');
  const board = open(systemClock);
  await board.put(talk, 'a', { kind: 'answer', state: 'live', text: 'first' });
  const { place } = await board.list(talk);
  for (let at = 0; at < 1_300; at++)
    await board.put(talk, 'b', { kind: 'answer', state: 'live', text: String(at) });
  const over = new AbortController();
  const watched = board.watch(talk, place, over.signal)[Symbol.asyncIterator]();
  expect((await watched.next()).value).toMatchObject({
    isWhole: true,
    messages: [{ text: 'first' }, { text: '1299' }],
  });
  over.abort();
});

test.each(['last', 'title'])('what the board keeps of itself as %j is no message', async (own) => {
  const talk = ConversationId('web:of-itself');
  const board = open(systemClock);
  await board.put(talk, 'a', { kind: 'user', state: 'final', text: 'hello' });
  expect(await board.get(talk, own)).toBeUndefined();
});

test('everything of a board expires', async () => {
  await server.clear();
  await open(systemClock).put(ConversationId('web:a'), 'a', {
    kind: 'user',
    state: 'final',
    text: 'hello',
    author: UserId('web:ann'),
  });
  const keys = await server.redis.keys('*');
  const lives = await Promise.all(keys.map((key) => server.redis.ttl(key)));
  expect(keys.length).toBe(3);
  expect(lives.every((life) => life > 3_500)).toBe(true);
});

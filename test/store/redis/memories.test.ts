import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ConversationId, UserId } from '../../../src/domain/ids.ts';
import { type MemoryDraft, maxMemories } from '../../../src/domain/memory.ts';
import { globalKeys } from '../../../src/store/redis/keys.ts';
import { redisMemories } from '../../../src/store/redis/memories.ts';
import { type ManualClock, manualClock } from '../../support/clock.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const ann = UserId('discord:1');
const bob = UserId('discord:2');

let server: TestRedis;
let clock: ManualClock;
let requests: number;
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());
beforeEach(async () => {
  await server.clear();
  clock = manualClock(1_000_000);
  requests = 0;
});

const open = () => redisMemories(server.redis, clock);

function draft(text: string, change: Partial<MemoryDraft> = {}): MemoryDraft {
  const message = { surface: 'discord', place: '7', id: '70' };
  return {
    text,
    kind: 'preference',
    scope: 'me',
    evidence: { conversation: ConversationId('discord:7'), message },
    ...change,
  };
}

async function added(text: string, change: Partial<MemoryDraft> = {}, owner = ann) {
  requests += 1;
  const memory = await open().add(owner, draft(text, change), `talk:t1:c${requests}`);
  if (memory === 'full') throw new Error('full');
  return memory;
}

const texts = async (owner = ann) => (await open().list(owner)).map(({ text }) => text);

test('what was added is found again, whole, and only for its person', async () => {
  const memory = await added('prefers short proofs');
  expect(memory).toEqual({
    ...draft('prefers short proofs'),
    id: expect.stringMatching(/^m[0-9a-z]{8}$/),
    createdAt: 1_000_000,
    changedAt: 1_000_000,
  });
  expect(await open().list(ann)).toEqual([memory]);
  expect(await open().list(bob)).toEqual([]);
  expect(await open().forget(bob, memory.id)).toBeUndefined();
  expect(await open().edit(bob, memory.id, { text: 'mine now' })).toBeUndefined();
  expect(await open().list(ann)).toEqual([memory]);
});

test('the newest stand first, and a change makes one new', async () => {
  const first = await added('first');
  await clock.advance(1_000);
  await added('second');
  expect(await texts()).toEqual(['second', 'first']);
  await clock.advance(1_000);
  await open().edit(ann, first.id, { text: 'first, corrected' });
  expect(await texts()).toEqual(['first, corrected', 'second']);
});

test('an edit changes what it names and says what stood there before', async () => {
  const memory = await added('exam in May', { kind: 'fact' });
  await clock.advance(1_000);
  const evidence = { conversation: ConversationId('discord:8') };
  const after = { ...memory, text: 'exam in June', evidence, changedAt: 1_001_000 };
  expect(await open().edit(ann, memory.id, { text: 'exam in June', evidence })).toEqual({
    before: memory,
    after,
  });
  expect(await open().list(ann)).toEqual([after]);
});

test('what is forgotten is gone, and no edit brings it back', async () => {
  const memory = await added('prefers short proofs');
  expect(await open().forget(ann, memory.id)).toEqual(memory);
  expect(await open().forget(ann, memory.id)).toBeUndefined();
  expect(await open().edit(ann, memory.id, { text: 'again' })).toBeUndefined();
  expect(await server.redis.keys('*')).toEqual([]);
});

test('edits at the same moment all take effect, and a memory forgotten among them stays forgotten', async () => {
  const memory = await added('v0');
  const edits = Array.from({ length: 10 }, (_, at) => open().edit(ann, memory.id, { text: `v${at + 1}` }));
  const before = (await Promise.all(edits)).map((edited) => edited?.before.text);
  expect(new Set(before).size).toBe(10);
  await Promise.all([open().forget(ann, memory.id), open().edit(ann, memory.id, { text: 'late' })]);
  expect(await texts()).toEqual([]);
});

test('one request adds one memory, however often it comes', async () => {
  const add = () => open().add(ann, draft('prefers short proofs'), 'talk:t1:same');
  const all = await Promise.all(Array.from({ length: 10 }, add));
  expect(new Set(all.map((memory) => memory !== 'full' && memory.id)).size).toBe(1);
  expect(await texts()).toEqual(['prefers short proofs']);
});

test('the same words are kept once, whoever spells them how; another scope is another memory', async () => {
  const memory = await added('Prefers short  proofs');
  expect(await added('prefers short proofs')).toEqual(memory);
  await added('prefers short proofs', { scope: 'course' });
  expect(await open().list(ann)).toHaveLength(2);
});

test('a person has a full memory at two hundred', async () => {
  for (let n = 0; n < maxMemories; n += 1) await added(`fact ${n}`);
  expect(await open().add(ann, draft('one more'), 'talk:t1:more')).toBe('full');
  const repeated = await open().add(ann, draft('fact 0'), 'talk:t1:c1');
  expect(repeated).toMatchObject({ text: 'fact 0' });
  expect(await added('of bob', {}, bob)).toMatchObject({ text: 'of bob' });
});

test('a memory of another version is a readable error', async () => {
  await server.redis.hset(globalKeys.memory(ann), 'm1', '{"text":1}');
  await expect(open().list(ann)).rejects.toThrow('memory m1 cannot be read; the version that wrote it can');
});

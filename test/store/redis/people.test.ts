// People: what they chose, and which accounts are the same person.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { UserId } from '../../../src/domain/ids.ts';
import type { People } from '../../../src/ports/people.ts';
import { linkedMemories } from '../../../src/store/linked-memories.ts';
import { peopleKeys } from '../../../src/store/redis/keys.ts';
import { redisMemories } from '../../../src/store/redis/memories.ts';
import { redisPeople } from '../../../src/store/redis/people.ts';
import { manualClock } from '../../support/clock.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let redis: TestRedis;
let people: People;
beforeAll(async () => {
  redis = await startTestRedis();
  people = redisPeople(redis.redis);
});
afterAll(() => redis.close());
beforeEach(() => redis.redis.flushall());

const onDiscord = UserId('discord:1');
const onSlack = UserId('slack:T1:U1');
const onPage = UserId('web:6f1c');
const stranger = UserId('discord:2');

const linked = async (maker: UserId, user: UserId) => people.link(user, await people.offerLink(maker));

test('choices are kept, changed one by one, and taken back', async () => {
  expect(await people.preferences(onDiscord)).toEqual({});
  await people.choose(onDiscord, { language: 'de', zone: 'Europe/Berlin' });
  await people.choose(onDiscord, { style: 'short', language: undefined });
  await people.noteProfile(onDiscord, { locale: 'en-GB' });
  expect(await people.preferences(onDiscord)).toEqual({
    zone: 'Europe/Berlin',
    style: 'short',
    locale: 'en-GB',
  });
  expect(await people.preferences(stranger)).toEqual({});
});

test('a code makes two accounts one person, once', async () => {
  const code = await people.offerLink(onDiscord);
  expect(code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/);
  expect(await people.link(onDiscord, code)).toBe('own');
  expect(await people.link(onSlack, `${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `)).toEqual([
    onDiscord,
  ]);
  expect(await people.link(stranger, code)).toBe('unknown');
  expect(await people.accountsOf(onSlack)).toEqual([onSlack, onDiscord]);
  expect(await people.accountsOf(stranger)).toEqual([stranger]);
});

test('a code lasts ten minutes', async () => {
  const code = await people.offerLink(onDiscord);
  const left = await redis.redis.pttl(peopleKeys.code(code));
  expect(left).toBeGreaterThan(9 * 60_000);
  expect(left).toBeLessThanOrEqual(10 * 60_000);
});

test('of several attempts at the same moment one gets the code', async () => {
  const code = await people.offerLink(onDiscord);
  const all = await Promise.all([stranger, onSlack, onPage].map((each) => people.link(each, code)));
  expect(all.filter((each) => each === 'unknown')).toHaveLength(2);
});

test('choices count for all accounts; those of the maker of the code win', async () => {
  await people.choose(onDiscord, { language: 'de' });
  await people.choose(onSlack, { language: 'fr', zone: 'Asia/Tokyo' });
  await linked(onDiscord, onSlack);
  for (const account of [onDiscord, onSlack])
    expect(await people.preferences(account)).toEqual({ language: 'de', zone: 'Asia/Tokyo' });
  await people.choose(onSlack, { style: 'thorough' });
  expect(await people.preferences(onDiscord)).toMatchObject({ style: 'thorough' });
});

test('two persons with several accounts become one, and accounts leave it one by one', async () => {
  await linked(onDiscord, onSlack);
  await linked(onPage, stranger);
  await linked(onSlack, stranger);
  const all = [onDiscord, onPage, onSlack, stranger];
  for (const account of all) expect((await people.accountsOf(account)).toSorted()).toEqual(all.toSorted());

  expect(await people.unlink(onPage)).toBe(true);
  expect(await people.unlink(onPage)).toBe(false);
  expect((await people.accountsOf(onDiscord)).toSorted()).toEqual([onDiscord, onSlack, stranger].toSorted());
  await people.unlink(onSlack);
  await people.unlink(stranger);
  expect(await people.accountsOf(onDiscord)).toEqual([onDiscord]);
  expect(await people.unlink(onDiscord)).toBe(false);
});

test('memories of linked accounts are read together and stay with their account', async () => {
  const memories = linkedMemories(redisMemories(redis.redis, manualClock(1_000)), people);
  const draft = (text: string) => ({
    text,
    kind: 'fact' as const,
    scope: 'me' as const,
    evidence: { conversation: 'discord:1' as never },
  });
  await memories.add(onDiscord, draft('studies maths'), 'k1');
  await memories.add(onSlack, draft('likes proofs'), 'k2');
  await memories.add(stranger, draft('is somebody else'), 'k3');
  await linked(onDiscord, onSlack);
  const texts = async (account: UserId) => (await memories.list(account)).map(({ text }) => text).toSorted();
  expect(await texts(onSlack)).toEqual(['likes proofs', 'studies maths']);
  expect(await texts(onDiscord)).toEqual(['likes proofs', 'studies maths']);
  expect(await texts(stranger)).toEqual(['is somebody else']);

  const known = await memories.add(onSlack, draft('Studies  maths'), 'k4');
  expect(known).toMatchObject({ text: 'studies maths' });
  const id = known === 'full' ? '' : known.id;
  expect(await memories.edit(onSlack, id, { text: 'studies physics' })).toMatchObject({
    after: { text: 'studies physics' },
  });
  await people.unlink(onSlack);
  expect(await texts(onSlack)).toEqual(['likes proofs']);
  expect(await texts(onDiscord)).toEqual(['studies physics']);
  expect(await memories.forget(onSlack, id)).toBeUndefined();
});

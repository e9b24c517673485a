import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PageError } from '../../src/domain/errors.ts';
import { CallId, ConversationId } from '../../src/domain/ids.ts';
import type { Page } from '../../src/ports/pages.ts';
import { redisPageCache } from '../../src/store/redis/page-cache.ts';
import { webFetchTool } from '../../src/tools/web-fetch.ts';
import { startTestRedis, type TestRedis } from '../support/redis/redis.ts';

let server: TestRedis;
let read: string[];
let calls: number;
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());
beforeEach(async () => {
  await server.clear();
  read = [];
  calls = 0;
});

const ohm: Page = {
  url: 'https://example.org/ohm',
  title: "Ohm's law",
  text: `The current is voltage over resistance.\n\nIt was found in 1827.\n\n${'More of it. '.repeat(50)}`,
};

const tool = () =>
  webFetchTool({
    cache: redisPageCache(server.redis),
    async readPage(url) {
      read.push(url);
      if (url.includes('inside')) throw new PageError('inside is not on the public web, or not on its ports');
      return ohm;
    },
  });

function run(web: ReturnType<typeof tool>, args: object, conversation = 'discord:7', turn = 't1') {
  calls += 1;
  return web.run(args as Record<string, unknown>, {
    callId: CallId(`c${calls}`),
    idempotencyKey: `${conversation}:${turn}:c${calls}`,
    user: undefined,
    turn: { conversation: ConversationId(conversation), address: undefined, isScheduled: false },
    signal: new AbortController().signal,
  });
}

test('a page with its title and where it is', async () => {
  expect(await run(tool(), { url: 'https://example.org/ohm' })).toEqual({
    kind: 'text',
    text: `Ohm's law\nhttps://example.org/ohm\n\n${ohm.text}`,
    sources: [{ title: "Ohm's law", url: 'https://example.org/ohm' }],
  });
});

test('a part of it, and how much is missing', async () => {
  const { text } = (await run(tool(), { url: ohm.url, max_chars: 200 })) as { text: string };
  expect(text).toMatch(/^Ohm's law\n.*\n\nThe current is voltage/);
  expect(text).toMatch(/\[\d+ more characters; use find\]$/);
});

test('what stands around words', async () => {
  const found = await run(tool(), { url: ohm.url, find: 'Found in' });
  expect(found).toMatchObject({ kind: 'text', text: `Ohm's law\n${ohm.url}\n\nIt was found in 1827.` });
  const missing = (await run(tool(), { url: ohm.url, find: 'ampere' })) as { text: string };
  expect(missing.text).toContain('The page does not say "ampere".');
});

test('what cannot be had is told, with what to do', async () => {
  expect(await run(tool(), { url: 'http://inside/' })).toEqual({
    kind: 'failed',
    text: 'Not fetched: inside is not on the public web, or not on its ports. Try another address, or paste the text itself.',
  });
});

describe('a conversation reads a page once', () => {
  test('and others read it for themselves', async () => {
    const web = tool();
    await run(web, { url: ohm.url });
    await run(web, { url: ohm.url }, 'discord:7', 't2');
    expect(read).toHaveLength(1);
    await run(web, { url: ohm.url }, 'discord:8');
    expect(read).toHaveLength(2);
  });

  test('and again after an hour', async () => {
    const web = tool();
    await run(web, { url: ohm.url });
    const [key = ''] = await server.redis.keys('*:pages');
    expect(await server.redis.ttl(key)).toBeGreaterThan(3_500);
    await server.redis.del(key);
    await run(web, { url: ohm.url });
    expect(read).toHaveLength(2);
  });
});

test('ten pages are the most for one answer', async () => {
  const web = tool();
  for (let page = 1; page <= 10; page += 1)
    expect(await run(web, { url: `${ohm.url}/${page}` })).toMatchObject({ kind: 'text' });
  expect(await run(web, { url: ohm.url })).toMatchObject({
    kind: 'failed',
    text: expect.stringContaining('10 pages are the most'),
  });
  expect(await run(web, { url: ohm.url }, 'discord:7', 't2')).toMatchObject({ kind: 'text' });
});

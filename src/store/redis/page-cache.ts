/** Pages that were read for a conversation: a hash for each conversation, a field for each address. */
import { z } from 'zod';
import type { PageCache } from '../../ports/pages.ts';
import type { RedisClient } from './client.ts';
import { conversationKeys } from './keys.ts';

/** Unit: seconds. */
const lifeS = 3_600;
/** Longer pages are read again. Unit: characters. */
const maxChars = 500_000;
const maxPages = 30;

const kept = z.object({ url: z.string(), title: z.string().exactOptional(), text: z.string() });

export function redisPageCache(redis: RedisClient): PageCache {
  return {
    async get(conversation, url) {
      const text = await redis.hget(conversationKeys(conversation).pages, url);
      return text === null ? undefined : kept.safeParse(JSON.parse(text)).data;
    },
    async put(conversation, url, page) {
      const key = conversationKeys(conversation).pages;
      if (page.text.length > maxChars || (await redis.hlen(key)) >= maxPages) return;
      await redis.multi().hset(key, url, JSON.stringify(page)).expire(key, lifeS).exec();
    },
  };
}

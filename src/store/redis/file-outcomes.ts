/** What became of the files of a message: a hash for each message, a field for each file. */
import { z } from 'zod';
import type { FileOutcome } from '../../domain/file.ts';
import { BlobHash } from '../../domain/ids.ts';
import { blobLifeMs } from '../../ports/blobs.ts';
import type { FileOutcomes } from '../../ports/files.ts';
import type { RedisClient } from './client.ts';
import { conversationKeys } from './keys.ts';

const stored = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('stored'),
    hash: z.string().transform(BlobHash),
    bytes: z.number(),
    content: z.discriminatedUnion('is', [
      z.object({ is: z.literal('text') }),
      z.object({ is: z.literal('picture'), type: z.string() }),
      z.object({ is: z.literal('empty') }),
      z.object({ is: z.literal('other'), type: z.string().exactOptional() }),
    ]),
  }),
  z.object({
    kind: z.literal('failed'),
    why: z.enum(['gone', 'refused', 'too_large', 'full', 'unreachable']),
  }),
]);

export function redisFileOutcomes(redis: RedisClient): FileOutcomes {
  return {
    async of(conversation, message) {
      const fields = await redis.hgetall(conversationKeys(conversation).files(message));
      // One of another version counts as none: the file is fetched once more.
      const read = Object.entries(fields).flatMap(([file, text]): [string, FileOutcome][] => {
        const { data } = stored.safeParse(JSON.parse(text));
        return data === undefined ? [] : [[file, data]];
      });
      return new Map(read);
    },
    async record(conversation, message, file, outcome) {
      const key = conversationKeys(conversation).files(message);
      await redis.multi().hset(key, file, JSON.stringify(outcome)).pexpire(key, blobLifeMs).exec();
    },
  };
}

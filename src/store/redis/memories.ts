/** Memories in Redis: one hash per person. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ConversationId, type UserId } from '../../domain/ids.ts';
import {
  haveSameWords,
  type Memory,
  type MemoryDraft,
  maxMemories,
  memoryKinds,
  memoryScopes,
} from '../../domain/memory.ts';
import type { Memories } from '../../ports/memories.ts';
import type { Clock } from '../../ports/runtime.ts';
import { type RedisClient, redisScript } from './client.ts';
import { globalKeys } from './keys.ts';

/** KEYS memories · ARGV id memory limit → the memory that stands under the id, or false when full */
const addScript = `
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known then return known end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return false end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return ARGV[2]
`;

/** Puts \`after\` in the place of \`before\`. KEYS memories · ARGV id before after → 1, or 0 when something else stands there */
const replaceScript = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
`;

/** KEYS memories · ARGV id → the memory, or false */
const forgetScript = `
local memory = redis.call('HGET', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[1], ARGV[1])
return memory
`;

/** As stored; its id is the name of its field. */
const stored = z.object({
  text: z.string(),
  kind: z.enum(memoryKinds),
  scope: z.enum(memoryScopes),
  evidence: z.object({
    conversation: z.string().transform(ConversationId),
    message: z.object({ surface: z.string(), place: z.string(), id: z.string() }).exactOptional(),
  }),
  createdAt: z.number(),
  changedAt: z.number(),
});

export function redisMemories(redis: RedisClient, clock: Clock): Memories {
  const add = redisScript(redis, addScript);
  const replace = redisScript(redis, replaceScript);
  const forget = redisScript(redis, forgetScript);

  async function list(owner: UserId): Promise<readonly Memory[]> {
    const memories = Object.entries(await redis.hgetall(globalKeys.memory(owner)));
    return memories.map(([id, text]) => read(id, text)).toSorted((a, b) => b.changedAt - a.changedAt);
  }

  return {
    list,

    async add(owner: UserId, draft: MemoryDraft, key: string): Promise<Memory | 'full'> {
      const known = (await list(owner)).find(
        ({ text, scope }) => scope === draft.scope && haveSameWords(text, draft.text),
      );
      if (known !== undefined) return known;
      const id = idFrom(key);
      const now = clock.now();
      const record = JSON.stringify({ ...draft, createdAt: now, changedAt: now });
      const text = await add([globalKeys.memory(owner)], [id, record, maxMemories]);
      return typeof text === 'string' ? read(id, text) : 'full';
    },

    async edit(owner: UserId, id: string, change: Partial<MemoryDraft>) {
      const key = globalKeys.memory(owner);
      for (;;) {
        const text = await redis.hget(key, id);
        if (text === null) return undefined;
        const before = read(id, text);
        const after = { ...before, ...change, changedAt: clock.now() };
        const { id: _id, ...record } = after;
        // Else it was changed or forgotten meanwhile: an edit must not bring it back.
        if ((await replace([key], [id, text, JSON.stringify(record)])) === 1) return { before, after };
      }
    },

    async forget(owner: UserId, id: string): Promise<Memory | undefined> {
      const text = await forget([globalKeys.memory(owner)], [id]);
      return typeof text === 'string' ? read(id, text) : undefined;
    },
  };
}

/** Short enough for a model to copy, and the same for every repetition of a request. */
function idFrom(key: string): string {
  const hash = createHash('sha256').update(key).digest().readBigUInt64BE();
  return `m${hash.toString(36).padStart(13, '0').slice(-8)}`;
}

function read(id: string, text: string): Memory {
  try {
    return { id, ...stored.parse(JSON.parse(text)) };
  } catch (error) {
    throw new Error(`memory ${id} cannot be read; the version that wrote it can`, { cause: error });
  }
}

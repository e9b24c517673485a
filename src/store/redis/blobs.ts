/**
 * Files in Redis: chunks of 512 KB, so that no command holds others up for long. Room is taken before the first chunk is
 * written; a file counts from its reservation to its removal, whoever dies in between. All keys share a slot, because the
 * room is counted for all files together.
 */
import { createHash } from 'node:crypto';
import { maxFileBytes } from '../../domain/file.ts';
import { BlobHash, UserId } from '../../domain/ids.ts';
import { type BlobKeeping, type Blobs, blobLifeMs } from '../../ports/blobs.ts';
import type { Clock } from '../../ports/runtime.ts';
import { type RedisClient, redisScript } from './client.ts';
import { blobKeys } from './keys.ts';

export interface RedisBlobsOptions {
  readonly redis: RedisClient;
  readonly clock: Clock;
  /** What all files may take together. Unit: bytes. */
  readonly maxBytes: number;
}

const chunkBytes = 512 * 1024;
/** A file must be written within this time. Unit: milliseconds. */
const writeLimitMs = 5 * 60_000;
/** Bytes are dropped by Redis itself this much later than by us, should nobody of us be there. Unit: milliseconds. */
const graceMs = 24 * 3_600 * 1_000;
/** Asking for a file prolongs its life when less than this is left of it. Unit: milliseconds. */
const renewBelowMs = blobLifeMs - 24 * 3_600 * 1_000;
const sweepLimit = 100;

/** Takes room, if it has none yet. KEYS lapses used · ARGV member size max until → 1, or 0 when there is no room */
const reserveScript = `
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 1 end
if tonumber(redis.call('GET', KEYS[2]) or '0') + tonumber(ARGV[2]) > tonumber(ARGV[3]) then return 0 end
redis.call('INCRBY', KEYS[2], ARGV[2])
redis.call('ZADD', KEYS[1], ARGV[4], ARGV[1])
return 1
`;

/**
 * All of it is there: it can be read, and lives from now on. The key of a person lapses with their last file, unless one
 * of them is kept until it is removed.
 * KEYS lapses blob person chunk… · ARGV member size hash person kept now life grace → 1, or 0 when a part is missing
 */
const sealScript = `
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
for i = 4, #KEYS do if redis.call('EXISTS', KEYS[i]) == 0 then return 0 end end
local now, life = tonumber(ARGV[6]), tonumber(ARGV[7])
if ARGV[5] == '1' then redis.call('HSET', KEYS[2], 'kept', '1') end
local kept = redis.call('HEXISTS', KEYS[2], 'kept') == 1
local function live(key)
  if kept then redis.call('PERSIST', key) else redis.call('PEXPIRE', key, life + ARGV[8]) end
end
redis.call('ZADD', KEYS[1], kept and '+inf' or now + life, ARGV[1])
redis.call('HSET', KEYS[2], 'size', ARGV[2])
live(KEYS[2])
for i = 4, #KEYS do live(KEYS[i]) end
if ARGV[4] == '' then return 1 end
redis.call('HSET', KEYS[2], 'of ' .. ARGV[4], '1')
local lapses = redis.call('PTTL', KEYS[3]) ~= -1
redis.call('ZADD', KEYS[3], now, ARGV[3])
if lapses then redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - life) end
if lapses or kept then live(KEYS[3]) end
return 1
`;

/**
 * With \`before\`, only what is due by then; with a person, only when nobody else has it.
 * KEYS lapses used blob person chunk… · ARGV member size before person hash → 1, or 0 when nothing was to be done
 */
const removeScript = `
local lapses = redis.call('ZSCORE', KEYS[1], ARGV[1])
if ARGV[4] ~= '' then redis.call('ZREM', KEYS[4], ARGV[5]) end
if not lapses then return 0 end
if ARGV[3] ~= '' and (lapses == 'inf' or tonumber(lapses) > tonumber(ARGV[3])) then return 0 end
if ARGV[4] ~= '' then
  redis.call('HDEL', KEYS[3], 'of ' .. ARGV[4])
  for _, field in ipairs(redis.call('HKEYS', KEYS[3])) do
    if string.sub(field, 1, 3) == 'of ' then return 1 end
  end
end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('DECRBY', KEYS[2], ARGV[2])
redis.call('DEL', KEYS[3])
for i = 5, #KEYS do redis.call('DEL', KEYS[i]) end
return 1
`;

export function redisBlobs({ redis, clock, maxBytes }: RedisBlobsOptions): Blobs {
  const reserve = redisScript(redis, reserveScript);
  const seal = redisScript(redis, sealScript);
  const remove = redisScript(redis, removeScript);
  const { lapses, used } = blobKeys;

  return {
    async put(bytes, how = {}) {
      if (bytes.length > maxFileBytes)
        throw new Error(`a file of ${bytes.length} bytes is too large to be kept`);
      const hash = BlobHash(createHash('sha256').update(bytes).digest('hex'));
      const size = bytes.length;
      await sweep();
      if (await sealed(hash, size, how)) return hash;
      // Again, should it be removed while it is written.
      for (let tries = 0; tries < 3; tries += 1) {
        const until = clock.now() + writeLimitMs;
        const hasRoom = await reserve([lapses, used], [memberOf(hash, size), size, maxBytes, until]);
        if (hasRoom === 0) return 'full';
        await write(hash, bytes);
        if (await sealed(hash, size, how)) return hash;
      }
      throw new Error('a file was removed again and again while it was written');
    },

    async get(hash) {
      const found = await standing(hash);
      if (found === undefined) return undefined;
      const { size, until } = found;
      const chunks: Buffer[] = [];
      for (const key of chunkKeys(hash, size)) {
        const chunk = await redis.getBuffer(key);
        if (chunk === null) return undefined;
        chunks.push(chunk);
      }
      if (until - clock.now() < renewBelowMs) await renew(hash, size);
      return Buffer.concat(chunks);
    },

    async delete(hash, owner) {
      const found = await standing(hash);
      if (found === undefined) return false;
      const owners = owner === undefined ? await ownersOf(hash) : [];
      const isRemoved = await removed(hash, found.size, { owner });
      for (const each of owners) await redis.zrem(blobKeys.person(each), hash);
      return isRemoved;
    },

    async of(owner) {
      const hashes = (await redis.zrevrange(blobKeys.person(owner), 0, -1)).map(BlobHash);
      const found = await Promise.all(hashes.map(async (hash) => [hash, await standing(hash)] as const));
      return found.filter(([, blob]) => blob !== undefined).map(([hash]) => hash);
    },
  };

  async function write(hash: BlobHash, bytes: Uint8Array): Promise<void> {
    for (const [at, key] of chunkKeys(hash, bytes.length).entries()) {
      const chunk = bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes);
      await redis.set(key, Buffer.from(chunk), 'PX', blobLifeMs + graceMs);
    }
  }

  async function sealed(hash: BlobHash, size: number, { owner, until }: BlobKeeping): Promise<boolean> {
    const kept = until === 'removed' ? '1' : '';
    const done = await seal(
      [lapses, blobKeys.blob(hash), blobKeys.person(owner), ...chunkKeys(hash, size)],
      [memberOf(hash, size), size, hash, owner ?? '', kept, clock.now(), blobLifeMs, graceMs],
    );
    return done === 1;
  }

  /** For everybody whose it is: the key of a person must not lapse before the file does. */
  async function renew(hash: BlobHash, size: number): Promise<void> {
    await sealed(hash, size, {});
    for (const owner of await ownersOf(hash)) await sealed(hash, size, { owner });
  }

  async function ownersOf(hash: BlobHash): Promise<UserId[]> {
    const fields = await redis.hkeys(blobKeys.blob(hash));
    return fields.flatMap((field) => (field.startsWith('of ') ? [UserId(field.slice(3))] : []));
  }

  async function removed(
    hash: BlobHash,
    size: number,
    { owner, before }: { readonly owner?: UserId | undefined; readonly before?: number },
  ): Promise<boolean> {
    const done = await remove(
      [lapses, used, blobKeys.blob(hash), blobKeys.person(owner), ...chunkKeys(hash, size)],
      [memberOf(hash, size), size, before ?? '', owner ?? '', hash],
    );
    return done === 1;
  }

  /** Makes room: what nobody asked for in a week, and what was never written to its end. */
  async function sweep(): Promise<void> {
    const now = clock.now();
    const members = await redis.zrangebyscore(lapses, '-inf', now, 'LIMIT', 0, sweepLimit);
    for (const member of members) {
      const [hash = '', size = ''] = member.split(':');
      await removed(BlobHash(hash), Number(size), { before: now });
    }
  }

  /** Its size and until when it lives; undefined when it is not here, not whole, or its time is over. */
  async function standing(hash: BlobHash): Promise<{ size: number; until: number } | undefined> {
    const size = await redis.hget(blobKeys.blob(hash), 'size');
    const score = size === null ? null : await redis.zscore(lapses, memberOf(hash, Number(size)));
    if (score === null) return undefined;
    const until = score === 'inf' ? Number.POSITIVE_INFINITY : Number(score);
    return until > clock.now() ? { size: Number(size), until } : undefined;
  }
}

/** The size stands in it: what is left of a blob can be removed when all else of it is gone. */
function memberOf(hash: BlobHash, size: number): string {
  return `${hash}:${size}`;
}

function chunkKeys(hash: BlobHash, size: number): string[] {
  return Array.from({ length: Math.ceil(size / chunkBytes) }, (_, at) => blobKeys.chunk(hash, at));
}

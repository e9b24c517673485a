/**
 * Reminders in Redis: one hash per person, one sorted set of all due times. They share a hash tag, so that each step is
 * one script on one slot; there are few of them.
 */
import { z } from 'zod';
import { ConversationId, UserId } from '../../domain/ids.ts';
import { maxActiveReminders, type Reminder, type ReminderDraft } from '../../domain/reminder.ts';
import type { DueTime, ReminderRecords } from '../../ports/reminders.ts';
import { type RedisClient, redisScript } from './client.ts';
import { reminderKeys } from './keys.ts';

/** A request is remembered this long. Unit: seconds. */
const madeS = 72 * 3600;
const sweepLimit = 1_000;
/** What was said can be snoozed for a month. Unit: seconds. */
const saidS = 30 * 24 * 3600;

/** KEYS of made due · ARGV record limit madeS nextAt owner → `id record` as first made, or false when full */
const addScript = `
local made = redis.call('GET', KEYS[2])
if made then return made end
if redis.call('HLEN', KEYS[1]) - redis.call('HEXISTS', KEYS[1], 'last') >= tonumber(ARGV[2]) then return false end
local id = 'r' .. redis.call('HINCRBY', KEYS[1], 'last', 1)
redis.call('HSET', KEYS[1], id, ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[4], id .. ' ' .. ARGV[5])
made = id .. ' ' .. ARGV[1]
redis.call('SET', KEYS[2], made, 'EX', ARGV[3])
return made
`;

/** KEYS of due · ARGV id member → the record, or false */
const removeScript = `
local record = redis.call('HGET', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[2])
return record
`;

/**
 * KEYS of due said · ARGV id member from to record said saidS → 1, or 0 when it does not stand at `from`; without `to`
 * it goes, and what was said is kept when there is any
 */
const replaceScript = `
local at = redis.call('ZSCORE', KEYS[2], ARGV[2])
if not at or tonumber(at) ~= tonumber(ARGV[3]) then return 0 end
if ARGV[6] ~= '' then redis.call('SET', KEYS[3], ARGV[6], 'EX', ARGV[7]) end
if ARGV[4] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
  redis.call('ZREM', KEYS[2], ARGV[2])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[5])
  redis.call('ZADD', KEYS[2], ARGV[4], ARGV[2])
end
return 1
`;

/** As stored; its id is the name of its field. */
const stored = z.object({
  owner: z.string().transform(UserId),
  conversation: z.string().transform(ConversationId),
  address: z.object({
    surface: z.string(),
    place: z.string(),
    replyTo: z.string().exactOptional(),
    title: z.string().exactOptional(),
    noThreads: z.literal(true).exactOptional(),
    recipient: z.string().exactOptional(),
    locale: z.string().exactOptional(),
  }),
  kind: z.enum(['reminder', 'task']),
  message: z.string(),
  schedule: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('at'), at: z.number(), isInstant: z.literal(true).exactOptional() }),
    z.object({ kind: z.literal('every'), everyMs: z.number().positive() }),
    z.object({ kind: z.literal('cron'), expr: z.string(), tz: z.string() }),
  ]),
  tz: z.string(),
  nextAt: z.number(),
  createdAt: z.number(),
  until: z.number().exactOptional(),
  timesLeft: z.number().exactOptional(),
  deliverTo: z.literal('dm').exactOptional(),
  misfire: z.literal('skip').exactOptional(),
  asked: z.string().exactOptional(),
  isPaused: z.literal(true).exactOptional(),
});

export function redisReminders(redis: RedisClient): ReminderRecords {
  const add = redisScript(redis, addScript);
  const remove = redisScript(redis, removeScript);
  const replace = redisScript(redis, replaceScript);
  const { of, made, due, said } = reminderKeys;
  const put = async (was: Reminder, now: Reminder | undefined, isSaid: boolean): Promise<boolean> => {
    const { owner, id } = was;
    const to = now === undefined ? '' : scoreOf(now);
    const record = now === undefined ? '' : recordOf(now);
    const replaced = await replace(
      [of(owner), due, said(owner, id)],
      [id, member(owner, id), scoreOf(was), to, record, isSaid ? recordOf(was) : '', saidS],
    );
    return replaced === 1;
  };

  return {
    async add(draft: ReminderDraft, key: string, createdAt: number): Promise<Reminder | 'full'> {
      const record = JSON.stringify({ ...draft, createdAt });
      const reply = await add(
        [of(draft.owner), made(key), due],
        [record, maxActiveReminders, madeS, draft.nextAt, draft.owner],
      );
      return typeof reply === 'string' ? readMade(reply) : 'full';
    },

    async made(key: string): Promise<Reminder | undefined> {
      const text = await redis.get(made(key));
      return text === null ? undefined : readMade(text);
    },

    async get(owner: UserId, id: string): Promise<Reminder | undefined> {
      if (!isId(id)) return undefined;
      const text = await redis.hget(of(owner), id);
      return text === null ? undefined : read(id, text);
    },

    async list(owner: UserId): Promise<readonly Reminder[]> {
      const fields = Object.entries(await redis.hgetall(of(owner)));
      const reminders = fields.filter(([id]) => isId(id)).map(([id, text]) => read(id, text));
      return reminders.toSorted((a, b) => a.nextAt - b.nextAt);
    },

    async remove(owner: UserId, id: string): Promise<Reminder | undefined> {
      if (!isId(id)) return undefined;
      const text = await remove([of(owner), due], [id, member(owner, id)]);
      return typeof text === 'string' ? read(id, text) : undefined;
    },

    async said(owner: UserId, id: string): Promise<Reminder | undefined> {
      if (!isId(id)) return undefined;
      const text = await redis.get(said(owner, id));
      return text === null ? undefined : read(id, text);
    },

    replace: (was, now) => put(was, now, false),
    fired: (was, now) => put(was, now, true),

    async dueBefore(time: number): Promise<readonly DueTime[]> {
      const flat = await redis.zrangebyscore(due, '-inf', `(${time}`, 'WITHSCORES', 'LIMIT', 0, sweepLimit);
      return flat.flatMap((text, at) => (at % 2 === 0 ? [dueTime(text, Number(flat[at + 1]))] : []));
    },
  };
}

/** Beside the reminders the hash of a person holds `last`, the number of the newest. */
function isId(id: string): boolean {
  return /^r\d+$/.test(id);
}

/** Where it stands among the due times; what is paused is never due. */
function scoreOf({ nextAt, isPaused }: Reminder): number | string {
  return isPaused === true ? '+inf' : nextAt;
}

/** Its id is the name of its field. */
function recordOf(reminder: Reminder): string {
  return JSON.stringify({ ...reminder, id: undefined });
}

function member(owner: UserId, id: string): string {
  return `${id} ${owner}`;
}

function dueTime(text: string, dueAt: number): DueTime {
  const [id = '', ...owner] = text.split(' ');
  return { id, owner: UserId(owner.join(' ')), dueAt };
}

function readMade(text: string): Reminder {
  const space = text.indexOf(' ');
  return read(text.slice(0, space), text.slice(space + 1));
}

function read(id: string, text: string): Reminder {
  try {
    return { id, ...stored.parse(JSON.parse(text)) };
  } catch (error) {
    throw new Error(`reminder ${id} cannot be read; the version that wrote it can: ${text.slice(0, 200)}`, {
      cause: error,
    });
  }
}

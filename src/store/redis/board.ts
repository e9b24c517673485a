/**
 * The board in Redis: a hash of messages, and a capped stream that names what changed. The stream holds no texts: who
 * follows it reads the message as it stands, so a text that grows by a hundred edits is read as often as somebody looks.
 */
import { ConversationId, type UserId } from '../../domain/ids.ts';
import {
  type Board,
  type BoardChange,
  type BoardMessage,
  type BoardPost,
  type BoardView,
  type Talk,
} from '../../ports/board.ts';
import type { Clock } from '../../ports/runtime.ts';
import { titleOf } from '../board-title.ts';
import { type RedisClient, redisScript } from './client.ts';
import { boardChannel, boardKeys, conversationKeys, globalKeys } from './keys.ts';

export interface RedisBoardOptions {
  readonly redis: RedisClient;
  /** A connection of its own on which changes are announced; made when somebody watches for the first time. */
  readonly connectForWatching: () => RedisClient;
  readonly clock: Clock;
  /** How long a board is kept after its last change. Unit: seconds. */
  readonly retentionS: number;
}

export interface ClosableBoard extends Board {
  close(): void;
}

/** Changes that are kept for whoever comes back. */
const keptChanges = 1_000;
const maxTalks = 100;
/** Announcements may be lost with the connection; then the stream is looked at this often. Unit: milliseconds. */
const lookEveryMs = 5_000;

/** KEYS board changes · ARGV id message retention kept title */
const putScript = `
local old = redis.call('HGET', KEYS[1], ARGV[1])
local place = old and string.match(old, '^%d+') or redis.call('HINCRBY', KEYS[1], 'last', 1)
local new = place .. '\\n' .. ARGV[2]
if old == new then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], new)
if ARGV[5] ~= '' then redis.call('HSETNX', KEYS[1], 'title', ARGV[5]) end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', 'id', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 1
`;

/** KEYS board changes · ARGV id kept retention */
const removeScript = `
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[2], '*', 'id', ARGV[1])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 1
`;

export function redisBoard({
  redis,
  connectForWatching,
  clock,
  retentionS,
}: RedisBoardOptions): ClosableBoard {
  const put = redisScript(redis, putScript);
  const remove = redisScript(redis, removeScript);
  const watchers = new Map<string, Set<() => void>>();
  let subscriber: RedisClient | undefined;

  const listen = () => {
    if (subscriber !== undefined) return;
    const connection = connectForWatching();
    subscriber = connection;
    connection.on('message', (_channel: string, conversation: string) => {
      for (const look of watchers.get(conversation) ?? []) look();
    });
    const subscribe = async () => {
      await connection.subscribe(boardChannel);
      // What was announced before that was announced to nobody.
      for (const looks of watchers.values()) for (const look of looks) look();
    };
    const trySubscribing = () => void subscribe().catch(() => {}); // it is looked at all the same, only later
    connection.on('ready', trySubscribing);
    trySubscribing();
  };

  const list = async (conversation: ConversationId): Promise<BoardView> => {
    const { board, changes } = boardKeys(conversation);
    // The place is read first: what changes in between is told twice rather than never.
    const [newest] = await redis.xrevrange(changes, '+', '-', 'COUNT', 1);
    return { messages: inOrder(await redis.hgetall(board)), place: newest?.[0] ?? '0-0' };
  };

  /** Asked before the messages are read: then those of a turn that has ended are all there. */
  const isBusy = async (conversation: ConversationId): Promise<boolean> =>
    (await redis.hexists(conversationKeys(conversation).state, 'wake')) === 1;

  const whole = async (conversation: ConversationId): Promise<BoardChange> => ({
    isBusy: await isBusy(conversation),
    ...(await list(conversation)),
    isWhole: true,
    removed: [],
  });

  const since = async (conversation: ConversationId, after: string): Promise<BoardChange> => {
    const { board, changes } = boardKeys(conversation);
    const still = { isBusy: await isBusy(conversation), isWhole: false };
    const entries = await redis.xrange(changes, `(${after}`, '+');
    const newest = entries.at(-1);
    if (newest === undefined) return { ...still, messages: [], removed: [], place: after };
    const ids = [...new Set(entries.map(([, fields]) => fields[1] ?? ''))];
    const stored = await redis.hmget(board, ...ids);
    const found = Object.fromEntries(ids.map((id, at) => [id, stored[at] ?? '']));
    const removed = ids.filter((_, at) => stored[at] === null);
    return { ...still, messages: inOrder(found), removed, place: newest[0] };
  };

  /** A stream that lost its beginning, or another one, knows nothing of what was missed. */
  const isKnown = async (conversation: ConversationId, place: string): Promise<boolean> => {
    if (!/^\d{1,15}-\d{1,9}$/.test(place)) return false;
    if (place === '0-0') return false;
    return (await redis.xrange(boardKeys(conversation).changes, place, place)).length === 1;
  };

  return {
    async put(conversation: ConversationId, id: string, message: BoardPost): Promise<void> {
      const { board, changes } = boardKeys(conversation);
      const isUser = message.kind === 'user';
      const title = isUser ? titleOf(message.text) : '';
      const changed = await put(
        [board, changes],
        [id, JSON.stringify(message), retentionS, keptChanges, title],
      );
      if (changed === 0) return;
      await redis.publish(boardChannel, conversation);
      if (!isUser || message.author === undefined) return;
      const talks = globalKeys.talks(message.author);
      await redis
        .multi()
        .zadd(talks, clock.now(), conversation)
        .zremrangebyrank(talks, 0, -maxTalks - 1)
        .expire(talks, retentionS)
        .exec();
    },

    async remove(conversation: ConversationId, id: string): Promise<void> {
      const { board, changes } = boardKeys(conversation);
      if ((await remove([board, changes], [id, keptChanges, retentionS])) === 1)
        await redis.publish(boardChannel, conversation);
    },

    async get(conversation: ConversationId, id: string): Promise<BoardMessage | undefined> {
      const stored = await redis.hget(boardKeys(conversation).board, id);
      return stored === null ? undefined : inOrder({ [id]: stored })[0];
    },

    list,

    async *watch(
      conversation: ConversationId,
      after: string | undefined,
      signal: AbortSignal,
    ): AsyncGenerator<BoardChange> {
      listen();
      let hasChanged = false;
      let wakeUp = () => {};
      const look = () => {
        hasChanged = true;
        wakeUp();
      };
      const looks = watchers.get(conversation) ?? new Set();
      watchers.set(conversation, looks.add(look));
      signal.addEventListener('abort', look, { once: true });
      try {
        let place = after;
        let wasBusy: boolean | undefined;
        if (place === undefined || !(await isKnown(conversation, place))) {
          const change = await whole(conversation);
          place = change.place;
          wasBusy = change.isBusy;
          yield change;
        } else hasChanged = true;
        while (!signal.aborted) {
          if (!hasChanged) {
            await new Promise<void>((resolve) => {
              const cancel = clock.after(lookEveryMs, resolve);
              wakeUp = () => {
                cancel();
                resolve();
              };
            });
          }
          if (signal.aborted) return;
          hasChanged = false;
          const change = await since(conversation, place);
          place = change.place;
          const isNew = change.messages.length + change.removed.length > 0 || change.isBusy !== wasBusy;
          wasBusy = change.isBusy;
          if (isNew) yield change;
        }
      } finally {
        signal.removeEventListener('abort', look);
        looks.delete(look);
        if (looks.size === 0) watchers.delete(conversation);
      }
    },

    async talksOf(person: UserId): Promise<readonly Talk[]> {
      const flat = await redis.zrevrange(globalKeys.talks(person), 0, maxTalks - 1, 'WITHSCORES');
      const talks = flat.flatMap((id, at) =>
        at % 2 === 0 ? [{ conversation: ConversationId(id), at: Number(flat[at + 1]) }] : [],
      );
      const titles = await Promise.all(
        talks.map(({ conversation }) => redis.hget(boardKeys(conversation).board, 'title')),
      );
      return talks.flatMap((talk, at) => {
        const title = titles[at] ?? undefined;
        return title === undefined ? [] : [{ ...talk, title }]; // it has expired
      });
    },

    close() {
      if (subscriber !== undefined && subscriber.status !== 'end') subscriber.disconnect();
    },
  };
}

/** Beside the messages the hash holds `last`, the newest place, and `title`. */
function inOrder(fields: Readonly<Record<string, string>>): BoardMessage[] {
  return Object.entries(fields)
    .flatMap(([id, text]) => {
      const end = text.indexOf('\n');
      if (id === 'last' || id === 'title' || end < 0) return [];
      const message = { id, ...(JSON.parse(text.slice(end + 1)) as BoardPost) };
      return [{ place: Number(text.slice(0, end)), message }];
    })
    .toSorted((a, b) => a.place - b.place)
    .map(({ message }) => message);
}

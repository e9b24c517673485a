/**
 * The atomic steps of a conversation. What belongs together is one script: a process can die between two of them, never
 * inside one. Keys and their meaning: `keys.ts`. An entry of the inbox is a line that names it and, after a line break,
 * its item as JSON; scripts look at the line only. Whoever shows a conversation hears at once when its `wake` comes or goes.
 */
import { boardChannel } from './keys.ts';

/**
 * What wakes nobody is not followed by a commit, which otherwise sets how long the keys live.
 * KEYS seen state inbox waiting person · ARGV kind entry seen-life call wanted retention author now conversation place by-part turn
 */
export const appendScript = `
local kind, entry, call, author = ARGV[1], ARGV[2], ARGV[4], ARGV[7]
local awake, followed, question, answerer, closing =
  unpack(redis.call('HMGET', KEYS[2], 'wake', 'followed', 'call', 'for', 'closing'))
if ARGV[5] == 'if_followed' and not followed then return 'ignored' end
if kind == 'answer' and question == call and answerer ~= '' and answerer ~= author then return 'not_yours' end
local moves = kind ~= 'stop' or awake or question
if ARGV[11] ~= '' and moves and not redis.call('ZSCORE', KEYS[5], ARGV[9]) then return 'not_part' end
local turn = ARGV[12]
if turn ~= '' then
  local again, removed = unpack(redis.call('HMGET', KEYS[2], 'again', 'removed'))
  if kind == 'note' and again == turn then return 'late' end
  if kind == 'again' and removed == turn then return 'gone' end
end
if not redis.call('SET', KEYS[1], '1', 'NX', 'EX', ARGV[3]) then return 'duplicate' end
if kind == 'note' and turn ~= '' then redis.call('HSET', KEYS[2], 'removed', turn) end
if author ~= '' and moves then
  redis.call('ZADD', KEYS[5], ARGV[8], ARGV[9])
  redis.call('EXPIRE', KEYS[5], ARGV[6])
end
if ARGV[5] == 'and_follow' and not followed then redis.call('HSET', KEYS[2], 'followed', ARGV[10]) end
if kind == 'stop' and awake then
  redis.call('HSET', KEYS[2], 'stop', entry)
  return 'stopping'
end
if kind == 'stop' and not question then
  redis.call('EXPIRE', KEYS[2], ARGV[6])
  return 'idle'
end
if kind == 'again' then
  if awake or question then return 'late' end
  redis.call('HSET', KEYS[2], 'again', turn)
end
if kind == 'stop' or call ~= '' then
  if closing or (kind ~= 'stop' and question ~= call) then return 'late' end
  redis.call('HSET', KEYS[2], 'closing', '1')
end
redis.call('RPUSH', KEYS[3], entry)
if kind == 'note' then
  redis.call('EXPIRE', KEYS[2], ARGV[6])
  redis.call('EXPIRE', KEYS[3], ARGV[6])
  return 'queued'
end
redis.call('ZADD', KEYS[4], 'NX', ARGV[8], ARGV[9])
if awake then return 'queued' end
redis.call('HSET', KEYS[2], 'wake', '1')
redis.call('PUBLISH', '${boardChannel}', ARGV[9])
return 'wake'
`;

/** KEYS inbox · ARGV line entry ('' deletes) */
export const editScript = `
for i, entry in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if string.match(entry, '^[^\\n]*') == ARGV[1] then
    if ARGV[2] == '' then redis.call('LREM', KEYS[1], 1, entry) else redis.call('LSET', KEYS[1], i - 1, ARGV[2]) end
    return 1
  end
end
return 0
`;

/**
 * The conversation stays noted as waiting, as the append has left it: the first sign of life moves it on, and the sweep
 * leaves alone whom a worker has. KEYS state inbox journal pause → fence, inbox, journal, pause, stop
 */
export const claimScript = `
local awake, stop, question = unpack(redis.call('HMGET', KEYS[1], 'wake', 'stop', 'call'))
if not awake then redis.call('HSET', KEYS[1], 'wake', '1') end
return {
  redis.call('HINCRBY', KEYS[1], 'fence', 1),
  redis.call('LRANGE', KEYS[2], 0, -1),
  redis.call('LRANGE', KEYS[3], 0, -1),
  question and redis.call('HGETALL', KEYS[4]) or {},
  stop and 1 or 0,
}
`;

/** KEYS state inbox waiting · ARGV fence due conversation → inbox, stop; false when the fence has moved on */
export const lookScript = `
local fence, stop = unpack(redis.call('HMGET', KEYS[1], 'fence', 'stop'))
if fence ~= ARGV[1] then return false end
redis.call('ZADD', KEYS[3], 'XX', ARGV[2], ARGV[3])
return { redis.call('LRANGE', KEYS[2], 0, -1), stop and 1 or 0 }
`;

/** Takes the entries out whose lines stand in ARGV from here on; returns those that are left. */
const ack = `
local function ack(from)
  local gone, left, taken = {}, {}, {}
  for i = from, #ARGV do gone[ARGV[i]] = true end
  for _, entry in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
    local into = gone[string.match(entry, '^[^\\n]*')] and taken or left
    into[#into + 1] = entry
  end
  if #left == 0 then redis.call('DEL', KEYS[2]) return left end
  for _, entry in ipairs(taken) do redis.call('LREM', KEYS[2], 1, entry) end
  return left
end
`;

/** KEYS state inbox journal · ARGV fence count record… line… → 1, or 0 when the fence has moved on */
export const recordScript = `
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then return 0 end
${ack}
local count = tonumber(ARGV[2])
local before = redis.call('LLEN', KEYS[3])
for i = 1, count do redis.call('RPUSH', KEYS[3], string.format('%d %s', before + i, ARGV[2 + i])) end
if #ARGV > 2 + count then ack(3 + count) end
return 1
`;

/**
 * A stop that came when the turn had paused already closes the question, as it would have a moment later. While a question
 * is open, a \`next\` or \`new\` waits for its end.
 * KEYS state inbox journal pause waiting · ARGV fence retention now conversation line…
 * → more or idle, 0 when the fence has moved on
 */
export const commitScript = `
local fence, stop, question, closing = unpack(redis.call('HMGET', KEYS[1], 'fence', 'stop', 'call', 'closing'))
if fence ~= ARGV[1] then return 0 end
${ack}
local left = ack(5)
redis.call('HDEL', KEYS[1], 'again')
if stop and question and not closing then
  redis.call('HSET', KEYS[1], 'closing', '1')
  redis.call('RPUSH', KEYS[2], stop)
  left[#left + 1] = stop
end
local more = false
for _, entry in ipairs(left) do
  local kind = string.match(entry, '^[^|]*')
  more = more or (kind ~= 'note' and not (question and (kind == 'next' or kind == 'new')))
end
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[3], ARGV[2])
if #left > 0 then redis.call('EXPIRE', KEYS[2], ARGV[2]) end
if question then redis.call('EXPIRE', KEYS[4], ARGV[2]) end
if more then
  redis.call('HDEL', KEYS[1], 'stop')
  redis.call('ZADD', KEYS[5], ARGV[3], ARGV[4])
  return 'more'
end
redis.call('HDEL', KEYS[1], 'wake', 'stop')
redis.call('ZREM', KEYS[5], ARGV[4])
redis.call('PUBLISH', '${boardChannel}', ARGV[4])
return 'idle'
`;

/** A question takes the place of any other. KEYS state pause · ARGV fence retention call for field value … → 1 or 0 */
export const openPauseScript = `
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'call', ARGV[3], 'for', ARGV[4])
redis.call('HDEL', KEYS[1], 'closing')
redis.call('DEL', KEYS[2])
redis.call('HSET', KEYS[2], unpack(ARGV, 5))
redis.call('EXPIRE', KEYS[2], ARGV[2])
return 1
`;

/** KEYS state pause · ARGV fence → 1 or 0 */
export const closePauseScript = `
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then return 0 end
redis.call('HDEL', KEYS[1], 'call', 'for', 'closing')
redis.call('DEL', KEYS[2])
return 1
`;

/** Sets fields of a hash behind the fence. KEYS state hash · ARGV fence retention field value … → 1 or 0 */
export const fencedFieldsScript = `
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], unpack(ARGV, 3))
redis.call('EXPIRE', KEYS[2], ARGV[2])
return 1
`;

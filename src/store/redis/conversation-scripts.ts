/**
 * The atomic steps of a conversation. What belongs together is one script: a process can die between two of them, never
 * inside one. Keys and their meaning: `keys.ts`.
 */

/**
 * KEYS seen inbox items wake pause followed stop
 * ARGV kind id json seen-life call wanted retention author
 */
export const appendScript = `
local kind, id = ARGV[1], ARGV[2]
if ARGV[6] == 'if_followed' and redis.call('EXISTS', KEYS[6]) == 0 then return 'ignored' end
if kind == 'answer' and redis.call('HGET', KEYS[5], 'call') == ARGV[5] then
  local answerer = redis.call('HGET', KEYS[5], 'for')
  if answerer and answerer ~= '' and answerer ~= ARGV[8] then return 'not_yours' end
end
if not redis.call('SET', KEYS[1], '1', 'NX', 'EX', ARGV[4]) then return 'duplicate' end
if ARGV[6] == 'and_follow' then redis.call('SET', KEYS[6], '1', 'EX', ARGV[7]) end
if kind == 'stop' then
  if redis.call('EXISTS', KEYS[4]) == 1 then
    redis.call('SET', KEYS[7], ARGV[3])
    return 'stopping'
  end
  if redis.call('EXISTS', KEYS[5]) == 0 then return 'idle' end
  if redis.call('HSETNX', KEYS[5], 'closing', id) == 0 then return 'late' end
elseif ARGV[5] ~= '' then
  if redis.call('HGET', KEYS[5], 'call') ~= ARGV[5] then return 'late' end
  if redis.call('HSETNX', KEYS[5], 'closing', id) == 0 then return 'late' end
end
redis.call('RPUSH', KEYS[2], kind .. '|' .. id)
redis.call('HSET', KEYS[3], id, ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[7])
redis.call('EXPIRE', KEYS[3], ARGV[7])
if kind == 'note' then return 'queued' end
if redis.call('SET', KEYS[4], '1', 'NX') then return 'wake' end
return 'queued'
`;

/** KEYS items inbox · ARGV id json ('' deletes) entry */
export const editScript = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) return 1 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('LREM', KEYS[2], 1, ARGV[3])
return 1
`;

/** KEYS fence wake inbox items journal pause stop · ARGV retention → fence, inbox, items, journal, pause, stop */
export const claimScript = `
local fence = redis.call('INCR', KEYS[1])
redis.call('EXPIRE', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], '1')
return {
  fence,
  redis.call('LRANGE', KEYS[3], 0, -1),
  redis.call('HGETALL', KEYS[4]),
  redis.call('XRANGE', KEYS[5], '-', '+'),
  redis.call('HGETALL', KEYS[6]),
  redis.call('EXISTS', KEYS[7]),
}
`;

/** KEYS fence inbox items stop · ARGV fence → inbox, items, stop; false when the fence has moved on */
export const lookScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
return { redis.call('LRANGE', KEYS[2], 0, -1), redis.call('HGETALL', KEYS[3]), redis.call('EXISTS', KEYS[4]) }
`;

const ack = `
local function ack(from)
  for i = from, #ARGV do
    redis.call('LREM', KEYS[2], 1, ARGV[i])
    redis.call('HDEL', KEYS[3], string.sub(ARGV[i], string.find(ARGV[i], '|', 1, true) + 1))
  end
end
`;

/** KEYS fence inbox items journal · ARGV fence count record… entry… → 1, or 0 when the fence has moved on */
export const recordScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
${ack}
local count = tonumber(ARGV[2])
for i = 3, 2 + count do redis.call('XADD', KEYS[4], '*', 'r', ARGV[i]) end
ack(3 + count)
return 1
`;

/**
 * A stop that came when the turn had paused already closes the question, as it would have a moment later. While a question
 * is open, a `next` waits for its end.
 * KEYS fence inbox items wake stop journal pause followed · ARGV fence retention entry…
 * → more or idle, 0 when the fence has moved on
 */
export const commitScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
${ack}
ack(3)
local paused = redis.call('EXISTS', KEYS[7]) == 1
local stop = redis.call('GET', KEYS[5])
if stop and paused then
  local id = cjson.decode(stop).id
  if redis.call('HSETNX', KEYS[7], 'closing', id) == 1 then
    redis.call('RPUSH', KEYS[2], 'stop|' .. id)
    redis.call('HSET', KEYS[3], id, stop)
  end
end
redis.call('DEL', KEYS[5])
redis.call('EXPIRE', KEYS[6], ARGV[2])
redis.call('EXPIRE', KEYS[7], ARGV[2])
redis.call('EXPIRE', KEYS[8], ARGV[2])
for _, entry in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
  local kind = string.sub(entry, 1, 5)
  if kind ~= 'note|' and not (paused and kind == 'next|') then return 'more' end
end
redis.call('DEL', KEYS[4])
return 'idle'
`;

/** Sets fields of a hash behind the fence; with no field the hash goes. KEYS fence hash · ARGV fence retention field value … → 1 or 0 */
export const fencedFieldsScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] == nil then redis.call('DEL', KEYS[2]) return 1 end
for i = 3, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
redis.call('EXPIRE', KEYS[2], ARGV[2])
return 1
`;

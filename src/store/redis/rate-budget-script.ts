/**
 * The policy of `src/delivery/pace.ts` and `src/delivery/allowance.ts` as one script, for all processes that share a
 * budget: change both. Names, order and constants are the same; the reasons stand there. Time is Redis' own.
 *
 * KEYS budget
 * ARGV "ask" calls perMs message rank unseenMs → -1 when granted, else in how many milliseconds to ask again
 *      "learn" calls perMs message callMs outcome limit remaining resetAfterMs retryAfterMs isLast → nil; any from the
 *              limit on may be empty
 *      "leave" calls perMs message → nil
 *
 * Ranks are places in the list of importances: `final` is 0, `first` 3, `text` 4.
 */
export const rateBudgetScript = `
local minGapMs, lookForAnswerMs, stretch, countedSlackMs, clockSlackMs = 250, 100, 1.05, 250, 10
local firstBackOffMs, maxBackOffMs, lateStepMs, maxLateMs = 1000, 60000, 50, 500
local graceMs, lookAgainMs, answerWithinMs, quietForMs, endedForMs = 250, 2000, 20000, 20000, 10000
local dueRounds, dueMs = 1.18, 2800
local finalRank, firstRank, textRank = 0, 3, 4
local keptMs, longestMs = 3600000, 86400000

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local calls, perMs = tonumber(ARGV[2]), tonumber(ARGV[3])
local ruleGapMs = perMs / calls
local packed = redis.call('GET', KEYS[1])
local b = packed and cmsgpack.unpack(packed)
if not b then
  local size = calls >= 4 and 2 or 1
  b = {
    kind = 'counted', size = size, perCallMs = (perMs + countedSlackMs) / (calls - size + 1),
    resetAt = 0, earliestResetAt = 0, lowest = 0, begunAt = 0, isSure = true, windowMs = 1, refillMs = 1,
    lastAt = -minGapMs, refusedUntil = 0, refusals = 0, lateMs = 0, fastestMs = 0, usualMs = 0, live = {}, open = {}
  }
end
b.ended = b.ended or {}

local function count(map)
  local n = 0
  for _ in pairs(map) do n = n + 1 end
  return n
end

local function overAt()
  local waysMs = b.fastestMs - 3 * (b.usualMs - b.fastestMs) - clockSlackMs
  return b.resetAt - math.max(0, waysMs) + b.lateMs
end

local function fullAt(open) return b.kind == 'counted' and b.resetAt or b.resetAt + open * b.perCallMs end

local function roomAt(open, calls)
  if b.kind ~= 'window' then return fullAt(open) - (b.size - calls) * b.perCallMs end
  if now >= overAt() then return calls == 1 and now or math.huge end
  local left = b.lowest - open
  if left <= 0 then return overAt() end
  if b.isSure then return left >= calls and now or overAt() end
  return open == 0 and calls == 1 and now or now + lookForAnswerMs
end

local function spreadInWindow(open, since)
  local left = b.lowest - open
  if left <= 0 then return overAt() end
  local spanMs = overAt() - b.lastAt
  local slowestAt = math.min(since + b.perCallMs * stretch, b.lastAt + spanMs / left)
  return math.min(overAt(), math.max(b.lastAt + spanMs / (left + 1), slowestAt))
end

local function spreadInBucket(open)
  local full = fullAt(open)
  local spanMs = full - b.lastAt
  local left = math.max(0, math.floor(b.size - spanMs / b.perCallMs))
  local evenAt = b.lastAt + math.min(b.perCallMs, spanMs / (left + 1))
  return math.max(evenAt, full - (b.size - math.min(2, b.size)) * b.perCallMs)
end

local function urgentAt(open) return math.max(roomAt(open, 1), b.refusedUntil) end

local function textAt(open, since)
  local at = b.kind == 'window' and spreadInWindow(open, since) or spreadInBucket(open)
  return math.max(at, b.lastAt + minGapMs, urgentAt(open))
end

local function firstAt(open, since)
  return math.max(math.min(textAt(open, since), roomAt(open, 3)), urgentAt(open))
end

local function callsBy(open, calls)
  if b.kind ~= 'window' then return math.max(roomAt(open, calls), b.refusedUntil, now) end
  local isOver = now >= overAt()
  local left = isOver and b.size or math.max(0, b.lowest - open)
  local windowMs = b.size * b.perCallMs
  local nextAt = isOver and now + windowMs or overAt()
  local at = calls <= left and now or nextAt + math.floor((calls - left - 1) / b.size) * windowMs
  return math.max(at, b.refusedUntil)
end

local function take()
  b.lastAt = now
  if b.kind == 'counted' then
    b.resetAt = math.max(b.resetAt, now) + b.perCallMs
  elseif b.kind == 'window' and now >= overAt() then
    b.isSure, b.begunAt, b.lowest, b.resetAt = false, now, b.size, now + b.size * b.perCallMs
  end
end

local function written(tookMs)
  local callMs = math.max(1, tookMs)
  local isFirst = b.fastestMs == 0
  b.usualMs = isFirst and 2 * callMs or (b.usualMs + callMs) / 2
  b.fastestMs = isFirst and callMs or math.min(b.fastestMs, callMs)
  b.refusals = 0
  b.lateMs = math.max(0, b.lateMs - 1)
end

local function heardNothing()
  if b.kind == 'window' then b.lowest = b.lowest - 1 end
  if b.kind == 'bucket' then b.resetAt = math.max(b.resetAt, now) + b.perCallMs end
end

local function isTooLow(remaining, sentAt, isLater)
  local isNew = b.begunAt > 0 and sentAt >= b.begunAt
  if b.isSure then isNew = isLater end
  local mostLeft = (b.isSure and b.size or b.lowest) - 1
  return isNew and remaining < mostLeft and b.windowMs < 2 * ruleGapMs
end

local function hearOfBucket(used, resetAfterMs)
  local othersMs = (used - 1) * b.refillMs
  local tellsNext = resetAfterMs <= math.min(othersMs, 1.5 * b.refillMs)
  if tellsNext then b.refillMs = math.max(b.refillMs, resetAfterMs) end
  b.perCallMs = b.refillMs
  b.resetAt = math.max(b.resetAt, now + resetAfterMs + (tellsNext and othersMs or 0))
end

local function hear(sentAt, limit, remaining, resetAfterMs)
  local isSense = limit >= 1 and remaining >= 0 and resetAfterMs >= 0 and resetAfterMs <= longestMs
  if not isSense then return heardNothing() end
  if b.kind == 'counted' or limit ~= b.size then
    b.kind, b.isSure, b.begunAt, b.lowest, b.size = 'window', false, 0, limit, limit
    b.windowMs, b.refillMs = 1, 1
  end
  b.windowMs = math.max(b.windowMs, resetAfterMs)
  b.refillMs = math.max(b.refillMs, resetAfterMs / math.max(1, limit - remaining))
  local earliestAt, latestAt = sentAt + resetAfterMs, now + resetAfterMs
  local isLater = b.isSure and earliestAt > b.resetAt
  if b.kind == 'window' and isLater and now < b.earliestResetAt then b.kind = 'bucket' end
  if b.kind == 'window' and isTooLow(remaining, sentAt, isLater) then b.kind = 'bucket' end
  if b.kind == 'bucket' then return hearOfBucket(limit - remaining, resetAfterMs) end
  b.perCallMs = b.windowMs / limit
  if b.isSure and latestAt < b.earliestResetAt or not b.isSure and sentAt < b.begunAt then
    if not b.isSure then b.lowest = b.lowest - 1 end
  elseif b.isSure and not isLater then
    b.lowest = math.min(b.lowest, remaining)
    b.resetAt = math.min(b.resetAt, latestAt)
    b.earliestResetAt = math.max(b.earliestResetAt, earliestAt)
  else
    b.lowest = b.isSure and remaining or math.min(b.lowest - 1, remaining)
    b.isSure, b.resetAt, b.earliestResetAt = true, latestAt, earliestAt
  end
end

local function refused(retryAfterMs)
  b.refusals = b.refusals + 1
  local backOffMs = math.min(maxBackOffMs, firstBackOffMs * 2 ^ (b.refusals - 1))
  local isSense = retryAfterMs and retryAfterMs >= 0
  b.refusedUntil = math.max(b.refusedUntil, now + (isSense and math.min(longestMs, retryAfterMs) or backOffMs))
  if b.kind == 'counted' then
    b.resetAt = math.max(b.resetAt, b.refusedUntil + (b.size - 1) * b.perCallMs)
    return
  end
  b.lateMs = math.min(maxLateMs, b.lateMs + lateStepMs)
  b.kind, b.isSure, b.begunAt, b.lowest, b.resetAt = 'window', false, now, b.size, b.refusedUntil
end

local function isText(one) return one.rank == firstRank or one.rank == textRank end

local function dueBy(since)
  local sharers = count(b.live) + count(b.ended)
  local gapMs = math.max(b.perCallMs, ruleGapMs)
  return math.max(since, b.refusedUntil) + math.max(dueMs, dueRounds * sharers * gapMs)
end

local function pressedSince(open)
  local texts = {}
  for _, one in pairs(b.live) do
    if isText(one) and one.till >= now then texts[#texts + 1] = one.since end
  end
  table.sort(texts)
  for i = #texts, 1, -1 do
    if callsBy(open, i + 1) > dueBy(texts[i]) then return texts[i] end
  end
  return -math.huge
end

local function dueAtOf(one, open)
  if one.rank < firstRank then return urgentAt(open) end
  local at = one.rank == firstRank and firstAt(open, one.since) or textAt(open, one.since)
  return isText(one) and math.max(urgentAt(open), math.min(at, dueBy(one.since))) or at
end

local function ask(message, rank, unseenMs)
  for name, at in pairs(b.open) do
    if at + answerWithinMs < now then
      b.open[name] = nil
      heardNothing()
    end
  end
  for name, one in pairs(b.live) do if one.till + quietForMs < now then b.live[name] = nil end end
  for name, at in pairs(b.ended) do if at + endedForMs < now then b.ended[name] = nil end end
  local me = { rank = rank, since = now - unseenMs, till = now }
  b.live[message], b.ended[message] = me, nil
  local open = count(b.open)
  local dueAt = dueAtOf(me, open)
  local pressed = pressedSince(open)
  local function rankOf(one) return isText(one) and one.since <= pressed and 0 or one.rank end
  local myRank, ahead = rankOf(me), 0
  for name, one in pairs(b.live) do
    if name ~= message and one.till >= now then
      local itsRank = rankOf(one)
      local isOlder = one.since < me.since or (one.since == me.since and name < message)
      if itsRank < myRank or (itsRank == myRank and isOlder) then ahead = ahead + 1 end
    end
  end
  if dueAt <= now and ahead == 0 then
    me.till = now - 1
    if b.open[message] then heardNothing() end
    b.open[message] = now
    take()
    return -1
  end
  local nextAt = math.max(now, dueAt)
  local at = ahead == 0 and nextAt or nextAt + (ahead - 1) * b.perCallMs + graceMs
  local lookAt = isText(me) and math.min(now + lookAgainMs, dueBy(me.since)) or now + lookAgainMs
  at = math.ceil(math.min(at, math.max(nextAt + graceMs, lookAt)))
  if b.fastestMs == 0 and open > 0 then at = now + lookForAnswerMs end
  me.till = at + graceMs
  return at - now
end

local function learn(message, callMs, outcome, limit, remaining, resetAfterMs, retryAfterMs, isLast)
  local sentAt = b.open[message] or now - callMs
  b.open[message] = nil
  if outcome == 'written' then written(callMs) end
  if limit then hear(sentAt, limit, remaining, resetAfterMs) else heardNothing() end
  if outcome == 'refused' then refused(retryAfterMs) end
  if not isLast then return end
  local one = b.live[message]
  if one and one.rank == finalRank then b.ended[message] = now end
  b.live[message] = nil
end

local message, reply = ARGV[4], nil
if ARGV[1] == 'ask' then
  reply = ask(message, tonumber(ARGV[5]), tonumber(ARGV[6]))
elseif ARGV[1] == 'learn' then
  local numbers = {}
  for i = 7, 10 do numbers[i] = tonumber(ARGV[i]) end
  learn(message, tonumber(ARGV[5]), ARGV[6], numbers[7], numbers[8], numbers[9], numbers[10], ARGV[11] ~= '')
else
  b.live[message] = nil
end
redis.call('SET', KEYS[1], cmsgpack.pack(b), 'PX', math.ceil(math.max(0, b.refusedUntil - now) + keptMs))
return reply
`;

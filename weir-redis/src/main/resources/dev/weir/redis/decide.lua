-- Decides joint requests one after the other: each is granted for all keys of its group, or denied.

local function earliestOf(key, from, permits)
  local wait = math.max(from, blockedFor(key))
  while true do
    local before = wait
    for n = 1, #key.memories do
      local m = key.memories[n]
      wait = m.rule.earliest(m, key.now, wait, permits)
      if wait == NEVER then
        return NEVER
      end
    end
    if wait == before or #key.memories == 1 then
      return wait
    end
  end
end

local function earliest(permits)
  local wait = 0
  while true do
    local before = wait
    for i = 1, #keys do
      local key = keys[i]
      wait = earliestOf(key, wait, permits[i])
      if wait == NEVER then
        return NEVER
      end
    end
    if wait == before or #keys == 1 then
      return wait
    end
  end
end

local function canBook(wait, permits)
  for i = 1, #keys do
    local key = keys[i]
    for n = 1, #key.memories do
      local m = key.memories[n]
      if not m.rule.canBook(m, key.now, wait, permits[i]) then
        return false
      end
    end
  end
  return true
end

-- Books a number of equal joint requests. Returns the handle that identifies each of them in a refund.
local function book(wait, permits, count)
  local handle = ''
  for i = 1, #keys do
    local key = keys[i]
    handle = handle .. struct.pack('>I8', key.created)
    for n = 1, #key.memories do
      local m = key.memories[n]
      handle = handle .. m.rule.book(m, key.now, wait, count * permits[i])
      key.changed = key.changed or not m.rule.stateless
    end
  end
  return handle
end

-- The limit of a key with the least remaining.
local function tightestOf(key)
  local tightest, least = 1, math.huge
  for n = 1, #key.memories do
    local m = key.memories[n]
    local remaining = m.rule.remaining(m, key.now)
    if remaining < least then
      tightest, least = n, remaining
    end
  end
  return tightest, least
end

-- The key and the limit with the least remaining, and that of all keys; a blocked key has none.
local function tightest()
  local key, limit, least, remaining = 1, 1, math.huge, math.huge
  for i = 1, #keys do
    local n, here = tightestOf(keys[i])
    if here < least then
      key, limit, least = i, n, here
    end
    remaining = math.min(remaining, blockedFor(keys[i]) > 0 and 0 or here)
  end
  return key, limit, remaining
end

-- The key and the limit with the latest fit.
local function latest(permits)
  local at, latestWait = 1, -1
  for i = 1, #keys do
    local key = keys[i]
    local wait = earliestOf(key, 0, permits[i])
    if wait > latestWait then
      at, latestWait = i, wait
    end
  end
  local limit, limitWait = 1, -1
  for n = 1, #keys[at].memories do
    local m = keys[at].memories[n]
    local wait = m.rule.earliest(m, keys[at].now, 0, permits[at])
    if wait > limitWait then
      limit, limitWait = n, wait
    end
  end
  return at, limit
end

local function resetAfter(key, limit)
  local m = keys[key].memories[limit]
  return m.rule.resetAfter(m, keys[key].now)
end

local function retryOf(m, now, wait, permits)
  if m.rule.retry then
    return m.rule.retry(m, now, wait, permits)
  end
  return m.rule.canBook(m, now, wait, permits) and 0 or wait
end

local function denied(wait, inTime, permits)
  local remembered = false
  local retry = inTime and 0 or wait
  for i = 1, #keys do
    local key = keys[i]
    if inTime then
      retry = math.max(retry, blockedFor(key))
    end
    for n = 1, #key.memories do
      local m = key.memories[n]
      if not look and m.rule.denied(m, key.now, permits[i]) then
        remembered, key.changed = true, true
      end
      if inTime then
        retry = math.max(retry, retryOf(m, key.now, wait, permits[i]))
      end
    end
  end
  return remembered and earliest(permits) or retry, remembered
end

local function plus(wait)
  return wait == NEVER and -1 or wait + lag
end

-- After one request was booked for now: how many like it can be, and be answered alike but for what remains.
local function furtherAlike(permits, remaining)
  for i = 1, #keys do
    local key = keys[i]
    if permits[i] ~= permits[1] then
      return 0
    end
    for n = 1, #key.memories do
      local m = key.memories[n]
      if not m.rule.takesFromWhatRemains(m, key.now) then
        return 0
      end
    end
  end
  return math.floor(remaining / permits[1])
end

-- Packs a number of permits; -1 if it has no bound.
local function number(permits)
  return permits == math.huge and -1 or permits
end

-- Returns the status of each limit of each key: remaining of that limit alone, the wait until it alone allows the request whatever
-- a block says (0 if allowed), and until it is as if unused.
local function statuses(allowed, permits)
  local packed = {}
  for i = 1, #keys do
    local key = keys[i]
    for n = 1, #key.memories do
      local m = key.memories[n]
      local retry = allowed and 0 or m.rule.earliest(m, key.now, 0, permits[i])
      packed[#packed + 1] = struct.pack('>i8i8i8', number(m.rule.remaining(m, key.now)), retry == 0 and 0 or plus(retry),
        plus(m.rule.resetAfter(m, key.now)))
    end
  end
  return table.concat(packed)
end

-- Returns the longest time for which a key is still blocked.
local function longestBlock()
  local longest = 0
  for i = 1, #keys do
    longest = math.max(longest, blockedFor(keys[i]))
  end
  return longest
end

-- Packs an answer of kind 2, see answers.lua. `permits` are those of each key.
local function answer(count, allowed, key, limit, remaining, step, wait, retry, now, handle, permits)
  local block = allowed and 0 or longestBlock()
  local outcome = allowed and 1 or block > 0 and 2 or 0
  local packed = struct.pack('>BI4BI2I2i8i8i8i8i8i8I2', 2, count, outcome, key, limit, number(remaining), step, wait, retry,
    plus(resetAfter(key, limit)), now, #handle) .. handle
  if block > 0 then
    packed = packed .. struct.pack('>i8', plus(block))
  end
  if #keys > 1 or #keys[1].memories > 1 or always then
    packed = packed .. statuses(allowed, permits)
  end
  return packed
end

-- Decides the first of a number of equal joint requests, and those after it that are sure to have the same answer. Returns how
-- many that were, and the answer.
local function decide(count, patience, permits)
  local wait = earliest(permits)
  local inTime = wait == 0 or (wait ~= NEVER and wait <= patience - lag)
  if not (inTime and canBook(wait, permits)) then
    local retry, remembered = denied(wait, inTime, permits)
    count = remembered and 1 or count
    local key, limit = latest(permits)
    local _, _, left = tightest()
    return count, answer(count, false, key, limit, left, 0, 0, plus(retry), keys[1].now - lag, '', permits)
  end
  local handle = not look and book(wait, permits, 1) or ''
  local key, limit, left = tightest()
  local step, further = 0, 0
  if look then
    further = count - 1
  elseif wait == 0 and count > 1 then
    further = math.min(count - 1, furtherAlike(permits, left))
    step = permits[1]
  end
  local one = answer(1 + further, true, key, limit, left, step, wait == 0 and 0 or plus(wait), 0,
    keys[1].now - (wait == 0 and 0 or lag), handle, permits)
  if not look and further > 0 then
    book(0, permits, further)
  end
  return 1 + further, one
end

-- Writes a key's state if it has changed.
local function close(key)
  for _, m in ipairs(key.memories) do
    key.changed = key.changed or (m.writes and next(m.writes) ~= nil)
  end
  if not key.changed then
    return
  end
  key.blocked = key.blocked > key.now and key.blocked or 0
  key.last = key.now
  local expires, sections = key.blocked, {}
  for _, m in ipairs(key.memories) do
    if not m.rule.stateless then
      expires = math.max(expires, m.rule.expires(m))
      sections[#sections + 1] = packSection(m, key.last)
      saveBlocks(key, m)
    end
  end
  for _, kept in ipairs(key.dormant) do
    expires = math.max(expires, kept[1])
  end
  save(key, sections, expires)
end

-- Returns the answers to a group of joint requests, packed at this place, on a number of keys from the claim-th on.
local function decideAll(claim, claims, at, requests)
  keys, lag = {}, 0
  for i = 1, claims do
    open(i, claim + i - 1)
  end
  for _, key in ipairs(keys) do
    remember(key)
  end
  local answers, permits = {}, {}
  for _ = 1, requests do
    local count, patience
    count, patience, at = struct.unpack('>I4I7', groups, at)
    for i = 1, claims do
      permits[i], at = struct.unpack('>I7', groups, at)
    end
    while count > 0 do
      local decided, answer = decide(count, patience, permits)
      count = count - decided
      answers[#answers + 1] = answer
    end
  end
  if not look then
    for _, key in ipairs(keys) do
      close(key)
    end
  end
  return table.concat(answers)
end

for _, group in ipairs(others) do
  answers[group[1]] = guarded(decideAll, unpack(group, 2))
end
return table.concat(answers)

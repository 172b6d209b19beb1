-- Decides requests by the rules of their limits. All keys and limits of a joint request grant at the same instant, or none does.
--
-- An answer of kind 2: number (4); 1 if allowed or 0 if denied, and 2 more while a key is blocked (1); by how much the remaining permits
-- fall with each (7); the wait, or if denied the retry-after (8); the time of the first key from which it counts (7); length of the
-- handle (2), handle; if blocked, the time until the block ends (8); and the status of each limit of each key: its remaining permits (0
-- while the key is blocked), the wait until this limit alone allows the request (0 if allowed), and its reset-after (8 each). A time of
-- -1 is never, a remaining of -1 has no bound.

-- Calls a function for each limit of each key: with the key, its position, and the state of the limit.
local function eachLimit(target, visit)
  for i, key in ipairs(target.keys) do
    for _, m in ipairs(key.memories) do
      visit(key, i, m)
    end
  end
end

-- Returns the least wait after which a request fits all limits of all keys: each limit in turn moves it to its next fit, until all agree. If
-- the search is exhausted, no shorter wait fits.
local function earliest(target, permits)
  local wait, agreed = target.block, 0 -- limits in a row that fit at this wait
  searches = 0
  repeat
    for i, key in ipairs(target.keys) do
      for _, m in ipairs(key.memories) do
        local fit = m.rules.earliest(m, wait, permits[i])
        agreed, wait, searches = fit == wait and agreed + 1 or 1, fit, searches + 1
        if agreed == target.size or wait == NEVER then return wait end
      end
    end
    exhausted = exhausted or searches >= max(MAX_SEARCHES, 2 * target.size)
  until exhausted
  return wait
end

local function canGrant(target, wait, permits)
  local can = true
  eachLimit(target, function(_, i, m)
    can = can and m.rules.canGrant(m, wait, permits[i])
  end)
  return can
end

-- Returns the handle.
local function grant(target, wait, permits)
  local handles = {}
  eachLimit(target, function(_, i, m)
    handles[#handles + 1] = m.rules.grant(m, wait, permits[i])
  end)
  return table.concat(handles)
end

-- Returns the retry-after of a request that was denied although its wait is short enough.
local function retryAfter(target, wait, permits)
  local retry = target.block
  eachLimit(target, function(_, i, m)
    local own = m.rules.retryAfter and m.rules.retryAfter(m, wait, permits[i])
    retry = max(retry, own or m.rules.canGrant(m, wait, permits[i]) and 0 or wait)
  end)
  return retry
end

-- Records a denied request where attempts count. Returns whether it did.
local function recordDenied(target, permits)
  local recorded = false
  eachLimit(target, function(_, i, m)
    recorded = m.rules.recordDenied and m.rules.recordDenied(m, permits[i]) or recorded
  end)
  return recorded
end

-- Returns a number in its packed form: -1 if it is infinite.
local function finite(number) return number == NEVER and -1 or checked(number) end

-- Packs the answer to a number of requests.
local function answer(target, count, wait, handle, permits, allowed)
  local lag, block, waits = target.lag, target.block, wait == 0 and allowed and 0 or finite(wait + target.lag)
  local now = target.keys[1].now - (allowed and wait == 0 and 0 or lag)
  local parts = { encode(ANSWER, 2, count, (allowed and 1 or 0) + (block > 0 and 2 or 0), 0, waits, now, #handle), handle }
  parts[3] = block > 0 and encode('>i8', block + lag) or ''
  eachLimit(target, function(key, i, m)
    local blocked = blockedFor(key)
    local retry = allowed and 0 or m.rules.earliest(m, blocked, permits[i])
    parts[#parts + 1] = encode(STATUS, blocked > 0 and 0 or finite(m.rules.remaining(m)), retry == 0 and 0 or finite(retry + lag),
      finite(m.rules.resetAfter(m) + lag))
  end)
  return table.concat(parts)
end

-- Decides the first of a number of equal requests, and those after it that are sure to have the same answer. Returns how many that
-- were, and the answer.
local function decide(target, count, maxWait, permits)
  steps, moves, exhausted = 0, 0, false
  local wait = earliest(target, permits)
  local inTime = wait == 0 or not exhausted and wait <= maxWait -- a request that may wait has no lag
  if inTime and canGrant(target, wait, permits) then
    local handle = not peek and grant(target, wait, permits) or ''
    return 1, answer(target, 1, wait, handle, permits, true)
  end
  wait = inTime and retryAfter(target, wait, permits) or wait
  if not peek and recordDenied(target, permits) then
    count, wait = 1, earliest(target, permits)
  end
  return count, answer(target, count, wait, '', permits, false)
end

-- Decides what is left of a group with the keys from `keyNumber` on, under the limits of each: requests packed from a place on, of which
-- a number are done. Returns the answers, after those to the requests that are done.
local function decideRest(keyNumber, lists, at, kinds, done, before)
  local answers, keyCount, exact, format = { before }, #lists, #lists > 1, '>I4I7' .. string.rep('I7', #lists)
  for n = 0, kinds - 1 do
    exact = exact or decode('>I7', groups, at + 4 + n * (11 + 7 * keyCount)) > 0 -- may wait
  end
  local target = work < MAX_WORK and openKeys(keyNumber, lists, exact)
  for _ = 1, kinds do
    local permits = { decode(format, groups, at) }
    local count, maxWait = table.remove(permits, 1), table.remove(permits, 1)
    at, count, done = at + 11 + 7 * keyCount, count - done, 0
    while count > 0 do
      local decided = count
      if target and (#answers == 0 or work < MAX_WORK) then
        decided, answers[#answers + 1] = decide(target, count, maxWait, permits)
        work = work + target.size + searches / target.size + 8 * steps
      else
        answers[#answers + 1] = encode('>BI4', 8, count)
      end
      count = count - decided
    end
  end
  if target and not peek then
    for _, key in ipairs(target.keys) do
      saveChanged(key)
    end
  end
  return table.concat(answers)
end

-- Joint requests, and keys with more than the state of one limit. All keys and limits grant at the same instant, or none does.
--
-- An answer of kind 2: number (4); 1 if allowed, 0 if denied, 2 if denied while blocked (1); key and limit that are most restrictive
-- (2 each); remaining after the first, by how much it falls with each, wait, retry-after, reset-after, the time of the first key from
-- which the wait counts (8 each); length of the handle (2), handle; if blocked, the time until the block ends (8); with several
-- limits or keys, the status of each limit of each key: its remaining permits, the wait until this limit alone allows the request,
-- without blocks (0 if allowed), and its reset-after (8 each). A time of -1 is never, a remaining of -1 has no bound.
joint = {}

-- Calls a function for each limit of each key: with the key, its position, the state of the limit, and its position.
local function eachLimit(target, visit)
  for i, key in ipairs(target.keys) do
    for n, m in ipairs(key.memories) do
      visit(key, i, m, n)
    end
  end
end

-- Returns the least wait after which permits fit all limits of a key.
local function earliestOf(target, key, from, permits)
  local wait = max(from, blockedFor(key))
  repeat
    local before = wait
    for _, m in ipairs(key.memories) do
      wait = wait < NEVER and m.rules.earliest(m, wait, permits) or NEVER
    end
    rounds = rounds + 1
    exhausted = exhausted or rounds >= MAX_STEPS * #target.keys
  until wait == before or wait == NEVER or #key.memories == 1 or exhausted
  return wait
end

function joint.earliest(target, from, permits)
  local wait = from
  repeat
    local before = wait
    for i, key in ipairs(target.keys) do
      wait = wait < NEVER and earliestOf(target, key, wait, permits[i]) or NEVER
    end
  until wait == before or wait == NEVER or #target.keys == 1 or exhausted
  return wait
end

function joint.canGrant(target, wait, permits)
  local can = wait == 0 or not exhausted
  eachLimit(target, function(_, i, m)
    can = can and m.rules.canGrant(m, wait, permits[i])
  end)
  return can
end

function joint.grant(target, wait, permits)
  local handles = {}
  eachLimit(target, function(key, i, m)
    handles[#handles + 1] = m.rules.grant(m, wait, permits[i])
    key.changed = key.changed or not m.stateless
  end)
  return table.concat(handles)
end

-- Returns the retry-after of a request that was denied although its wait is short enough.
function joint.retryAfter(target, wait, permits)
  local retry = exhausted and wait or 0
  for _, key in ipairs(target.keys) do
    retry = max(retry, blockedFor(key))
  end
  eachLimit(target, function(_, i, m)
    local rules = m.rules
    if rules.retryAfter then
      retry = max(retry, rules.retryAfter(m, wait, permits[i]))
    elseif not rules.canGrant(m, wait, permits[i]) then
      retry = max(retry, wait)
    end
  end)
  return retry
end

function joint.recordDenied(target, permits)
  local recorded = false
  eachLimit(target, function(key, i, m)
    if m.rules.recordDenied and m.rules.recordDenied(m, permits[i]) then
      recorded, key.changed = true, true
    end
  end)
  return recorded
end

-- Returns the key and the limit with the fewest remaining permits, and how many remain: none if a key is blocked.
local function tightest(target)
  local key, limit, least, remaining = 1, 1, NEVER, NEVER
  eachLimit(target, function(_, i, m, n)
    local here = m.rules.remaining(m)
    if here < least then
      key, limit, least = i, n, here
    end
  end)
  remaining = least
  for _, each in ipairs(target.keys) do
    remaining = blockedFor(each) > 0 and 0 or remaining
  end
  return key, limit, remaining
end

-- Returns the limit with the latest fit, of the key with the latest fit.
local function latest(target, permits)
  local at, latestWait = 1, -1
  for i, key in ipairs(target.keys) do
    local wait = earliestOf(target, key, 0, permits[i])
    if wait > latestWait then
      at, latestWait = i, wait
    end
  end
  local limit, limitWait = 1, -1
  for n, m in ipairs(target.keys[at].memories) do
    local wait = m.rules.earliest(m, 0, permits[at])
    if wait > limitWait then
      limit, limitWait = n, wait
    end
  end
  return at, limit
end

-- Returns a number in its packed form: -1 if it is infinite.
local function finite(number) return number == NEVER and -1 or checked(number) end

-- Packs the status of each limit.
local function statuses(target, allowed, permits)
  local packed = {}
  eachLimit(target, function(_, i, m)
    local retry = allowed and 0 or m.rules.earliest(m, 0, permits[i])
    packed[#packed + 1] = encode('>i8i8i8', finite(m.rules.remaining(m)), retry == 0 and 0 or finite(retry + target.lag),
      finite(m.rules.resetAfter(m) + target.lag))
  end)
  return table.concat(packed)
end

function joint.answer(_, target, count, allowed, wait, handle, permits)
  local keys, lag, block = target.keys, target.lag, 0
  for _, key in ipairs(keys) do
    block = allowed and 0 or max(block, blockedFor(key))
  end
  local key, limit, remaining = tightest(target)
  if not allowed then
    key, limit = latest(target, permits)
  end
  local m = keys[key].memories[limit]
  local reset, waits = finite(m.rules.resetAfter(m) + lag), wait == 0 and allowed and 0 or finite(wait + lag)
  local now = keys[1].now - (allowed and wait == 0 and 0 or lag)
  local packed = encode('>BI4BI2I2i8i8i8i8i8i8I2', 2, count, allowed and 1 or block > 0 and 2 or 0, key, limit, finite(remaining),
    0, allowed and waits or 0, allowed and 0 or waits, reset, now, #handle) .. handle
  if block > 0 then
    packed = packed .. encode('>i8', block + lag)
  end
  if #keys > 1 or #keys[1].memories > 1 or always then
    packed = packed .. statuses(target, allowed, permits)
  end
  return packed
end

-- Decides the joint requests of a group, on a number of keys from the claim-th on. Returns their answers.
function joint.decideAll(claim, claims, at, kinds, done)
  local target = openKeys(claim, claims, claim)
  local answers = decideAll(joint, target, claims, at, kinds, done)
  for _, key in ipairs(target.keys) do
    for _, m in ipairs(key.memories) do
      key.changed = key.changed or m.changed
    end
    if key.changed and not look then
      saveKey(key)
    end
  end
  return answers
end

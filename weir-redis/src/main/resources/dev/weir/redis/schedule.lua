-- The rules of GCRA, token and leaky buckets.

-- Adopts the state of another limit: the debt stays as it is.
local function adopt(m)
  local rate = m.limit.permits
  local scaled = m.fraction * rate
  m.changes, m.changed = (m.changes + 1) % 2 ^ 24, true
  m.fraction = min(rate, ceil(scaled / m.rate) + (scaled < MOST and 0 or 1))
  if m.fraction == rate then
    m.arrival, m.fraction = m.arrival + 1, 0
  end
end

-- Opens a state, see log.lua.
local function open(state, limit, now, _, changed)
  local m = scheduleAt(state, CREATED, #state + 1, limit, now)
  if changed or m.rate ~= limit.permits or m.burst ~= limit.burst then
    adopt(m)
  end
  return m
end

-- Sets the numbers of a limit under which a state was written.
local function restore(limit, section)
  local m = scheduleAt(section, CREATED, #section + 1, limit, 0)
  limit.permits, limit.burst = m.rate, m.burst
end

local function earliest(m, from, permits)
  if m.limit.flags == QUEUE then return permits <= m.limit.burst and max(from, untilPaid(m)) or NEVER end
  return max(from, untilRoomFor(m, permits))
end

-- Grants only at this limit's own earliest fit: a later start would block the limit for others until then.
local function canGrant(m, wait, permits)
  if m.limit.flags == QUEUE and untilRoomFor(m, permits) > 0 then return false end
  return wait == 0 or wait == earliest(m, 0, permits)
end

-- Returns when to retry a request that would have waited: when a full queue has room, unless it waits for another limit.
local function retryAfter(m, wait, permits)
  local full = m.limit.flags == QUEUE and wait == earliest(m, 0, permits) and untilRoomFor(m, permits) or 0
  return full > 0 and full or canGrant(m, wait, permits) and 0 or wait
end

-- Refunds permits, once only: the same arrival may come again.
local function refund(m, permits, first, created, changes, after, afterPart, before, beforePart, start, granted)
  if first and m.created == created and m.changes == changes and m.arrival == after and m.fraction == afterPart then
    m.arrival, m.fraction, m.changed = before, beforePart, true
    if permits < granted then
      owe(m, start, granted - permits)
    end
  end
end

-- Returns the permits that remain. Beyond 2^53, the least number of permits that cost as much as is owed is searched for.
local function remaining(m)
  local owed, part = debt(m)
  local burst, left = m.limit.burst, roughlyRemaining(m)
  if left then return left end
  local low, high = 0, burst
  while low < high do
    local middle = floor((low + high) / 2)
    local whole, rest = cost(m, middle)
    if whole > owed or whole == owed and rest >= part then high = middle else low = middle + 1 end
  end
  return burst - high
end

local function expiry(m) return m.arrival + (m.fraction > 0 and 1 or 0) end

local schedule = {
  open = open, restore = restore, earliest = earliest, canGrant = canGrant, retryAfter = retryAfter, grant = grantSchedule, refund = refund,
  remaining = remaining, resetAfter = untilPaid, expiry = expiry, packed = packedSchedule, handle = SCHEDULE_HANDLE,
}

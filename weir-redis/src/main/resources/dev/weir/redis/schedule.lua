-- GCRA, the token bucket and the leaky bucket: one instant with a fraction, the theoretical arrival time, at which all granted
-- permits are paid for. A permit costs window / permits of the limit; the debt may be that of `burst` permits.
--
-- The state is a section, see limit.lua: prefix, creation, last time, arrival, fraction in permits-ths of a microsecond, how often
-- the rate has changed (3), permits and burst of the limit (7 each). If the limit has the usual burst, and there is neither a
-- fraction nor a change, and only one request has been granted, it is cut short: after its creation, which is also its last time,
-- it has the distance to the arrival (4) and the permits of the limit (4).
local GCRA, SCHEDULE, SCHEDULE_HANDLE = 6, '>I7I7I7I7I3I7I7', '>I7I7I7I7I7I7I7I7' -- the whole state, a handle

local function usualBurst(limit, permits) return limit.kind == GCRA and 1 or permits end

-- Adopts the state of another limit: the debt stays as it is.
local function adopt(m, permits, burst)
  local rate = m.limit.permits
  if permits ~= rate or burst ~= m.limit.burst or m.changed then
    local scaled = m.fraction * rate
    m.changes, m.changed = (m.changes + 1) % 2 ^ 24, true
    m.fraction = min(rate, ceil(scaled / permits) + (scaled < 2 ^ 53 and 0 or 1))
    if m.fraction == rate then
      m.arrival, m.fraction = m.arrival + 1, 0
    end
  end
end

-- Opens a state, see log.lua.
local function open(state, limit, now, _, _, changed)
  local m = {
    limit = limit, now = now, created = now, last = now, arrival = now, fraction = 0, changes = 0, lag = 0,
    whole = floor(limit.window / limit.permits), rest = limit.window % limit.permits, changed = changed and true or false,
  }
  if state then
    local permits, burst
    if #state == CREATED + 14 then
      m.created, m.arrival, permits = decode('>I7I4I4', state, CREATED)
      m.last, m.arrival, burst = m.created, m.created + m.arrival, usualBurst(limit, permits)
    else
      m.created, m.last, m.arrival, m.fraction, m.changes, permits, burst = decode(SCHEDULE, state, CREATED)
    end
    if permits < 1 or m.fraction >= permits then damaged() end
    checked(m.arrival)
    adopt(m, permits, burst)
  end
  return m
end

-- Sets the numbers of a limit under which a state was written.
local function restore(limit, section)
  if #section == CREATED + 14 then
    limit.permits = decode('>I4', section, CREATED + 11)
    limit.burst = usualBurst(limit, limit.permits)
  else
    limit.permits, limit.burst = decode('>I7I7', section, CREATED + 31)
  end
end

-- Returns what permits cost: microseconds, and a fraction. The products stay below 2^53, because limits are checked.
local function cost(m, permits)
  local rate, part = m.limit.permits, permits * m.rest
  return permits * m.whole + floor(part / rate), part % rate
end

-- Returns what is owed now.
local function debt(m)
  if m.arrival < m.now then return 0, 0 end
  return m.arrival - m.now, m.fraction
end

-- Returns the wait until the debt leaves room for permits.
local function untilRoomFor(m, permits)
  if permits > m.limit.burst then return NEVER end
  local owed, part = debt(m)
  local most, mostPart = cost(m, m.limit.burst - permits)
  return max(0, owed - most + (part > mostPart and 1 or 0))
end

local function untilPaid(m)
  local owed, part = debt(m)
  return owed + (part > 0 and 1 or 0)
end

local function owe(m, start, permits)
  if m.arrival < start then
    m.arrival, m.fraction = start, 0
  end
  local more, part = cost(m, permits)
  m.arrival, m.fraction = m.arrival + more, m.fraction + part
  if m.fraction >= m.limit.permits then
    m.arrival, m.fraction = m.arrival + 1, m.fraction - m.limit.permits
  end
end

local function earliest(m, from, permits)
  if m.limit.flags == QUEUE then return permits <= m.limit.burst and max(from, untilPaid(m)) or NEVER end
  return max(from, untilRoomFor(m, permits))
end

-- Grants only at this limit's own earliest fit: a later start would block the limit for others meanwhile.
local function canGrant(m, wait, permits)
  if m.limit.flags == QUEUE and untilRoomFor(m, permits) > 0 then return false end
  return wait == 0 or wait == earliest(m, 0, permits)
end

-- Returns when to retry a request that would have waited: when a full queue has room.
local function retryAfter(m, wait, permits)
  local full = m.limit.flags == QUEUE and untilRoomFor(m, permits) or 0
  return full > 0 and full or canGrant(m, wait, permits) and 0 or wait
end

-- The handle has the state before and after, so that only the newest grant is refunded.
local function grant(m, wait, permits)
  local arrival, fraction = m.arrival, m.fraction
  local start = m.limit.flags == QUEUE and m.now or m.now + wait
  owe(m, start, permits)
  m.changed = true
  return encode(SCHEDULE_HANDLE, m.created, m.changes, m.arrival, m.fraction, arrival, fraction, start, permits)
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

-- Returns burst - ceil(debt / cost of one). Beyond 2^53, the least number of permits that cost as much as is owed is estimated and
-- corrected.
local function remaining(m)
  local owed, part = debt(m)
  local burst, debts = m.limit.burst, owed * m.limit.permits + part
  if debts < 2 ^ 53 then return max(0, burst - ceil(debts / m.limit.window)) end
  local function covers(permits)
    local whole, rest = cost(m, permits)
    return whole > owed or whole == owed and rest >= part
  end
  if not covers(burst) then return 0 end
  local estimate = min(burst, floor(owed * (m.limit.permits / m.limit.window)))
  while estimate > 0 and covers(estimate - 1) do
    estimate = estimate - 1
  end
  while not covers(estimate) do
    estimate = estimate + 1
  end
  return burst - estimate
end

local function expiry(m) return m.arrival + (m.fraction > 0 and 1 or 0) end

-- Returns the state.
local function section(m)
  local limit, ahead = m.limit, m.arrival - m.now
  if m.created == m.now and m.fraction == 0 and m.changes == 0 and limit.burst == usualBurst(limit, limit.permits)
    and ahead >= 0 and ahead < 2 ^ 32 and limit.permits < 2 ^ 32 then
    return limit.prefix .. encode('>I7I4I4', m.created, ahead, limit.permits)
  end
  return limit.prefix .. encode(SCHEDULE, m.created, m.now, m.arrival, m.fraction, m.changes, limit.permits, limit.burst)
end

local schedule = {
  open = open, restore = restore, earliest = earliest, canGrant = canGrant, retryAfter = retryAfter, grant = grant, refund = refund,
  remaining = remaining, resetAfter = untilPaid, expiry = expiry, section = section, handle = SCHEDULE_HANDLE,
}

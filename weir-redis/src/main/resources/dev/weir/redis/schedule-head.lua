-- GCRA, the token bucket and the leaky bucket: one instant with a fraction, the theoretical arrival time, at which all granted
-- permits are paid for. A permit costs window / permits of the limit; the debt may be that of `burst` permits.
--
-- The state is a section, see limit.lua, with the arrival, the fraction in permits-ths of a microsecond (7 each), how often the rate has
-- changed (3), permits and burst of the limit (7 each).
local SCHEDULE = '>I7I7I3I7I7I7' -- a state behind its expiry
local SCHEDULE_HANDLE = '>I7I7I7I7I7I7I7I7'

-- Reads a state, between two places of a string; if the second is not behind the first, there is none.
local function scheduleAt(state, at, behind, limit, now)
  local m = {
    limit = limit, now = now, created = now, last = now, expires = 0, arrival = now, fraction = 0, changes = 0,
    rate = limit.permits, burst = limit.burst, changed = false,
    whole = (limit.window - limit.window % limit.permits) / limit.permits, rest = limit.window % limit.permits,
  }
  if behind > at then
    m.created, m.expires = decode('>I7I7', state, at)
    m.arrival, m.fraction, m.changes, m.rate, m.burst, m.last = decode(SCHEDULE, state, at + 14)
  end
  if m.fraction >= m.rate then error('WEIR state is damaged') end
  return m
end

-- Returns what permits cost: microseconds, and a fraction. The products stay below 2^53, because limits are checked.
local function cost(m, permits)
  local rate, part = m.limit.permits, permits * m.rest
  local fraction = part % rate
  return permits * m.whole + (part - fraction) / rate, fraction
end

-- Returns what is owed now.
local function debt(m)
  if m.arrival < m.now then return 0, 0 end
  return m.arrival - m.now, m.fraction
end

local function untilPaid(m)
  local owed, part = debt(m)
  return owed + (part > 0 and 1 or 0)
end

-- Returns the wait until the debt leaves room for permits.
local function untilRoomFor(m, permits)
  if permits > m.limit.burst then return NEVER end
  local owed, part = debt(m)
  local most, mostPart = cost(m, m.limit.burst - permits)
  local wait = owed - most + (part > mostPart and 1 or 0)
  return wait > 0 and wait or 0
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

-- Grants permits. The handle has the state before and after, so that only the newest grant is refunded.
local function grantSchedule(m, wait, permits)
  local arrival, fraction = m.arrival, m.fraction
  local start = m.limit.flags == QUEUE and m.now or m.now + wait
  owe(m, start, permits)
  m.changed = true
  return encode(SCHEDULE_HANDLE, m.created, m.changes, m.arrival, m.fraction, arrival, fraction, start, permits)
end

-- Returns burst - ceil(debt / cost of one); nil if the numbers are too large for that.
local function roughlyRemaining(m)
  local owed, part = debt(m)
  local debts, window = owed * m.limit.permits + part, m.limit.window
  local left = m.limit.burst - (debts + -debts % window) / window
  return debts < MOST and (left > 0 and left or 0) or nil
end

-- Returns the state behind its expiry.
local function packedSchedule(m) return encode(SCHEDULE, m.arrival, m.fraction, m.changes, m.limit.permits, m.limit.burst, m.now) end

-- The straight path, see straight.lua: a state that needs no change of its limit.
local function scheduleStraight(limit, state, at, behind, permits, count, peek)
  local m = scheduleAt(state, at, behind, limit, time)
  local wait, left = untilRoomFor(m, permits), roughlyRemaining(m)
  local queued = limit.flags == QUEUE and untilPaid(m) > 0
  if m.last > time or m.rate ~= limit.permits or m.burst ~= limit.burst or queued or not left then return end
  if wait > 0 then return count, wait, left, untilPaid(m) end
  if peek then return 1, 0, left, untilPaid(m), '' end
  local handle = grantSchedule(m, 0, permits)
  left = roughlyRemaining(m)
  if not left then return end
  local reset = untilPaid(m)
  local millis = renewal(m, reset, 2 * limit.burst * (m.whole + 1))
  local changed = packedSchedule(m)
  if millis then changed = encode('>I7I7', m.created, m.expires) .. changed end
  return 1, 0, left, reset, handle, changed, at == CREATED and BEFORE_END or at + 13, millis
end

-- GCRA, the token bucket and the leaky bucket: one instant with a fraction, the theoretical arrival time. A permit costs
-- window / rate; what is owed may be so many permits' worth.
--
-- m: arrival and fraction (in rate-ths), and how often the rate has changed.
local schedule = { PLACE = '>I7I7I7I7I7I7I7' }

-- The burst of whoever says nothing.
local function usual(limit)
  return limit.kind == GCRA and 1 or limit.permits
end

-- What permits cost: whole units, and a fraction. The products stay below 2^53, see the limits that are taken.
local function cost(m, permits)
  local rate, window = m.limit.permits, m.limit.window
  local rest = permits * (window % rate)
  return permits * math.floor(window / rate) + math.floor(rest / rate), rest % rate
end

local function debt(m, now)
  if m.arrival < now then
    return 0, 0
  end
  return m.arrival - now, m.fraction
end

local function untilOwed(m, now, permits)
  if permits > m.limit.burst then
    return NEVER
  end
  local owed, part = debt(m, now)
  local most, mostPart = cost(m, m.limit.burst - permits)
  return math.max(0, owed - most + (part > mostPart and 1 or 0))
end

local function untilPaid(m, now)
  local owed, part = debt(m, now)
  return owed + (part > 0 and 1 or 0)
end

local function owe(m, instant, permits)
  if m.arrival < instant then
    m.arrival, m.fraction = instant, 0
  end
  local more, part = cost(m, permits)
  m.arrival, m.fraction = m.arrival + more, m.fraction + part
  if m.fraction >= m.limit.permits then
    m.arrival, m.fraction = m.arrival + 1, m.fraction - m.limit.permits
  end
end

function schedule.earliest(m, now, from, permits)
  if m.limit.queue then
    return permits <= m.limit.burst and math.max(from, untilPaid(m, now)) or NEVER
  end
  return math.max(from, untilOwed(m, now, permits))
end

-- Books only at this limit's own fit: a place later than that would block the limit for others meanwhile.
function schedule.canBook(m, now, wait, permits)
  if m.limit.queue and untilOwed(m, now, permits) > 0 then
    return false
  end
  return wait == 0 or wait == schedule.earliest(m, now, 0, permits)
end

-- A handle is found as long as the arrival is what the booking made of it.
function schedule.book(m, now, wait, permits)
  local arrival, fraction = m.arrival, m.fraction
  local instant = m.limit.queue and now or now + wait
  owe(m, instant, permits)
  return struct.pack(schedule.PLACE, m.changes, m.arrival, m.fraction, arrival, fraction, instant, permits)
end

-- Once only: the same arrival may come again.
function schedule.giveBack(m, permits, first, changes, after, afterPart, before, beforePart, instant, booked)
  if first and m.changes == changes and m.arrival == after and m.fraction == afterPart then
    m.arrival, m.fraction = before, beforePart
    if permits < booked then
      owe(m, instant, booked - permits)
    end
  end
end

function schedule.takesFromWhatRemains()
  return false -- and reset changes too
end

function schedule.denied()
  return false
end

function schedule.retry(m, now, wait, permits)
  if m.limit.queue then
    local full = untilOwed(m, now, permits)
    if full > 0 then
      return full
    end
  end
  return schedule.canBook(m, now, wait, permits) and 0 or wait
end

-- burst - ceil(owed / cost of one): the least number of permits that cost as much as is owed, guessed and put right.
function schedule.remaining(m, now)
  local owed, part = debt(m, now)
  local burst = m.limit.burst
  local function covers(permits)
    local whole, rest = cost(m, permits)
    return whole > owed or (whole == owed and rest >= part)
  end
  if not covers(burst) then
    return 0
  end
  local guess = math.min(burst, math.max(0, math.floor(owed * (m.limit.permits / m.limit.window))))
  while guess > 0 and covers(guess - 1) do
    guess = guess - 1
  end
  while not covers(guess) do
    guess = guess + 1
  end
  return burst - guess
end

schedule.resetAfter = untilPaid

function schedule.expires(m)
  return m.arrival + (m.fraction > 0 and 1 or 0)
end

function schedule.clockStepped() end

-- In the state: the window, the rate, the arrival counted from base, and unless all are what they mostly are the burst, the
-- fraction and the changes.
function schedule.pack(m, base)
  local limit = m.limit
  if limit.burst == usual(limit) and m.fraction == 0 and m.changes == 0 then
    return { limit.window, limit.permits, m.arrival - base }
  end
  return { limit.window, limit.permits, m.arrival - base, limit.burst, m.fraction, m.changes }
end

function schedule.unpack(m, packed, base, now)
  m.arrival, m.fraction, m.changes = now, 0, 0
  if not packed then
    return
  end
  local before, burst = packed[2], packed[4] or usual({ kind = m.limit.kind, permits = packed[2] })
  m.arrival, m.fraction, m.changes = packed[3] + base, packed[5] or 0, packed[6] or 0
  local rate = m.limit.permits
  if packed[1] ~= m.limit.window or before ~= rate or burst ~= m.limit.burst then
    m.changes = m.changes + 1
    local scaled = m.fraction * rate
    m.fraction = math.min(rate, math.ceil(scaled / before) + (scaled < 2 ^ 53 and 0 or 1))
    if m.fraction == rate then
      m.arrival, m.fraction = m.arrival + 1, 0
    end
    m.changed = true
  end
end

function schedule.limitOf(packed, kind)
  local limit = { kind = kind, window = packed[1], permits = packed[2] }
  limit.burst = packed[4] or usual(limit)
  limit.queue = kind == LEAKY_BUCKET
  return limit
end

-- A log of what was booked: what the sliding log and the sliding window share. They differ in the stamp that a booking gets.
-- The weight counted at an instant e is S(e): the runs with e - window < stamp <= visible(e). Permits fit at z if S(z) has
-- room for them, and S(f) has for every stamp f with z < f < z + window.
--
-- m: its runs, and
--   edge     the latest stamp that a booking at once got: up to it all counts, what is newer is pending
--   total    the weight of all runs but the expired ones
--   widest   the widest window that the runs may have to serve
--   expired  the oldest runs that the present window counts no more
local log = { PLACE = '>I7' }

-- The end of the tick in which an instant lies: the instant itself, if it lies on one.
local function tickEnd(m, instant)
  return instant + (-instant % m.limit.tick)
end

-- The stamp of permits that go at once.
local function stamp(m, now)
  return m.rule.stamp(m, now)
end

-- The stamp of permits that wait until then.
local function stampOfWaiter(m, instant)
  return m.rule.stampOfWaiter(m, instant)
end

-- The latest stamp that is counted at an instant.
local function visible(m, instant)
  return m.rule.visible(m, instant)
end

local function leavesAfter(m, at, now)
  return at - now + m.limit.window
end

-- Once a call is enough: its time stands still.
local function prune(m, now)
  local window = m.limit.window
  if m.pruned == window then
    return
  end
  m.pruned = window
  local size = runs.size(m)
  while m.expired < size do
    local at, weight = runs.get(m, m.expired)
    if now - at < window then
      break
    end
    m.total = m.total - weight
    if m.widest == window and m.expired == 0 then
      runs.drop(m, 0)
      size = runs.size(m)
    else
      m.expired = m.expired + 1
    end
  end
  while m.expired > 0 and now - runs.get(m, 0) >= m.widest do
    runs.drop(m, 0)
    m.expired = math.min(m.expired - 1, runs.size(m))
  end
  if runs.size(m) == 0 then
    m.edge, m.total, m.expired = now, 0, 0
  end
end

local function hasPending(m, now)
  if m.tail == '' then
    return false
  end
  local newest = runs.newest(m)
  return newest > m.edge and newest > visible(m, now)
end

local function settled(m, now)
  return runs.upTo(m, math.max(m.edge, visible(m, now)))
end

-- Walks S(e) over rising instants e.
local function cursor(m)
  local left, right, weight, size = 0, 0, 0, runs.size(m)
  return function(instant)
    local seen = visible(m, instant)
    if instant <= m.edge then
      seen = math.max(m.edge, seen)
    end
    while right < size do
      local at, there = runs.get(m, right)
      if at > seen then
        break
      end
      weight, right = weight + there, right + 1
    end
    while left < right do
      local at, there = runs.get(m, left)
      if at > instant - m.limit.window then
        break
      end
      weight, left = weight - there, left + 1
    end
    return weight
  end
end

-- The least instant, from or later, at which there is room besides so many permits everywhere.
local function sweep(m, from, room)
  local here, ahead = cursor(m), cursor(m)
  local checked, leaving, size, window = 0, 0, runs.size(m), m.limit.window
  local at = from
  while true do
    local fits = here(at) <= room
    while fits and checked < size do
      local later = runs.get(m, checked)
      if later > at and later - at >= window then
        break
      end
      if later > at and ahead(later) > room then
        fits, at = false, later
      end
      checked = checked + 1
    end
    if fits then
      return at
    end
    while runs.get(m, leaving) + window <= at do
      leaving = leaving + 1
    end
    at = runs.get(m, leaving) + window
  end
end

-- The most that is counted at any instant that a booking now would still count at.
local function peak(m, now)
  local weightAt = cursor(m)
  local most = weightAt(now)
  for i = runs.upTo(m, now), runs.size(m) - 1 do
    local at = runs.get(m, i)
    if at - now >= m.limit.window then
      break
    end
    most = math.max(most, weightAt(at))
  end
  return most
end

function log.earliest(m, now, from, permits)
  local room = m.limit.permits - permits
  if room < 0 then
    return NEVER
  end
  prune(m, now)
  if hasPending(m, now) then
    return sweep(m, now + from, room) - now
  end
  local excess, wait, i = m.total - room, 0, m.expired
  while excess > 0 do
    local at, weight = runs.get(m, i)
    excess, i = excess - weight, i + 1
    wait = leavesAfter(m, at, now)
  end
  return math.max(from, wait)
end

-- Whether each booking now leaves so many permits fewer to be had.
function log.takesFromWhatRemains(m, now)
  return not (m.limit.classic and hasPending(m, now))
end

function log.canBook(m, now, wait, permits)
  if wait == 0 then
    return true
  end
  return not m.limit.attempts and m.total + permits + m.limit.permits <= 2 ^ 53
    and (runs.size(m) - settled(m, now) < MAX_PENDING or runs.find(m, stampOfWaiter(m, now + wait)) >= 0)
end

-- Merges what is in the past into ticks; its handles find nothing any more.
local function mergeSettled(m, now)
  local all = {}
  for i = 0, runs.size(m) - 1 do
    local at, weight = runs.get(m, i)
    if at <= now then
      at = stamp(m, at)
      m.edge = math.max(m.edge, at)
    end
    local last = all[#all]
    if last and last[1] == at then
      last[2] = last[2] + weight
    elseif weight > 0 then
      all[#all + 1] = { at, weight }
    end
  end
  log.clear(m, now)
  table.sort(all, function(a, b) return a[1] < b[1] end)
  for _, run in ipairs(all) do
    runs.add(m, run[1], run[2])
    runs.seal(m, now)
  end
  log.rewindow(m, now)
end

-- Books, and answers with what the booking is found by: its stamp, or 0 if it cannot be given back.
function log.book(m, now, wait, permits)
  local at
  if wait == 0 then
    at = stamp(m, now)
    m.edge = math.max(m.edge, at)
  else
    at = stampOfWaiter(m, now + wait)
  end
  runs.add(m, at, permits)
  m.total = m.total + permits
  runs.seal(m, now)
  if wait > 0 and runs.size(m) > m.widest / m.limit.tick + 2 * MAX_PENDING then
    mergeSettled(m, now)
  end
  return struct.pack(log.PLACE, m.limit.attempts and 0 or at)
end

function log.giveBack(m, permits, _, place)
  local i = place > 0 and m.tail ~= '' and runs.find(m, place) or -1
  if i < 0 then
    return
  end
  local _, weight = runs.get(m, i)
  if weight < permits then
    return
  end
  local dropped = runs.take(m, i, permits)
  if i >= m.expired then
    m.total = m.total - permits
  elseif dropped then
    m.expired = m.expired - 1
  end
  m.expired = math.min(m.expired, runs.size(m))
end

-- Attempts: who is denied is logged all the same; the oldest go while the rest weigh enough to deny.
function log.denied(m, now, permits)
  if not m.limit.attempts or permits > m.limit.permits then
    return false
  end
  prune(m, now)
  log.book(m, now, 0, permits)
  local weight = m.total
  for i = settled(m, now), runs.size(m) - 1 do
    local _, there = runs.get(m, i)
    weight = weight - there
  end
  local _, oldest = runs.get(m, m.expired)
  while weight - oldest >= m.limit.permits do
    weight, m.total = weight - oldest, m.total - oldest
    runs.drop(m, m.expired)
    _, oldest = runs.get(m, m.expired)
  end
  return true
end

function log.remaining(m, now)
  prune(m, now)
  return math.max(0, m.limit.permits - (hasPending(m, now) and peak(m, now) or m.total))
end

function log.resetAfter(m, now)
  prune(m, now)
  if runs.size(m) == m.expired then
    return 0
  end
  return leavesAfter(m, runs.newest(m), now)
end

-- Until when there is something to remember.
function log.expires(m)
  return m.tail == '' and 0 or runs.newest(m) + m.widest
end

function log.clear(m, now)
  for n = m.from, m.to - 1 do
    m.blocks[n] = nil
    m.writes[string.format('%d:%.0f', m.slot, n)] = false
  end
  m.head, m.tail, m.from, m.to, m.width = '', '', m.to, m.to, 10
  m.edge, m.total, m.expired = now, 0, 0
end

-- Counts anew: what is still kept counts by this window at once.
function log.rewindow(m, now)
  m.widest = math.max(m.widest, m.limit.window)
  m.expired, m.total, m.pruned = 0, 0, nil
  for i = 0, runs.size(m) - 1 do
    local _, weight = runs.get(m, i)
    m.total = m.total + weight
  end
  prune(m, now)
end

function log.clockStepped(m)
  if m.tail ~= '' then
    m.edge = math.max(m.edge, runs.newest(m))
  end
end

-- In the state: the window; and then of one run its stamp and weight, of more all that there is. Instants count from base.
-- The slot tells the blocks of this log from those of the key's others.
function log.pack(m, base)
  local window = m.limit.window
  if m.tail == '' then
    return { window }
  end
  if m.head == '' and m.from == m.to and #m.tail == m.width and m.widest == window and m.expired == 0 then
    local at, weight = runs.get(m, 0)
    if at == m.edge then
      return { window, at - base, weight }
    end
  end
  return { window, m.edge - base, m.total, m.head, m.tail, m.from, m.to, m.widest, m.expired, m.slot, m.width }
end

function log.unpack(m, packed, base, now)
  m.head, m.tail, m.from, m.to, m.blocks, m.writes = '', '', 0, 0, {}, {}
  m.edge, m.total, m.widest, m.expired, m.width = now, 0, m.limit.window, 0, 10
  if not packed then
    return
  end
  m.widest = packed[1]
  if packed[4] then
    m.head, m.tail, m.from, m.to, m.widest, m.expired, m.slot, m.width = unpack(packed, 4)
    m.edge, m.total = packed[2] + base, packed[3]
    runs.findLost(m)
  elseif packed[2] then
    m.edge, m.total = packed[2] + base, packed[3]
    runs.add(m, m.edge, m.total)
  end
  if packed[1] ~= m.limit.window then
    local window = m.limit.window
    m.limit.window = packed[1]
    prune(m, now)
    m.limit.window = window
    log.rewindow(m, now)
    m.changed = true
  end
end

-- The limit as it was when this was packed, as far as a give-back has to know it.
function log.limitOf(packed)
  return { window = packed[1], tick = 1 }
end

-- The search for the earliest instant at which permits fit among pending reservations. Part of log-pending.lua.
--
-- S only decreases where a run expires, so the earliest fitting instant is the first requested one, or stamp + window of some run.
-- At each instant the search skips to the latest full stamp within a window, because nothing fits before it, and from there to the
-- next expiry that makes room.

-- Returns the latest full stamp between two instants: one with S > room; nil if there is none.
local function latestFull(m, from, to, room)
  local groups = groupsOf(m)
  for i = #groups - STRIDE + 1, 1, -STRIDE do
    if groups[i + TO] <= from then
      return nil
    elseif groups[i + FROM] < to and groups[i + HIGHEST] > room then
      local list, added = listOf(m, i), groups[i + ADDED]
      for j = #list - 2, 1, -3 do
        if list[j] > from and list[j] < to and list[j + 2] + added > room then return list[j] end
      end
    end
  end
end

-- Returns the least stamp at which P >= enough if runs of the past are among the pending ones, because the clock was set back.
local function reachedAmongPast(m, enough)
  local low, high = m.horizon, max(lastOf(groupsOf(m)), m.newest)
  while high - low > 1 do
    local middle = floor((low + high) / 2)
    if total(m, middle) >= enough then high = middle else low = middle end
  end
  steps, moves = steps + 20, moves + 20 -- each of some 30 instants is searched for
  return high
end

-- Returns the least stamp up to which the pending weight is at least that given; NEVER if all of it is less.
local function reachedPending(m, weight)
  if weight <= 0 then return 0 end
  local groups, sum = groupsOf(m), 0
  for i = 1, #groups, STRIDE do
    sum = sum + groups[i + WEIGHT]
    if sum >= weight then
      local list, j = listOf(m, i), -2
      sum = sum - groups[i + WEIGHT]
      while sum < weight do
        j = j + 3
        sum = sum + list[j + 1]
      end
      return list[j]
    end
  end
  return NEVER
end

-- Returns the least stamp, past or pending, at which P >= enough.
local function reached(m, enough)
  local groups = groupsOf(m)
  if #groups > 0 and m.closed >= groups[1 + FROM] then return reachedAmongPast(m, enough) end
  if enough <= m.settled then return log.reached(m, enough) end
  local rest = enough - m.settled -- the newest run of the past is among the pending ones
  return min(reachedPending(m, rest), max(m.newest, reachedPending(m, rest - m.newestWeight)))
end

-- Returns the end of the groups, from an instant on, that have no room at any stamp and no gap between them.
local function behindFullGroups(m, instant, room)
  local groups = groupsOf(m)
  for i = 1, #groups, STRIDE do
    if groups[i + TO] > instant then
      local gap = max(groups[i + GAP], groups[i + FROM] - instant + 1)
      if groups[i + LOWEST] <= room or gap > m.limit.window or groups[i + FROM] <= m.edge then
        break
      end
      instant = groups[i + TO]
    end
  end
  return instant
end

-- Stores that permits that leave this room fit at no instant t with from <= t < to.
local function remember(m, room, from, to)
  local r = m.rare
  local extends = from <= r.fullUntil and r.fullFrom <= from and r.fullRoom == room
  if to > from and to < NEVER and (r.fullUntil <= m.now or room >= r.fullRoom) and not (extends and to == r.fullUntil) then
    r.fullFrom = extends and r.fullFrom or from
    r.fullRoom, r.fullUntil, m.changed = room, to, true
  end
end

-- Returns the shortest wait, at least `from`, after which permits fit. A search stops after MAX_STEPS moves: then `exhausted` is set,
-- no request may wait, and the returned wait is a lower bound.
function log.search(m, from, weight)
  local r, room = m.rare, m.limit.permits - weight
  if m.settled + m.newestWeight + r.waiting + m.limit.permits > MOST then
    return max(from, log.finalStamp(m) + r.widest - m.now) -- P would be too large
  end
  local start = m.now + from
  local isFull = room <= r.fullRoom and r.fullFrom <= start and start < r.fullUntil
  local z = isFull and r.fullUntil or start
  repeat
    local before = z
    z = behindFullGroups(m, z, room)
    local full = latestFull(m, max(z, m.edge), z + m.limit.window, room)
    if full then
      z = full
    else
      local here = totalSeen(m, z)
      if here - total(m, z - m.limit.window) > room then
        z = reached(m, here - room) + m.limit.window
      end
    end
    steps, moves = steps + 1, moves + (z ~= before and 1 or 0)
    exhausted = exhausted or moves > MAX_STEPS
  until z == before or exhausted
  if from == 0 then
    remember(m, room, start, z)
  end
  return z - m.now
end

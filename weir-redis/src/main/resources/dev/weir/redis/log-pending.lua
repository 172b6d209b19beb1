-- The pending reservations of a log: future runs, and past runs that have not been moved to the past yet. Part of the family of logs;
-- defined with log-rare.lua.
--
-- They are in groups of at most GROUP, sorted by stamp. Field `q` of the hash has 8 numbers for each group: its number, the first
-- and the last stamp, the weight, the highest S at its stamps, what is to be added to the S that it has stored, the lowest S, and
-- the longest distance between two stamps. Field `q` and the number has the stamp, the weight and S of each reservation. A group
-- whose S must be counted again has endless ones: all of it is full.
--
-- S at a stamp does not change as time passes. A stamp f with S(f) + k > N is full for k permits: k permits fit at no instant
-- after f - window and before f. The full stretch is an interval at which permits that leave `fullRoom` or less fit nowhere, as a
-- search found, whatever N is.
local ID, FROM, TO, WEIGHT, HIGHEST, ADDED, LOWEST, GAP, STRIDE = 0, 1, 2, 3, 4, 5, 6, 7, 8
local GROUP, RECOUNTED = 48, 144 -- reservations in a group; the most that are counted again in a script, roughly
local recounted = 0

local function numbers(packed)
  local list = { decode('>' .. string.rep('d', #packed / 8), packed) }
  list[#list] = nil -- the position behind the last
  return list
end

local function packed(list) return encode('>' .. string.rep('d', #list), unpack(list)) end

-- Returns the groups.
local function groupsOf(m)
  local r = m.rare
  if not r.groups then
    r.groups, r.lists, r.dirty = m.pending > 0 and numbers(log.field(m, 'q')) or {}, {}, {}
    local sum = 0
    for i = 1, #r.groups, STRIDE do
      sum = sum + r.groups[i + WEIGHT]
    end
    if sum ~= r.waiting then damaged() end
  end
  return r.groups
end

-- Returns the last stamp, 0 if there is none.
local function lastOf(groups) return groups[#groups - STRIDE + 1 + TO] or 0 end

-- Returns the reservations of a group: stamp, weight and stored S of each.
local function listOf(m, i)
  local r = m.rare
  local id = r.groups[i + ID]
  if not r.lists[id] then
    local list, weight = numbers(log.field(m, 'q' .. id)), 0
    for j = 2, #list, 3 do weight = weight + list[j] end
    if list[1] ~= r.groups[i + FROM] or list[#list - 2] ~= r.groups[i + TO] or weight ~= r.groups[i + WEIGHT] then damaged() end
    r.lists[id] = list
  end
  return r.lists[id]
end

-- Updates the summary of a changed group.
local function summarize(m, i)
  local groups, list = m.rare.groups, listOf(m, i)
  local weight, highest, lowest, gap, added = 0, -NEVER, NEVER, 0, groups[i + ADDED]
  for j = 1, #list, 3 do
    local s = list[j + 2] + added -- endless if what is added is
    weight, highest, lowest = weight + list[j + 1], max(highest, s), min(lowest, s)
    gap = j > 1 and max(gap, list[j] - list[j - 3]) or 0
  end
  groups[i + FROM], groups[i + TO], groups[i + WEIGHT] = list[1], list[#list - 2], weight
  groups[i + HIGHEST], groups[i + LOWEST], groups[i + GAP] = highest, lowest, gap
  m.rare.touched, m.rare.dirty[groups[i + ID]] = true, true
end

-- Writes the groups.
function log.putGroups(m)
  local r = m.rare
  if not r.touched then return end
  for id in pairs(r.dirty) do
    log.put(m, 'q' .. id, packed(r.lists[id]))
  end
  log.put(m, 'q', #r.groups > 0 and packed(r.groups) or nil)
  r.latest = lastOf(r.groups)
end

-- Inserts a group before that at position i. The first group is counted under the present limit.
local function addGroup(m, i, list, added)
  local r, groups, id = m.rare, m.rare.groups, 0
  if #groups == 0 then
    r.tick, r.flags, r.fullUntil = m.limit.tick, m.limit.flags, 0
  end
  for n = 1, #groups, STRIDE do
    id = max(id, groups[n + ID])
  end
  for _ = 1, STRIDE do table.insert(groups, i, 0) end
  groups[i + ID], groups[i + ADDED], r.lists[id + 1] = id + 1, added, list
end

-- Keeps a group that has changed, or removes it if it is empty.
local function keepGroup(m, i)
  local r = m.rare
  if #listOf(m, i) > 0 then
    summarize(m, i)
    return
  end
  log.put(m, 'q' .. r.groups[i + ID], nil)
  r.touched, r.dirty[r.groups[i + ID]] = true, nil
  for n = i, #r.groups do r.groups[n] = r.groups[n + STRIDE] end
end

-- Returns the pending weight with a stamp at or before an instant.
local function pendingUpTo(m, instant)
  local groups, sum = groupsOf(m), 0
  if lastOf(groups) <= instant then return m.rare.waiting end
  for i = 1, #groups, STRIDE do
    if groups[i + FROM] > instant then
      break
    elseif groups[i + TO] <= instant then
      sum = sum + groups[i + WEIGHT]
    else
      local list, j = listOf(m, i), 1
      while list[j] <= instant do
        sum, j = sum + list[j + 1], j + 3
      end
      break
    end
  end
  return sum
end

local function visible(m, instant) return m.limit.flags == CLASSIC and instant or instant + (-instant % m.limit.tick) end

-- Returns P of the past and the pending runs.
local function total(m, instant)
  local x = max(instant, m.forgotten)
  return log.weightAt(m, x) + pendingUpTo(m, x)
end

local function totalSeen(m, instant) return total(m, max(visible(m, instant), m.edge)) end

-- Returns S(instant).
local function counted(m, instant) return totalSeen(m, instant) - total(m, instant - m.limit.window) end

-- Returns the largest weight in any window that a grant now would be in.
function log.peak(m)
  local groups, from, until_ = groupsOf(m), max(m.now, m.edge), m.now + m.limit.window
  local most = counted(m, m.now)
  for i = 1, #groups, STRIDE do
    local inside = groups[i + FROM] > from and groups[i + TO] < until_
    if inside then
      most = max(most, groups[i + HIGHEST])
    elseif groups[i + TO] > from and groups[i + FROM] < until_ and groups[i + HIGHEST] > most then
      local list, added = listOf(m, i), groups[i + ADDED]
      for j = 1, #list, 3 do
        if list[j] > from and list[j] < until_ then
          most = max(most, list[j + 2] + added)
        end
      end
    end
  end
  return most
end

-- Returns the stamp of the newest run that has weight, 0 if there is none.
function log.finalStamp(m)
  local r = m.rare
  return max(r.groups and lastOf(r.groups) or m.pending > 0 and r.latest or 0, newestOfPast(m))
end

-- Adds to S wherever weight at a stamp counts.
local function raise(m, stamp, weight)
  local groups, limit = groupsOf(m), m.limit
  local from = limit.flags == CLASSIC and stamp or visible(m, stamp) - limit.tick + 1
  local to = stamp + limit.window
  from = stamp <= m.edge and 0 or from
  for i = 1, #groups, STRIDE do
    if groups[i + FROM] >= from and groups[i + TO] < to then
      groups[i + HIGHEST], groups[i + ADDED] = groups[i + HIGHEST] + weight, groups[i + ADDED] + weight
      groups[i + LOWEST], m.rare.touched = groups[i + LOWEST] + weight, true
    elseif groups[i + TO] >= from and groups[i + FROM] < to then
      local list = listOf(m, i)
      for j = 1, #list, 3 do
        if list[j] >= from and list[j] < to then
          list[j + 2] = list[j + 2] + weight
        end
      end
      summarize(m, i)
    end
  end
end
log.raise = raise

-- Moves the second half of a group into a new one behind it.
local function split(m, i)
  local list, half, rest = listOf(m, i), 3 * GROUP / 2, {}
  for n = half + 1, #list do rest[n - half], list[n] = list[n], nil end
  addGroup(m, i + STRIDE, rest, m.rare.groups[i + ADDED])
  summarize(m, i + STRIDE)
end

-- Updates the summary of a group in which a reservation was inserted: the j-th number of its list. A weight s counts there.
local function inserted(m, i, j, s)
  local groups, list = m.rare.groups, listOf(m, i)
  local added, last = groups[i + ADDED], #list - 2
  list[j + 2] = added == NEVER and 0 or s - added
  if last > 3 * GROUP then split(m, i) end
  if j == 1 or j < last or last > 3 * GROUP then return summarize(m, i) end
  groups[i + TO], groups[i + WEIGHT], groups[i + GAP] = list[j], groups[i + WEIGHT] + list[j + 1], max(groups[i + GAP], list[j] - list[j - 3])
  s = list[j + 2] + added
  groups[i + HIGHEST], groups[i + LOWEST] = max(groups[i + HIGHEST], s), min(groups[i + LOWEST], s)
  m.rare.touched, m.rare.dirty[groups[i + ID]] = true, true
end

-- Adds a reservation.
local function insert(m, stamp, weight)
  local groups, r, s = groupsOf(m), m.rare, counted(m, stamp) + weight
  raise(m, stamp, weight)
  r.waiting = r.waiting + weight
  local i = max(1, #groups - STRIDE + 1)
  while i > 1 and groups[i + FROM] > stamp do i = i - STRIDE end
  local list = #groups > 0 and listOf(m, i) or {}
  local j = 1
  while list[j] and list[j] < stamp do j = j + 3 end
  if list[j] == stamp then
    list[j + 1] = list[j + 1] + weight
    return summarize(m, i)
  end
  if #groups == 0 or j > 3 * GROUP and i + STRIDE > #groups then
    i, list, j = #groups + 1, {}, 1
    addGroup(m, i, list, 0)
  end
  table.insert(list, j, 0)
  table.insert(list, j, weight)
  table.insert(list, j, stamp)
  m.pending = m.pending + 1
  inserted(m, i, j, s)
end

-- Grants at a stamp: after a wait, or at once while others wait. Runs are appended to the past if possible, else they are pending.
function log.grantAmongPending(m, stamp, weight, atOnce)
  local _, groups = m.rare or log.load(m), groupsOf(m)
  if atOnce then m.edge = max(m.edge, stamp) end
  local first = groups[1 + FROM] or NEVER
  if (atOnce or stamp <= m.now) and first > m.now and (stamp == m.newest or first > m.newest) then
    log.append(m, stamp, weight)
    raise(m, stamp, weight)
  else
    insert(m, stamp, weight)
  end
end

-- Returns the stamp of a reservation in the past: its own, or the end of its tick if there are more runs than a window has ticks. A
-- change to coarser ticks may leave it before the last run of the tail: then it is that of this run.
local function settled(m, stamp, weight)
  local r, rounded = m.rare, max(visible(m, stamp), m.closed)
  if stamp >= m.closed and (r.open - r.first) * RUNS + m.count <= r.widest / m.limit.tick + 2 * MAX_PENDING or rounded == stamp then
    return stamp
  end
  m.edge = max(m.edge, rounded)
  raise(m, rounded, weight)
  raise(m, stamp, -weight)
  return rounded
end

-- Moves reservations that are due to the past, a bounded number. Returns how many.
function log.mature(m, due, most)
  local groups, r, moved = groupsOf(m), m.rare, 0
  while m.pending > 0 and groups[1 + FROM] <= due and moved < most do
    local list, j = listOf(m, 1), 1
    while list[j] and list[j] <= due and moved < most do
      local stamp, weight = list[j], list[j + 1]
      if stamp >= m.closed or not log.insertPast(m, stamp, weight) then
        log.append(m, settled(m, stamp, weight), weight)
      end
      j, moved, m.pending, r.waiting = j + 3, moved + 1, m.pending - 1, r.waiting - weight
    end
    for n = 1, #list do list[n] = list[n + j - 1] end
    keepGroup(m, 1)
  end
  m.changed = m.changed or moved > 0
  return moved
end

-- Takes weight from a reservation. Returns whether it has as much.
function log.take(m, stamp, weight)
  local groups = groupsOf(m)
  for i = 1, #groups, STRIDE do
    local list = groups[i + FROM] <= stamp and stamp <= groups[i + TO] and listOf(m, i) or {}
    for j = 1, #list, 3 do
      if list[j] == stamp and list[j + 1] >= weight then
        list[j + 1], m.rare.waiting = list[j + 1] - weight, m.rare.waiting - weight
        if list[j + 1] == 0 then
          for _ = 1, 3 do table.remove(list, j) end
          m.pending = m.pending - 1
        end
        keepGroup(m, i)
        raise(m, stamp, -weight)
        return true
      end
    end
  end
  return false
end

-- Returns whether another reservation may wait.
function log.mayWait(m, wait, weight)
  local r = m.rare or log.load(m)
  local all = m.settled + m.newestWeight + r.waiting
  if all + weight + m.limit.permits > MOST then
    return false
  elseif m.pending < MAX_PENDING then
    return true
  end
  local seen, future, groups = max(visible(m, m.now), m.edge), m.pending, groupsOf(m)
  for i = 1, #groups, STRIDE do
    local list = groups[i + FROM] <= seen and listOf(m, i) or {}
    for j = 1, #list, 3 do
      future = future - (list[j] <= seen and 1 or 0)
    end
  end
  local stamp = m.now + wait
  return future < MAX_PENDING or pendingUpTo(m, stamp) > pendingUpTo(m, stamp - 1)
end

-- Marks all groups, so that S is counted again at their reservations.
function log.recountLater(m)
  local groups = groupsOf(m)
  for i = 1, #groups, STRIDE do
    groups[i + HIGHEST], groups[i + ADDED], groups[i + LOWEST] = NEVER, NEVER, NEVER
  end
end

-- Counts S again in a bounded number of groups that need it.
function log.recount(m)
  local groups = groupsOf(m)
  for i = 1, #groups, STRIDE do
    if groups[i + ADDED] == NEVER and recounted < RECOUNTED then
      local list = listOf(m, i)
      for j = 1, #list, 3 do
        list[j + 2] = counted(m, list[j])
      end
      groups[i + ADDED], recounted, m.rare.fullUntil = 0, recounted + #list / 3 + 4, 0
      summarize(m, i)
      m.changed = true
    end
  end
end

log.visible = visible

-- Returns the pending reservations, newest first, each as its stamp and its weight.
function log.pendingRuns(m)
  local groups, runs = groupsOf(m), {}
  for i = #groups - STRIDE + 1, 1, -STRIDE do
    local list = listOf(m, i)
    for j = #list - 2, 1, -3 do
      runs[#runs + 1], runs[#runs + 2] = list[j], list[j + 1]
    end
  end
  return runs
end

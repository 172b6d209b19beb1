-- The fixed window: windows as starts and counts, oldest first.
--
-- The state is a section, see limit.lua: prefix, creation, last time, twice the number of changes of the window and one more if the
-- first request opens a window (3), and for each window its start and its count (7 each). If there is one window, opened by the only
-- request, it is cut short: after the creation the count (7), and 1 if the first request opens a window (1).
local WINDOW_HANDLE = '>I7I3I7'

local function aligned(m, instant) return instant - instant % m.limit.window end

-- Returns the start of a window that a request opens.
local function opening(m, instant) return m.limit.flags == FIRST and instant or aligned(m, instant) end

-- Adds permits to the window with a start.
local function add(m, start, permits)
  local list = m.list
  local i = #list + 1
  while i > 1 and list[i - 2] > start do
    i = i - 2
  end
  if i > 1 and list[i - 2] == start then
    list[i - 1] = list[i - 1] + permits
  else
    table.insert(list, i, permits)
    table.insert(list, i, start)
  end
end

-- Adopts windows of another length or alignment: those that have not ended continue by the new one.
local function adopt(m, length)
  local before, now = m.list, m.now
  m.list, m.changes, m.changed = {}, (m.changes + 1) % 2 ^ 23, true
  for i = 1, #before, 2 do
    local start, count = before[i], before[i + 1]
    if now - start < length then
      local from = now - start >= m.limit.window and now or start
      add(m, m.limit.flags == FIRST and from or aligned(m, max(start, now)), count)
    end
  end
end

-- Removes windows that have ended.
local function prune(m)
  local list, ended = m.list, 0
  while list[ended + 1] and m.now - list[ended + 1] >= m.limit.window do
    ended = ended + 2
  end
  if ended > 0 then
    m.list = { unpack(list, ended + 1) }
  end
end

-- Opens a state, see log.lua.
local function open(state, limit, now, _, _, changed)
  local m = { limit = limit, now = now, created = now, last = now, changes = 0, list = {}, changed = false, lag = 0 }
  if state then
    local first, length = nil, changed or limit.window
    if #state == CREATED + 14 then
      local count
      m.created, count, first = decode('>I7I7B', state, CREATED)
      m.last = m.created
      m.list = { first == 1 and m.created or m.created - m.created % length, count }
    else
      m.created, m.last, first = decode('>I7I7I3', state, CREATED)
      m.list = { decode('>' .. string.rep('I7', (#state - CREATED - 16) / 7), state, CREATED + 17) }
      m.list[#m.list] = nil
      m.changes, first = floor(first / 2), first % 2
    end
    if changed or first ~= (limit.flags == FIRST and 1 or 0) then
      adopt(m, length)
    end
    prune(m)
  end
  return m
end

-- Sets the alignment of a limit under which a state was written.
local function restore(limit, section)
  local first = section:byte(CREATED + (#section == CREATED + 14 and 14 or 16)) % 2
  limit.flags = first == 1 and FIRST or 0
end

-- Returns the position of the window that a request at an instant joins; nil if it opens one.
local function covering(m, instant)
  local list = m.list
  for i = #list - 1, 1, -2 do
    if list[i] <= instant then return instant - list[i] < m.limit.window and i or nil end
  end
end

local function earliest(m, from, permits)
  local room, list, limit = m.limit.permits - permits, m.list, m.limit
  if room < 0 then return NEVER end
  local at = m.now + from
  local i = covering(m, at)
  while i and list[i + 1] > room do
    at = list[i] + limit.window
    if limit.flags == FIRST and list[i + 2] then
      at = min(at, list[i + 2])
    end
    while list[i + 2] and list[i + 2] <= at do
      i = i + 2
    end
    i = at - list[i] < limit.window and i or nil
  end
  return at - m.now
end

-- If the first request opens a window, reservations start only at this limit's own earliest fit: another start could open a window
-- that overlaps others.
local function canGrant(m, wait, permits)
  if wait == 0 or covering(m, m.now + wait) then return true end
  return #m.list / 2 < MAX_PENDING and (m.limit.flags ~= FIRST or wait == earliest(m, 0, permits))
end

local function grant(m, wait, permits)
  local i = covering(m, m.now + wait)
  local start = i and m.list[i] or opening(m, m.now + wait)
  add(m, start, permits)
  m.changed = true
  return encode(WINDOW_HANDLE, m.created, m.changes, start)
end

local function refund(m, permits, _, created, changes, start)
  for i = 1, #m.list, 2 do
    if m.list[i] == start and m.changes == changes and m.created == created then
      m.list[i + 1], m.changed = m.list[i + 1] - permits, true
      if m.list[i + 1] <= 0 then
        table.remove(m.list, i)
        table.remove(m.list, i)
      end
      return
    end
  end
end

local function remaining(m)
  local i = covering(m, m.now)
  return i and max(0, m.limit.permits - m.list[i + 1]) or m.limit.permits
end

local function expiry(m) return m.list[1] and m.list[#m.list - 1] + m.limit.window or 0 end

local function resetAfter(m) return max(0, expiry(m) - m.now) end

-- Returns the state.
local function section(m)
  local list, first = m.list, m.limit.flags == FIRST and 1 or 0
  if m.created == m.now and m.changes == 0 and #list == 2 and list[1] == opening(m, m.now) then
    return m.limit.prefix .. encode('>I7I7B', m.created, list[2], first)
  end
  return m.limit.prefix .. encode('>I7I7I3' .. string.rep('I7', #list), m.created, m.now, 2 * m.changes + first, unpack(list))
end

-- Visits the windows, newest first, until `add` returns false.
local function eachRun(m, add)
  for i = #m.list - 1, 1, -2 do
    if not add(m.list[i], m.list[i + 1], m.list[i] > m.now) then return false end
  end
  return true
end

local window = {
  open = open, restore = restore, earliest = earliest, canGrant = canGrant, grant = grant, refund = refund,
  remaining = remaining, resetAfter = resetAfter, expiry = expiry, section = section, eachRun = eachRun, handle = WINDOW_HANDLE,
}

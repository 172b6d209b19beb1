-- The fixed window: windows as starts and counts, oldest first.
--
-- The state is a section, see limit.lua, with twice the number of changes of the window and one more if the first request opens a window
-- (3), and for each window its start and its count (7 each).
local WINDOW, WINDOW_HANDLE = '>I3I7I7I7', '>I7I3I7' -- a state with one window, behind its expiry; a handle

local function aligned(m, instant) return instant - instant % m.limit.window end

-- Adds permits to the window with a start.
local function add(m, start, permits)
  local list = m.list
  local i = #list + 1
  while i > 1 and list[i - 2] > start do i = i - 2 end
  if list[i - 2] == start then
    list[i - 1] = math.min(MOST, list[i - 1] + permits) -- several windows may become one
  else
    table.insert(list, i, permits)
    table.insert(list, i, start)
  end
end

-- Reads a state, between two places of a string; if the second is not behind the first, there is none.
local function windowAt(state, at, behind, limit, now)
  local m = { limit = limit, now = now, created = now, expires = 0, last = now, changes = 0, first = limit.flags, list = {}, changed = false }
  if behind > at then
    local size, changes = (behind - at - 24) / 14, nil
    if size < 1 or size % 1 > 0 then error('WEIR state is damaged') end
    m.created, m.expires, changes = decode('>I7I7I3', state, at)
    m.list = { decode('>' .. string.rep('I7', 2 * size + 1), state, at + 17) }
    m.last, m.list[2 * size + 1], m.list[2 * size + 2] = m.list[2 * size + 1], nil, nil -- the last is a place
    m.first, m.changes = FIRST * (changes % 2), (changes - changes % 2) / 2
  end
  return m
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

-- Returns the position of the window that a request at an instant joins; nil if it opens one.
local function covering(m, instant)
  local list, i = m.list, 1
  while list[i + 2] and list[i + 2] <= instant do i = i + 2 end
  return list[i] and list[i] <= instant and instant - list[i] < m.limit.window and i or nil
end

-- Grants permits after a wait. Returns the handle.
local function grantWindow(m, wait, permits)
  local start = m.now + wait
  local i = covering(m, start)
  start = i and m.list[i] or m.limit.flags == FIRST and start or aligned(m, start)
  add(m, start, permits)
  m.changed = true
  return encode(WINDOW_HANDLE, m.created, m.changes, start)
end

-- Returns the instant from which on nothing counts.
local function windowsEnd(m) return m.list[1] and m.list[#m.list - 1] + m.limit.window or 0 end

-- Returns the state behind its expiry.
local function packedWindows(m)
  local list, changes = m.list, 2 * m.changes + m.limit.flags / FIRST
  if not list[3] then return encode(WINDOW, changes, list[1], list[2], m.now) end
  return encode('>I3' .. string.rep('I7', #list), changes, unpack(list)) .. encode('>I7', m.now)
end

-- The straight path, see straight.lua: a window that has begun is the only one, or there is none.
local function windowStraight(limit, state, at, behind, permits, count, peek)
  if behind > at + 24 + 3 * 14 then return end
  local m = windowAt(state, at, behind, limit, time)
  prune(m)
  local left, room = math.max(0, windowsEnd(m) - time), limit.permits - (m.list[2] or 0)
  if m.last > time or m.first ~= limit.flags or m.list[3] or left > limit.window then return end
  if room < permits then return count, left, math.max(0, room), left end
  if peek then return 1, 0, room, left, '' end
  local number = math.min(count, (room - room % permits) / permits)
  local handle = grantWindow(m, 0, permits * number)
  left = windowsEnd(m) - time
  if behind ~= at + 38 then m.expires = 0 end -- the number of windows changes, so that the whole state is written
  local millis = renewal(m, left, 3 * limit.window)
  local changed = packedWindows(m)
  if millis then changed = encode('>I7I7', m.created, m.expires) .. changed end
  return number, 0, room - permits, left, handle, changed, at == CREATED and BEFORE_END or at + 13, millis
end
